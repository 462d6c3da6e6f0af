"""The start screen: choose a game, read what it is about, set it up, or continue a saved one."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from fcdl.errors import FcdlError
from fcdl.language.diagnostics import ChartError
from fcdl.language.saying import spaced
from fcdl.ui.app import ThemedApp
from fcdl.ui.background import in_background
from fcdl.ui.opponents import shown_name
from fcdl.ui.session import HUMAN
from fcdl.ui.setup import Offer, Setting, Setup, game_title, offers, value_name
from fcdl.ui.store import Kept, kept_games

Choice = Setup | Kept
MOST_KEPT = 5
"""Of more kept games the older ones stand below the games that can be begun."""
LIST_KEYS = "↑↓ choose  enter or → set up  q quit"
KEPT_KEYS = "↑↓ choose  enter continue  d delete the game  q quit"
SETTING_KEYS = "↑↓ choose  ←→ or type: change  enter play  esc back  ctrl+t colours"


class SettingsView(VerticalScroll, can_focus=True):
    """The settings of a game, with a cursor."""

    class Ready(Message):
        """The person wants to play."""

    class Back(Message):
        """The person wants another game."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.setup: Setup | None = None
        self.cursor = 0

    def compose(self) -> ComposeResult:
        """One text for everything."""
        yield Static(id="words")
        yield Static(id="settings")
        yield Static(id="meaning")

    def show(self, setup: Setup | None, words: RenderableType) -> None:
        """Shows another game, or only words."""
        self.setup = setup
        self.cursor = 0
        self.query_one("#words", Static).update(words)
        self.draw()
        self.scroll_home(animate=False)

    def draw(self) -> None:
        """Draws the settings anew."""
        rows: RenderableType = ""
        meaning = ""
        if self.setup is not None:
            settings = self.setup.settings()
            rows = settings_table(settings, self.cursor if self.has_focus else None)
            meaning = settings[self.cursor].explained if self.has_focus else ""
        self.query_one("#settings", Static).update(rows)
        self.query_one("#meaning", Static).update(Text(meaning))

    def watch_has_focus(self, has_focus: bool) -> None:
        """Shows or hides the cursor."""
        super().watch_has_focus(has_focus)
        if self.is_mounted:
            self.draw()

    def on_key(self, event: events.Key) -> None:
        """Moves the cursor or changes a value."""
        if self.setup is None:
            return
        settings = self.setup.settings()
        setting = settings[self.cursor]
        match event.key:
            case "up" | "down":
                self.cursor = (self.cursor + (1 if event.key == "down" else -1)) % len(settings)
            case "left" | "right":
                setting.step(1 if event.key == "right" else -1)
            case "backspace" if not setting.words:
                setting.value = str(max(setting.low, int(setting.value) // 10))
            case "enter":
                self.post_message(self.Ready())
            case "escape" | "shift+tab":
                self.post_message(self.Back())
            case _ if event.character is not None and setting.type(event.character):
                pass
            case _:
                return
        event.stop()
        event.prevent_default()
        self.draw()
        self.call_after_refresh(self._show_cursor)

    def _show_cursor(self) -> None:
        top = self.query_one("#settings").virtual_region.y
        line = top + self.cursor
        if not self.scroll_y <= line < self.scroll_y + self.size.height - 1:
            self.scroll_to(y=max(0, line - self.size.height // 2), animate=False)


def settings_table(settings: list[Setting], cursor: int | None) -> Table:
    """A line for each setting: its name, its value between arrows, its meaning."""
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False, show_edge=False)
    table.add_column(no_wrap=True, min_width=2 + max(len(spaced(setting.name)) for setting in settings))
    table.add_column(no_wrap=True, min_width=4 + max(len(spaced(setting.value)) for setting in settings))
    table.add_column(style="dim")
    for number, setting in enumerate(settings):
        here = number == cursor
        value = value_name(setting.value)
        table.add_row(
            Text(f"{'▸' if here else ' '} {spaced(setting.name)}"),
            Text(f"‹ {value} ›" if here else f"  {value}", "bold reverse" if here else "bold"),
            Text(setting.meaning, overflow="ellipsis", no_wrap=True),
        )
    return table


def kept_words(kept: Kept) -> Group:
    """A game that can be continued: who plays, the scores, and when it was left."""
    head = kept.head
    table = Table("", "", "score", box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    scores = head.scores if len(head.scores) == len(head.seats) else ("",) * len(head.seats)
    for seat, (name, score) in enumerate(zip(head.seats, scores, strict=True)):
        person = head.people[seat] if len(head.people) == len(head.seats) else ""
        table.add_row(person or f"seat {seat}", value_name(shown_name(name)), Text(score, "bold", justify="right"))
    told = Text(f"{kept.moves}, last played {kept.when}", "dim")
    return Group(Text(f"{game_title(head.game)}, not over yet", "bold"), told, Text(""), table)


class StartApp(ThemedApp[Choice]):
    """Ends with what was chosen; None if the person leaves."""

    CSS = """
    #title { height: 1; background: $primary-darken-2; color: $text; text-style: bold; padding: 0 1; }
    #games {
        width: 26; height: 1fr; border: round $primary; scrollbar-size: 1 1;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    #setup { width: 1fr; height: 1fr; border: round $primary; padding: 0 1; scrollbar-size: 1 1; }
    #games:focus, #setup:focus { border: round $accent; }
    #setup Static { height: auto; }
    #words { margin-bottom: 1; }
    #meaning { dock: bottom; width: 100%; background: $boost; }
    #footer { height: 1; color: $text-muted; padding: 0 1; }
    """

    def __init__(self, folder: Path, theme: str = "dark", wanted: str | None = None, trouble: str = "") -> None:
        """`wanted` is the game whose settings are open at first, `trouble` what is told at first."""
        super().__init__(theme)
        self.trouble = trouble
        self.kept = kept_games()
        self.offers = offers(folder)
        if wanted is not None and wanted not in [offer.name for offer in self.offers]:
            self.offers.append(Offer(wanted, Path(wanted)))
        self.wanted = wanted
        self.setups: dict[str, Setup] = {}
        self._dropping: Kept | None = None

    def compose(self) -> ComposeResult:
        """A list beside the settings."""
        yield Static("fcdl: choose a game", id="title")
        with Horizontal():
            yield OptionList(*self._options(), id="games")
            yield SettingsView(id="setup")
        yield Static(LIST_KEYS, id="footer")

    def _options(self) -> list[Option | None]:
        kept: list[Option | None] = [
            Option(Text(f"▸ {game_title(one.head.game)}, {one.moves}"), id=f"kept {number}")
            for number, one in enumerate(self.kept)
        ]
        older = [None, Option("older games", disabled=True), *kept[MOST_KEPT:]] if len(kept) > MOST_KEPT else []
        if kept:
            kept = [Option("saved games", disabled=True), *kept[:MOST_KEPT], None]
        games: list[Option | None] = []
        for group, offered in groupby(enumerate(self.offers), key=lambda offer: offer[1].group):
            games.append(Option(group, disabled=True))
            games += [Option(Text(f" {offer.title}"), id=f"offer {number}") for number, offer in offered]
        return kept + games + older

    def on_mount(self) -> None:
        """Opens the settings of the wanted game."""
        games = self.query_one("#games", OptionList)
        first = next((number for number, offer in enumerate(self.offers) if offer.name == self.wanted), None)
        if first is not None:
            games.highlighted = games.get_option_index(f"offer {first}")
        games.focus()
        if self.trouble:
            self.notify(self.trouble, severity="error", timeout=15)

    def _chosen(self) -> Offer | Kept | None:
        games = self.query_one("#games", OptionList)
        if games.highlighted is None:
            return None
        kind, _, number = (games.get_option_at_index(games.highlighted).id or "").partition(" ")
        return self.kept[int(number)] if kind == "kept" else self.offers[int(number)]

    def on_option_list_option_highlighted(self) -> None:
        """Shows the game under the cursor."""
        self._dropping = None
        self._tell(KEPT_KEYS if isinstance(self._chosen(), Kept) else LIST_KEYS)
        self._show_chosen()

    @work(exclusive=True)
    async def _show_chosen(self) -> None:
        chosen, view = self._chosen(), self.query_one(SettingsView)
        if isinstance(chosen, Kept):
            view.show(None, kept_words(chosen))
        elif chosen is not None:
            try:
                if chosen.name not in self.setups:
                    self.setups[chosen.name] = await in_background(chosen.setup)
            except (FcdlError, ChartError) as error:
                view.show(None, Text(f"This chart cannot be played (see fcdl check):\n\n{error}"))
                return
            setup = self.setups[chosen.name]
            title = Text(setup.flowchart.title if setup.flowchart.title.isprintable() else chosen.title, "bold")
            view.show(setup, Group(title, *map(Text, setup.words())))
            if chosen.name == self.wanted:
                self.wanted = None
                view.focus()
                self._tell(SETTING_KEYS)

    def on_option_list_option_selected(self) -> None:
        """Continues a saved game, or goes to the settings."""
        chosen = self._chosen()
        if isinstance(chosen, Kept):
            self.exit(chosen)
        else:
            self._to_settings()

    def _to_settings(self) -> None:
        view = self.query_one(SettingsView)
        if view.setup is not None:
            view.focus()
            self._tell(SETTING_KEYS)

    def on_settings_view_back(self) -> None:
        """Back to the list."""
        self.query_one("#games").focus()
        self._tell(LIST_KEYS)

    def on_settings_view_ready(self) -> None:
        """Ends with the game as it is set, if it can be played so."""
        setup = self.query_one(SettingsView).setup
        assert setup is not None
        if all(seat.value != HUMAN for seat in setup.seats):
            self._tell("You have no seat: set one of them to 'you'.")
            return
        try:
            setup.game()
        except FcdlError as error:
            self._tell(str(error))
            return
        self.exit(setup)

    def on_key(self, event: events.Key) -> None:
        """Quits, drops a kept game, or goes to the settings."""
        in_list = self.query_one("#games").has_focus
        if event.key == "ctrl+q" or (event.key in ("q", "escape") and in_list):
            self.exit(None)
        elif event.key in ("right", "tab") and in_list:
            event.prevent_default()
            self._to_settings()
        elif event.key == "d" and in_list:
            self._drop()

    def _drop(self) -> None:
        chosen = self._chosen()
        if not isinstance(chosen, Kept):
            return
        if self._dropping is not chosen:
            self._dropping = chosen
            self._tell("Press d again to delete this game for good.")
            return
        chosen.path.unlink(missing_ok=True)
        self.kept.remove(chosen)
        games = self.query_one("#games", OptionList)
        games.clear_options()
        games.add_options(self._options())
        games.highlighted = next(
            number for number in range(games.option_count) if not games.get_option_at_index(number).disabled
        )

    def _tell(self, text: str) -> None:
        self.query_one("#footer", Static).update(Text(text))
