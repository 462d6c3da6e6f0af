"""Games of the International Skat Server become records that replay to the server's result."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.arena.iss import convert
from fcdl.cli import main
from fcdl.model.record import RecordError

FILE = Path(__file__).parent.parent / "data" / "skat-iss.sgf"


def test_all_records_are_imported_with_the_servers_scores() -> None:
    records = [record for record, _ in convert(FILE.read_text().splitlines())]
    assert [record.scores for record in records] == [
        (0, 0, -54), (0, 0, 96), (20, 0, 0), (33, 0, 0), (0, 0, 0), (0, 46, 0),
    ]  # fmt: skip
    assert [record.reason for record in records] == ["end"] * 5 + ["resigned"]


@pytest.mark.parametrize("engine", ["native", "asp"])
def test_imported_records_replay(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    done = CliRunner().invoke(main, ["convert", str(FILE), "--from", "iss", "--to", "records", "-o", str(file)])
    assert done.exit_code == 0, done.output
    replayed = CliRunner().invoke(main, ["replay", str(file), "--engine", engine])
    assert (replayed.exit_code, replayed.output) == (0, "6 of 6 records replayed exactly\n")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("v:-54", "v:-53", "game 1: the server says"),
        ("w HA.SK", "w HA.HA", "game 1: the deal is not of 32 different cards"),
        ("GM[Skat]", "GM[Go]", "game 1: not a record of Skat"),
        ("0 SA 1 S7", "0 SA 1 XX", "game 1: 'XX' is not a card"),
        ("0 SA 1 S7", "0 SA 1 CJ", "game 1: illegal move 'play JC'"),
        ("v:-54", "v:" + "9" * 5000, "game 1: the result names no declarer or value"),
        ("v:-54", "v:²", "game 1: the result names no declarer or value"),
        ("0 SK 1 DK 2 HT ]", "]", "game 1: the record ends before the game does"),
    ],
)
def test_records_that_do_not_fit_are_refused(old: str, new: str, message: str) -> None:
    text = FILE.read_text()
    assert old in text
    with pytest.raises(RecordError) as caught:
        list(convert(text.replace(old, new, 1).splitlines()))
    assert str(caught.value).startswith(message)


def test_older_records_name_the_discards_in_a_pair_of_their_own() -> None:
    text = FILE.read_text()
    assert " 2 D.ST.H8 " in text
    older = text.replace(" 2 D.ST.H8 ", " 2 D 2 ST.H8 ", 1)
    assert [record for record, _ in convert(older.splitlines())] == [record for record, _ in convert(text.splitlines())]


def test_other_files_are_refused() -> None:
    with pytest.raises(RecordError, match="no game of the International Skat Server"):
        list(convert([]))
