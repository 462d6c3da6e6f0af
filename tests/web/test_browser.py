"""The pages in a real browser (Debian's chromium, by Playwright): drawing, playing together, a crash, a phone.

`.ci/run` installs chromium where it is missing and runs these with `-m browser`; without it they are skipped.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fcdl.data import data_text
from fcdl.language.edits import Sheet
from fcdl.language.load import builtin_names, load_text
from fcdl.web.network import own_address
from tests.web.serving import Server, serving

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
AXE = Path(__file__).parents[2] / ".venv" / "web-tools" / "node_modules" / "axe-core" / "axe.min.js"
WAIT = 30_000
SETS = """game "Pairs"
players 2
deck ranks 2 to 7 suits clubs diamonds hearts spades
zone board: face up

chart main
    start
    Shuffle
    Deal(6)
    move(6, pack, board)
    playCards(player(0), sets s in subsets(hand(player(0)), 2 to 2), stack)
    take(player(0), sets s in subsets(board, 3 to 3), board, hand(player(0)))
    playCard(player(0), cards)
    score(player(0)) = cardsRemaining(player(0))
    end
"""
EVERY_HEADER = """game "All kinds"
genre "trick-taking", "short"
about "Each line once."
players 4
teams 0 2, 1 3
lowest score wins
goal more score(me), fewer tricks(me)
deck cards c in standard copies 2 where rankValue(c) > 6
order power: 7 8 9 10 jack queen king ace
table points: hearts 1, QS 13, else 0
list bids: 18, 20
words left, right
option size = 5 from 1 to 10 "Cards each."
option open = yes
option side = left of left, right
zone board(suit): face up
each player has tricks = 0, bid
secret bid
define good(c) = suit(c) == hearts
expect "nothing yet": do main, then score(player(0)) == 0
say score: "points", "what counts" if size > 1
sort hand by suit(card), rankValue(card)

chart main
    start
    Shuffle
    end
"""
MY_TURN_WITH = (
    "cards => document.querySelectorAll('.hand .own').length === cards && document.querySelector('.hand .own.legal')"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("browser") / "web.sqlite") as one:
        yield one


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


class Visitor:
    """A browser of its own with one page; errors of its scripts fail the test."""

    def __init__(self, browser: Any, server: Server, name: str, **context: Any) -> None:
        self.server = server
        self.context = browser.new_context(viewport={"width": 1280, "height": 860}, **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self.page.goto(server.address)
        self.page.wait_for_selector(".game")
        self.page.fill("#name", name)
        self.page.press("#name", "Tab")

    def _heard(self, message: Any) -> None:
        if message.type == "error" and "WebSocket" not in message.text and "ERR_CONNECTION" not in message.text:
            self.errors.append(message.text)

    def close(self) -> None:
        assert self.errors == []
        self.context.close()

    def play(self, limit: int) -> bool:
        """Plays legal cards as long as it is one's turn; whether the game is over."""
        for _ in range(limit):
            if self.over:
                return True
            legal = self.page.locator(".hand .own.legal, .choices .choice:not([disabled]), .choices .own.legal")
            try:
                legal.first.click(timeout=1500, position={"x": 6, "y": 12})
            except sync_api.TimeoutError:
                return self.over
        return self.over

    @property
    def over(self) -> bool:
        text = self.page.locator("#turn").inner_text()
        return bool(re.search(r"wins?!|Nobody wins|ended early", text))


def start(page: Any, game: str, how: str) -> None:
    """Looks for a game on the first page, and clicks on one of its buttons."""
    page.fill("#search", game)
    page.click(f"li.game:has(h3:text-is('{game}')) >> text={how}")


def accessible(page: Any) -> None:
    """No finding of axe-core; where it is not installed the test says so."""
    if not AXE.exists():
        pytest.skip("axe-core is not here: npm install --prefix .venv/web-tools typescript axe-core")
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    found = [(one["id"], one["nodes"][0]["target"], one["nodes"][0]["failureSummary"]) for one in found["violations"]]
    assert not found, found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lobby_table_and_editor_are_accessible(browser: Any, server: Server, scheme: str) -> None:
    anna = Visitor(browser, server, "Anna", color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page = anna.page
    accessible(page)
    start(page, "Trumps", "With friends")
    page.wait_for_selector("dialog")
    accessible(page)
    page.click("text=Set up the table")
    page.wait_for_selector(".links li.free")
    accessible(page)
    page.click("text=Begin now")
    page.wait_for_selector(".hand .own")
    accessible(page)
    page.click("text=Who has what?")
    page.wait_for_selector(".known")
    accessible(page)
    page.click("#tab-scores")
    accessible(page)
    page.goto(server.address)
    page.click("text=A trick-taking game")
    page.wait_for_selector(".box.decision")
    accessible(page)
    page.locator(".plus").first.click()
    accessible(page)
    page.click("dialog .brick:has(strong:text-is('Play a card'))")
    page.wait_for_selector(".sentence-form")
    accessible(page)
    page.keyboard.press("Escape")
    page.click("#tab-game")
    accessible(page)
    page.click("#tab-try")
    page.wait_for_selector(".box.at")
    accessible(page)
    anna.close()


def test_small_game_is_drawn_by_mouse_broken_seen_and_undone(browser: Any, server: Server) -> None:
    anna = Visitor(browser, server, "Anna", reduced_motion="reduce")
    page = anna.page

    def text() -> str:
        found: str = page.input_value("textarea.code")
        return found

    def line_of(caption: str) -> int:
        return next(number for number, one in enumerate(text().split("\n"), 1) if one.strip().startswith(caption))

    def add(after: str, brick: str, **gaps: str) -> None:
        """Clicks the + on an arrow, takes a brick from the palette, and fills in its sentence."""
        before = text()
        page.click(f".plus[data-from='{line_of(after)}'][data-kind='next']")
        page.click(f"dialog .brick:has(strong:text-is('{brick}'))")
        for gap, value in gaps.items():
            field = page.locator(f"#gap-{gap}")
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(label=value)
            else:
                field.fill(value)
        if gaps:
            page.click("dialog button.main")
        page.wait_for_function("old => document.querySelector('textarea.code').value !== old", arg=before)

    page.click("text=An empty page")
    page.wait_for_selector(".box.start")
    page.click("#tab-game")
    page.fill("#d-low", "3")
    page.press("#d-low", "Tab")
    page.wait_for_function("() => document.querySelector('textarea.code').value.includes('players 3')")
    add("Shuffle", "Deal", n="3")
    add("Deal(3)", "Remember", name="leader", value="a player drawn by lot")
    add("leader =", "Play a card", who="leader")
    add("playCard(leader", "Remember", name="led", value="the suit of the card that leader played")
    add(
        "led =",
        "Play a card",
        who="every player but leader, in turn,",
        what="a card of the suit led if they can, else any card",
    )
    add("playCard(p", "Remember", name="leader", value="the player of the highest card of the suit led")
    add("leader = highest", "Points", who="leader")
    add("score(", "Clear the table")
    add("Stack.empty", "No cards left?", place="the hand of leader")

    # An arrow is led back by its end: as long as there are cards, another trick is played.
    end = page.locator(f"circle.end[data-from='{line_of('empty(')}'][data-kind='no']").bounding_box()
    target = page.locator(".canvas .box:has-text('playCard(leader') .shape").bounding_box()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
    page.mouse.down()
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=8)
    page.mouse.up()
    page.wait_for_function("() => /no -> playCard/.test(document.querySelector('textarea.code').value)")
    page.wait_for_selector(".findings h2.good")
    checked = load_text(text())
    assert checked.flowchart is not None
    assert checked.flowchart.players == (3, 3)
    assert page.locator(".chart-place .canvas .box").count() == 12

    good = text()
    page.click(".canvas .box:has-text('Deal(3)')")
    page.keyboard.press("Enter")
    page.locator(".caption-edit input").fill("Dael(3)")
    page.locator(".caption-edit input").press("Enter")
    page.wait_for_selector(".findings h2.error")
    assert "Did you mean 'Deal'" in page.locator("#findings").inner_text()
    assert page.locator(".canvas .box.error").count() == 1
    page.keyboard.press("Control+z")
    page.wait_for_selector(".findings h2.good")
    assert text() == good
    page.keyboard.press("Control+y")
    page.wait_for_selector(".findings h2.error")
    page.keyboard.press("Control+z")
    page.wait_for_selector(".findings h2.good")

    # A sentence can be filled in again, and boxes be copied together.
    page.click(".canvas .box:has-text('score(leader)')")
    page.click("text=Fill in…")
    page.fill("#gap-n", "2")
    page.click("dialog button.main")
    page.wait_for_selector(".canvas .box:has-text('score(leader) + 2')")
    page.click(".canvas .box:has-text('Stack.empty')", modifiers=["Shift"])
    page.keyboard.press("Control+c")
    page.keyboard.press("Control+v")
    page.wait_for_function("() => document.querySelectorAll('.canvas .box').length === 14")
    for _ in range(2):
        page.keyboard.press("Control+z")
    page.wait_for_function("old => document.querySelector('textarea.code').value === old", arg=good)

    # The text and the chart are one: what is typed is drawn.
    page.click("#tab-text")
    page.fill("textarea.code", good.replace("Deal(3)", "Deal(4)"))
    page.wait_for_selector(".canvas .box:has-text('Deal(4)')")

    page.click("#tab-try")
    page.wait_for_selector(".box.at")
    page.click("[aria-label='On to the next decision']")
    page.wait_for_selector(".box.at:has-text('playCard(leader, cards)')")
    page.click(".bar >> text=Play")
    page.wait_for_selector(".hand .own.legal")
    for _ in range(100):
        if anna.play(1):
            break
    assert anna.over
    anna.close()


def test_every_declaration_has_a_form_that_says_what_the_line_says(browser: Any, server: Server) -> None:
    anna = Visitor(browser, server, "Anna", reduced_motion="reduce")
    page = anna.page
    page.click("text=Bring a chart from a file…")
    page.fill("#import-text", EVERY_HEADER)
    page.click("text=Draw it")
    page.wait_for_selector(".box.start")
    for game in ("", "Hearts", "Skat"):
        if game:
            page.goto(server.address)
            start(page, game, "Change the rules")
            page.wait_for_selector(".box.start")
        page.click("#tab-game")
        text = page.input_value("textarea.code")
        assert page.input_value("#d-wins") == ("lowest" if "lowest score wins" in text else "highest")
        plain = page.locator("[aria-label^='A line of the header']")
        assert all(one.input_value().startswith("expect") for one in plain.all())
        for row in page.locator("#panel-game li[data-kind]").all():  # what is there is written again, and stays
            row.locator("input, select").first.dispatch_event("change")
        assert page.input_value("textarea.code") == text
        if not game:
            page.locator("li[data-kind=say] input").nth(1).fill("chips")
            page.keyboard.press("Tab")
            page.wait_for_function(
                "() => document.querySelector('textarea.code').value.includes('say score: \"chips\"')"
            )
    page.click("#d-add")
    page.click("dialog .brick:has-text('A definition')")
    new = page.locator("#panel-game li:has-text('never used')")
    new.locator("input.line").fill("suit(c) == hearts &")
    page.keyboard.press("Tab")
    page.wait_for_selector("#panel-game li.wrong")
    page.locator("#panel-game li.wrong input").fill("define isTrump2(c) = suit(c) == hearts")
    page.keyboard.press("Tab")
    page.wait_for_selector("#panel-game li.wrong", state="detached")
    assert "define isTrump2(c) = suit(c) == hearts" in page.input_value("textarea.code")
    anna.close()


def test_filling_in_a_sentence_never_changes_what_a_box_says(browser: Any, server: Server) -> None:
    captions = sorted({
        box.caption for name in builtin_names() for chart in Sheet(data_text("games", f"{name}.fcdl")).charts
        for box in chart.boxes
    })  # fmt: skip
    anna = Visitor(browser, server, "Anna")
    found = anna.page.evaluate(
        "async captions => { const { BRICKS, brickOf, gapsOf, read, write } = await import('/files/bricks.js');"
        " const own = BRICKS.filter(one => gapsOf(one).length).map(one => {"
        " const firsts = Object.fromEntries(gapsOf(one).map(gap => [gap.name, gap.first]));"
        " return [one.name, JSON.stringify(read(one, write(one, firsts))) === JSON.stringify(firsts)]; });"
        " const others = captions.map(caption => { const found = brickOf(caption);"
        " return [caption, found && write(found.brick, found.values)]; }); return { own, others }; }",
        captions,
    )
    assert all(same for _, same in found["own"]), found["own"]
    understood = [(caption, written) for caption, written in found["others"] if written is not None]
    assert [pair for pair in understood if pair[0] != pair[1]] == []
    assert len(understood) > 200
    anna.close()


def test_four_people_play_a_game_to_its_end_by_links(browser: Any, server: Server) -> None:
    people = [Visitor(browser, server, name, reduced_motion="reduce") for name in ("Anna", "Ben", "Cleo", "Dan")]
    host = people[0].page
    start(host, "Oh Hell", "With friends")
    host.fill("#setup-players", "4")
    host.locator("#setup-players").blur()
    host.click("summary:has-text('Options')")
    option = host.locator("dialog .options input[type=number]").first
    option.fill("2")
    host.click("text=Set up the table")
    host.wait_for_selector(".links li.free")
    links = host.evaluate(
        "() => new Promise(resolve => { const seen = [];"
        " navigator.clipboard.writeText = async text => { seen.push(text);"
        " if (seen.length === 3) resolve(seen); }; for (const one of document.querySelectorAll('.links button'))"
        " if (one.textContent === 'Copy link') one.click(); })"
    )
    for visitor, link in zip(people[1:], links, strict=True):
        visitor.page.goto(link)
    for visitor in people:
        visitor.page.wait_for_selector(".hand .own, .choices .choice")
        assert visitor.page.locator(".seat").count() == 4
    people[1].page.click("#tab-chat")
    people[1].page.fill("#chat-field", "<img src=x onerror=alert(1)>")
    people[1].page.press("#chat-field", "Enter")
    host.click("#tab-chat")
    host.wait_for_selector(".chat >> text=<img src=x")
    for _ in range(400):
        over = [visitor.play(1) for visitor in people]
        if all(over):
            break
    assert all(visitor.over for visitor in people)
    hands = [visitor.page.locator(".hand .own").count() for visitor in people]
    assert hands == [0, 0, 0, 0]
    for visitor in people:
        visitor.close()


def test_crash_of_the_server_in_the_middle_of_a_game(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path / "web.sqlite") as own:
        anna = Visitor(browser, own, "Anna", reduced_motion="reduce")
        page = anna.page
        start(page, "Trumps", "Play now")
        page.wait_for_selector(".hand .own.legal")
        cards = page.locator(".hand .own").count()
        for _ in range(2):
            page.locator(".hand .own.legal").first.click(position={"x": 6, "y": 12})
            cards -= 1
            page.wait_for_function(MY_TURN_WITH, arg=cards)
        own.kill()
        page.wait_for_selector(".wire[data-state='off']")
        page.locator(".hand .own.legal").first.click(position={"x": 6, "y": 12})
        own.start()
        page.wait_for_selector(".wire[data-state='on']")
        page.wait_for_function("cards => document.querySelectorAll('.hand .own').length === cards - 1", arg=cards)
        for _ in range(400):
            if anna.play(1):
                break
        assert anna.over, page.locator("#turn").inner_text()
        anna.close()


def test_dead_connection_is_noticed_and_the_move_is_made(browser: Any, server: Server) -> None:
    """As after sleep or in another network: the socket looks open, and nothing comes through."""
    anna = Visitor(browser, server, "Anna", reduced_motion="reduce")
    page = anna.page
    dead: list[bool] = []
    sockets: list[Any] = []

    def wire(socket: Any) -> None:
        sockets.append(socket)
        other, mine = socket.connect_to_server(), len(sockets)
        socket.on_message(lambda text: None if dead and mine == 1 else other.send(text))
        other.on_message(lambda text: None if dead and mine == 1 else socket.send(text))

    page.route_web_socket("**/ws/table/*", wire)
    page.clock.install()
    start(page, "Hearts", "Play now")
    page.wait_for_selector(".hand .own.legal")
    dead.append(True)
    page.locator(".hand .own.legal").first.click(position={"x": 6, "y": 12})
    page.evaluate("dispatchEvent(new Event('online'))")
    page.clock.fast_forward(9_000)
    page.wait_for_function("() => document.querySelectorAll('.hand .own').length === 12")
    assert len(sockets) == 2
    anna.close()


def test_host_lets_the_network_in_and_a_friend_sits_down(browser: Any, tmp_path: Path) -> None:
    if own_address() is None:
        pytest.skip("this machine is on no network")
    with serving(tmp_path / "web.sqlite") as own:
        anna = Visitor(browser, own, "Anna", reduced_motion="reduce")
        host = anna.page
        start(host, "Trumps", "With friends")
        host.click("text=Set up the table")
        host.click("text=Let this network in…")
        host.click("text=Let them in")
        host.wait_for_selector("text=passphrase for drawing games")
        host.click("text=QR code")
        link = host.locator("dialog .link").inner_text()
        host.keyboard.press("Escape")
        assert link.startswith(f"http://{own_address()}:{own.port}/table/")
        friend = browser.new_context(viewport={"width": 390, "height": 780}, reduced_motion="reduce").new_page()
        friend.goto(link)
        friend.fill("#first-name", "Ben")
        friend.keyboard.press("Enter")
        friend.wait_for_selector(".hand .own")
        host.wait_for_selector(".seat >> text=Ben")
        friend.goto(link.partition("/table/")[0])
        friend.click("text=A trick-taking game")
        friend.wait_for_selector("#passphrase")
        friend.context.close()
        anna.page.goto(own.address)
        anna.page.click("text=A trick-taking game")  # who let them in may draw as before
        anna.page.wait_for_selector(".box.start")
        anna.close()


def test_table_fits_a_phone(browser: Any, server: Server) -> None:
    anna = Visitor(browser, server, "Anna", has_touch=True, reduced_motion="reduce")
    anna.page.set_viewport_size({"width": 390, "height": 780})
    start(anna.page, "Hearts", "Play now")
    anna.page.wait_for_selector(".hand .own.legal")
    width = anna.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    for place in anna.page.locator(".hand .own, .seat .plate, .bar button:visible").all():
        box = place.bounding_box()
        assert box is not None
        assert box["x"] >= -1
        assert box["x"] + min(box["width"], 20) <= 391
        assert box["y"] + min(box["height"], 40) <= 781
    anna.page.locator(".hand .own.legal").last.tap()
    anna.page.wait_for_function("() => document.querySelectorAll('.hand .own').length === 12")
    anna.page.goto(server.address)
    anna.page.tap("text=The smallest game")
    anna.page.wait_for_selector(".box.start")
    anna.page.locator(".plus").first.tap()
    anna.page.tap("dialog .brick:has(strong:text-is('Say something'))")
    anna.page.tap("dialog button.main")
    anna.page.wait_for_selector(".canvas .box:has-text('publish')")
    anna.close()


def test_table_can_be_played_by_keyboard(browser: Any, server: Server) -> None:
    anna = Visitor(browser, server, "Anna", reduced_motion="reduce")
    page = anna.page
    start(page, "Hearts", "Play now")
    page.wait_for_selector(".hand .own.legal")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.hand .own').length === 12")
    assert "You pass" in page.locator("#live").inner_text()
    page.keyboard.press("s")
    page.wait_for_selector(".scores")
    anna.close()


def test_cards_that_go_together_are_ticked_in_the_hand_and_on_the_table(browser: Any, server: Server) -> None:
    anna = Visitor(browser, server, "Anna", reduced_motion="reduce")
    page = anna.page
    table = page.evaluate(
        "async text => { const ask = async (path, body) => (await fetch(path, { method: 'POST', headers: {"
        " 'x-visitor': localStorage.getItem('fcdl.visitor'), 'content-type': 'application/json' },"
        " body: JSON.stringify(body) })).json(); const draft = await ask('/api/drafts', { text });"
        " return (await ask('/api/tables', { game: `draft-${draft.id}`, seats: ['person', 'random'] })).id; }",
        SETS,
    )
    page.goto(f"{server.address}/table/{table}")
    legal, ticked = page.locator("#hand .own.legal"), page.locator(".own.ticked")
    expect = sync_api.expect
    expect(legal).to_have_count(6)
    expect(page.locator("#choices button")).to_be_disabled()
    legal.nth(0).click(position={"x": 6, "y": 12})
    legal.nth(1).click(position={"x": 6, "y": 12})
    expect(ticked).to_have_count(2)
    expect(legal).to_have_count(2)
    ticked.nth(1).click(position={"x": 6, "y": 12})
    expect(ticked).to_have_count(1)
    page.keyboard.press("Enter")  # the card that was clicked still has the keyboard
    expect(ticked).to_have_count(2)
    page.click("#choices .choice.main")
    board = page.locator("#felt button.own.legal")
    expect(board).to_have_count(6)
    for number in range(3):
        board.nth(number).click(position={"x": 6, "y": 12})
        expect(ticked).to_have_count(number + 1)
    page.click("#choices .choice.main")
    expect(legal).to_have_count(7)
    legal.nth(0).click(position={"x": 6, "y": 12})
    expect(page.locator("#turn")).to_contain_text("win")
    anna.close()


def test_name_that_is_typed_before_the_script_has_loaded_stays(browser: Any, server: Server) -> None:
    context = browser.new_context()
    page = context.new_page()
    held: list[Any] = []
    page.route("**/files/lobby.js", lambda route: held.append(route))
    page.goto(server.address, wait_until="commit")
    page.fill("#name", "Zoe")
    held[0].continue_()
    page.wait_for_selector(".game")
    assert page.input_value("#name") == "Zoe"
    page.press("#name", "Tab")
    page.wait_for_function("() => localStorage.getItem('fcdl.name') === 'Zoe'")
    context.close()
