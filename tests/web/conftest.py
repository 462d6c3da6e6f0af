from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the extra [web] is not installed")
pytest.importorskip("websockets", reason="the extra [web] is not installed")

from tests.web.serving import Person, Server, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("web") / "web.sqlite") as one:
        yield one


@pytest.fixture
def anna(server: Server) -> Person:
    return Person(server, "Anna")


@pytest.fixture
def ben(server: Server) -> Person:
    return Person(server, "Ben")
