"""The tables of contracts and of card play at Skat, and the seats of the thesis's tournaments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.agents.agent import KIND_MODULES
from fcdl.arena.tournament import pair_seatings
from fcdl.cli import main
from tests.games.table import make_game
from tests.results import cardplay, contracts

SERVER = Path(__file__).parent.parent / "data" / "skat-iss.sgf"
XSKAT = """ Computer1   Computer2   Computer3
---- random_seed 1 0 2 --------
Computer3 played Grand
Won with: 72 points
========================================
Computer2 played Club
Played Hand
Lost with: 50 points
========================================
 nobody
========================================
Computer1 played Null
Played ouvert Hand
Won
========================================
0 96 48
"""


def test_contracts_of_the_skat_server_are_counted() -> None:
    bad: list[str] = []
    (row,) = [one.summary(name) for name, one in contracts.rows(contracts.deals([SERVER], bad)).items()]
    assert not bad
    assert row["deals"] == 18
    assert {kind: of["games"] for kind, of in row["kinds"].items()} == {
        "suit": 3,
        "grand": 1,
        "null": 0,
        "null ouvert": 1,
    }
    assert row["passed"] == pytest.approx(1 / 6)
    # 96 + 50, 20 + 50, 33 + 50, 46 + 50, and -54 - 50 with 40 for each of the others
    assert row["tournament_points"] == pytest.approx((146 + 70 + 83 + 96 - 104 + 80) / 18)


def test_logs_of_xskat_are_read(tmp_path: Path) -> None:
    file = tmp_path / "xskat.log"
    file.write_text(XSKAT)
    found = list(contracts.deals([file], []))
    assert [(deal.declarer, deal.kind, deal.by_hand, deal.won) for deal in found] == [
        (2, "grand", False, True),
        (1, "suit", True, False),
        (None, "", False, False),
        (0, "null ouvert", True, True),
    ]


def test_records_are_counted_by_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    agents = "skat.bidder:play=random,skats=5/random/random"
    command = ["simulate", "skat", "--agents", agents, "--games", "3", "--seed", "1", "-o", str(file)]
    assert CliRunner().invoke(main, command).exit_code == 0
    contracts.main([str(file), "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["player"], row["deals"]) for row in rows] == [("skat.bidder:play=random,skats=5", 3), ("random", 6)]


def test_what_is_gained_by_defending_and_alone_adds_up_to_the_lead() -> None:
    match = cardplay.Match(a_b=60, b_a=-30, a_a=15, b_b=9)
    assert match.lead == 30
    assert match.defending + match.alone == pytest.approx(match.lead)
    assert cardplay.Match(a_b=9, b_a=15, a_a=15, b_b=9).alone == 0


def test_card_play_is_compared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("fcdl.agents.agent.KIND_MODULES", KIND_MODULES)
    arguments = ["random", "random", "--deals", "2", "--kinds", "suit/grand", "--bidder", "skat.bidder:skats=5"]
    cardplay.main([*arguments, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 16
    rows = found["rows"]
    assert [(row["kind"], row["deals"]) for row in rows] == [("suit", 2), ("grand", 2)]
    assert all(row["lead"]["mean"] == 0 for row in rows), "equal players with the same dice"
    for _ in range(2):
        cardplay.main([*arguments, "--json", "--resume", str(tmp_path)])
        assert json.loads(capsys.readouterr().out)["rows"] == rows
        kept = tmp_path / "matches.jsonl"
        kept.write_text(kept.read_text()[:-3])  # killed in its middle


def test_deals_between_three_of_a_kind_go_on_where_they_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--play", "skat.bidder:play=random,skats=3", "--deals"]
    contracts.main([*arguments, "3", "--json"])
    whole = json.loads(capsys.readouterr().out)["rows"]
    contracts.main([*arguments, "1", "--resume", str(tmp_path)])
    assert "1.9 % passed" in capsys.readouterr().out, "published figures are beside"
    contracts.main([*arguments, "3", "--resume", str(tmp_path), "--json"])
    assert json.loads(capsys.readouterr().out)["rows"] == whole


def test_a_tournament_has_the_six_seatings_of_the_thesis() -> None:
    """Table 3.4: all that are not three of a kind."""
    seatings = pair_seatings(make_game("skat"))
    assert sorted(seatings) == sorted(
        {(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)} - {(0,) * 3, (1,) * 3}
    )
