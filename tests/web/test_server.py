"""What the server lets in and what it does not: hosts, origins, files, sizes, rates, authors, other people's things."""

import json
import re
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from fcdl.web.door import CONTENT_SECURITY_POLICY, Door, host_name
from fcdl.web.limits import LOCAL, Bucket
from fcdl.web.network import own_address
from fcdl.web.server import page_files
from tests.web.serving import Person, Refused, Server, serving

HIGH_CARD = """game "High card"
players 2

chart main
    start
    Shuffle
    Deal(1)
    playCard(player(0), cards)
    playCard(player(1), cards)
    score(player(0)) = rankValue(middle(player(0))) - rankValue(middle(player(1)))
    end
"""


def test_every_answer_says_what_pages_may_do(server: Server) -> None:
    for path in ("/", "/table/x", "/files/common.js", "/api/games"):
        with urllib.request.urlopen(server.address + path) as answer:
            assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
            assert answer.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in CONTENT_SECURITY_POLICY


def test_pages_have_nothing_inline() -> None:
    for name, (content, _) in page_files().items():
        if name.endswith(".html"):
            text = content.decode()
            assert "<style" not in text
            assert " style=" not in text
            assert "<script>" not in text
            assert "javascript:" not in text
            assert not re.search(r"<[^>]*\son\w+=", text)
        elif name.endswith(".js"):
            text = content.decode()
            for dangerous in (
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
            ):
                assert dangerous not in text, f"{name} uses {dangerous}"


@pytest.mark.parametrize(
    "path",
    ["/files/../server.py", "/files/%2e%2e/server.py", "/files/..%2fserver.py", "/files//etc/passwd", "/files/x.js"],
)
def test_no_other_file_is_served(anna: Person, path: str) -> None:
    with pytest.raises(Refused) as refused:
        anna.ask("GET", path)
    assert refused.value.status == 404


def test_request_from_another_site_is_refused(anna: Person) -> None:
    for origin in ("http://evil.example", "null", ""):
        with pytest.raises(Refused) as refused:
            anna.ask("POST", "/api/me", {"name": "x"}, origin=origin)
        assert refused.value.status == 403
    with pytest.raises(Refused) as refused:
        anna.ask("GET", "/", host="evil.example")
    assert refused.value.status == 403


@pytest.mark.parametrize("path", ["/ws/table/abc", "/ws/try"])
def test_websocket_from_another_site_is_refused(server: Server, path: str) -> None:
    address = f"ws://127.0.0.1:{server.port}{path}"
    for origin in (Origin("http://evil.example"), None):
        with pytest.raises(InvalidStatus), connect(address, origin=origin):
            pass


def test_names_of_hosts_are_told_from_addresses() -> None:
    assert [host_name(host) for host in ("localhost:80", "127.0.0.1:80", "[::1]:80", "a.example")] == [
        "localhost",
        "127.0.0.1",
        "::1",
        "a.example",
    ]
    door = Door(None, LOCAL, ["cards.example"])  # type: ignore[arg-type]
    assert door._is_own_host("192.168.1.5:8765")
    assert door._is_own_host("cards.example")
    assert not door._is_own_host("127.0.0.1.evil.example:8765")


def test_too_much_is_refused_and_the_server_lives(anna: Person) -> None:
    for body, status in (
        (b"{" * 100_000, 400),
        (b"[1]", 400),
        (b"x" * 1_200_000, 413),
        (json.dumps({"text": "x" * 250_000}).encode(), 413),
        (json.dumps({"text": 5}).encode(), 400),
        (json.dumps({}).encode(), 400),
    ):
        with pytest.raises(Refused) as refused:
            anna.ask("POST", "/api/work/check", body)
        assert refused.value.status == status
    assert anna.ask("POST", "/api/work/check", {"text": HIGH_CARD})["good"]


def test_visitor_must_say_who_they_are(anna: Person) -> None:
    for token in ("", "short", "x" * 200):
        with pytest.raises(Refused) as refused:
            anna.ask("GET", "/api/me", **{"x-visitor": token})
        assert refused.value.status == 401


def test_drafts_belong_to_who_made_them(anna: Person, ben: Person) -> None:
    draft = anna.ask("POST", "/api/drafts", {"text": HIGH_CARD})["id"]
    assert anna.ask("GET", f"/api/drafts/{draft}")["text"] == HIGH_CARD
    for method, path, body in (
        ("GET", "", None),
        ("PUT", "", {"text": "x"}),
        ("DELETE", "", None),
        ("POST", "/publish", {"published": True}),
        ("GET", "/versions", None),
    ):
        with pytest.raises(Refused) as refused:
            ben.ask(method, f"/api/drafts/{draft}{path}", body)
        assert refused.value.status == 404
    changed = HIGH_CARD.replace("Deal(1)", "Deal(2)")
    anna.ask("PUT", f"/api/drafts/{draft}", {"text": changed, "title": "Two"})
    versions = anna.ask("POST", f"/api/drafts/{draft}/versions", {"note": "two cards"})["versions"]
    assert [one["note"] for one in versions] == ["two cards", "the beginning"]
    assert "-    Deal(1)" in versions[1]["diff"]
    assert "+    Deal(2)" in versions[1]["diff"]


def test_chart_with_errors_is_not_published_or_played(anna: Person) -> None:
    draft = anna.ask("POST", "/api/drafts", {"text": "chart main\n    start\n    nonsense(\n    end\n"})["id"]
    for call in (
        lambda: anna.ask("POST", f"/api/drafts/{draft}/publish", {"published": True}),
        lambda: anna.table(f"draft-{draft}", "random"),
    ):
        with pytest.raises(Refused, match="errors"):
            call()


def test_only_known_computers_sit_down(anna: Person) -> None:
    for computer in ("ismcts:ms=1000000", "own:/etc/passwd", "../x", "person2"):
        with pytest.raises(Refused, match="nobody is called"):
            anna.table("trumps", computer)


def test_ones_own_data_can_be_taken_away_and_deleted(server: Server) -> None:
    dora, eve = Person(server, "Dora"), Person(server, "Eve")
    dora.ask("POST", "/api/me", {"name": "Dora\n\x07 <i>the</i> first of all the explorers"})
    assert dora.ask("GET", "/api/me")["name"] == "Dora <i>the</i> first of"
    draft = dora.ask("POST", "/api/drafts", {"text": HIGH_CARD})["id"]
    table = dora.table("trumps", "person")
    page, other = dora.enter(table), eve.enter(table)
    other.send(do="sit", seat=1)
    page.send(do="chat", text="hello")
    page.until(lambda message: message["do"] == "chat")
    data = dora.ask("GET", "/api/me/export")
    assert data["drafts"][0]["text"] == HIGH_CARD
    assert data["chats"][0]["text"] == "hello"
    dora.ask("DELETE", "/api/me")
    assert dora.ask("GET", "/api/me/export") == {
        "name": "",
        "author": False,
        "drafts": [],
        "tables": [],
        "chats": [],
    }
    with pytest.raises(Refused):
        dora.ask("GET", f"/api/drafts/{draft}")
    page.close()
    other.close()


def test_on_a_network_drawing_needs_the_passphrase(tmp_path: Path) -> None:
    with serving(tmp_path / "web.sqlite", "--host", "0.0.0.0", "--passphrase", "open sesame") as server:
        anna = Person(server)
        assert not anna.ask("GET", "/api/me")["author"]
        with pytest.raises(Refused, match="passphrase"):
            anna.ask("POST", "/api/work/check", {"text": HIGH_CARD})
        page = anna.enter(anna.table("kuhn_poker", "random"))
        page.play_to_the_end()
        page.close()
        for guess in ("", "sesame", "open sesam", "x", "y"):
            with pytest.raises(Refused, match="not the passphrase"):
                anna.ask("POST", "/api/author", {"passphrase": guess})
        with pytest.raises(Refused, match="429"):
            anna.ask("POST", "/api/author", {"passphrase": "open sesame"})


def test_bucket_lets_through_what_it_may() -> None:
    bucket = Bucket(0.0, 3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_qr_code_has_the_secret_in_its_body_only(anna: Person) -> None:
    assert anna.ask("POST", "/api/qr", {"text": "http://127.0.0.1/table/x#secret"}).startswith("<svg")
    with pytest.raises(Refused):
        anna.ask("POST", "/api/qr", {"text": "x" * 500})


def test_only_who_sits_at_the_machine_lets_the_network_in(tmp_path: Path) -> None:
    address = own_address()
    if address is None:
        pytest.skip("this machine is on no network")
    with serving(tmp_path / "web.sqlite") as own:
        host = Person(own, "Host")
        assert host.ask("GET", "/api/me")["address"] is None
        with pytest.raises(OSError, match="refused"):
            urllib.request.urlopen(f"http://{address}:{own.port}/")
        there = host.ask("POST", "/api/network", {})["address"]
        assert there == f"http://{address}:{own.port}"
        assert host.ask("GET", "/api/me")["author"]

        def ask(path: str, method: str = "GET", body: bytes | None = None) -> int:
            headers = {"x-visitor": "somebody-on-the-network", "origin": there}
            request = urllib.request.Request(there + path, body, headers, method=method)
            try:
                with urllib.request.urlopen(request) as answer:
                    assert "-" not in str(json.loads(answer.read()).get("passphrase", ""))
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                with error:
                    return error.code

        assert ask("/api/me") == 200
        assert ask("/api/network", "POST", b"{}") == 403
        assert ask("/api/drafts", "POST", b"{}") == 403
        assert ask("/api/tables", "POST", b'{"game": "trumps", "seats": ["person", "easy"]}') == 200
