"""Files of policies: one line that says what it is, one of JSON, and the numbers of the network.

A file may come from anywhere: nothing in it is executed, its sizes are bounded before room is made for them, and it
must fit the chart that it is for.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fcdl.data import data_path
from fcdl.engines.native.constants import MAX_HIDDEN, MAX_INPUTS, MAX_OUTPUTS
from fcdl.errors import FcdlError
from fcdl.learning.network import NetworkPolicy, Weights
from fcdl.learning.view import View, checked
from fcdl.model.game import Game

FIRST_LINE = b"fcdl policy 1\n"
LONGEST_HEADER = 1_000_000
LARGEST = 32_000_000
"""Bytes of the numbers."""
SUFFIX = ".policy"


class PolicyError(FcdlError):
    """A file that is no policy, or none for this game."""

    exit_code = 2


@dataclass(frozen=True)
class PolicyFile:
    """What is in a file: the chart's hash and the players that it is for, the network, and how it was made."""

    chart: str
    players: int
    view: View
    weights: Weights
    temperature: float
    unit: str
    """What worths are in: points, or wins."""
    made: dict[str, Any]
    """How: the command, seeds, rounds, what it brought. For people."""

    def policy(self, game: Game, name: str = "learned") -> NetworkPolicy:
        """The policy for a game; raises PolicyError if it is for another one."""
        if self.chart != game.flowchart.hash:
            raise PolicyError(f"this policy is for another chart than {game.flowchart.title}, or another version of it")
        if self.players != game.players:
            raise PolicyError(f"this policy is for {self.players} players, not {game.players}")
        policy = NetworkPolicy(game, self.view, self.weights, self.temperature, name)
        try:
            checked(self.view, game)
            self.view.parts(game)
        except (ValueError, OverflowError, TypeError) as error:
            raise PolicyError(f"this policy does not fit the chart: {error}") from None
        return policy

    def to_bytes(self) -> bytes:
        """The file."""
        numbers = b"".join(array.astype("<f2").tobytes() for array in self.weights.arrays())
        header = {
            "chart": self.chart,
            "players": self.players,
            "unit": self.unit,
            "temperature": self.temperature,
            "hidden": self.weights.hidden,
            "made": self.made,
            "sha256": hashlib.sha256(numbers).hexdigest(),
            "view": self.view.to_json(),
        }
        return FIRST_LINE + json.dumps(header, separators=(",", ":")).encode() + b"\n" + zlib.compress(numbers, 9)

    def write(self, path: Path) -> None:
        """Writes the file, whole or not at all."""
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_bytes(self.to_bytes())
        beside.replace(path)


def rounded(weights: Weights) -> Weights:
    """As they are after they were written and read."""
    return Weights(*(array.astype("<f2").astype(np.float32) for array in weights.arrays()))


def read_policy(path: Path) -> PolicyFile:
    """The file at a path; raises PolicyError."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + LONGEST_HEADER + 1)
    except OSError as error:
        raise PolicyError(f"{path}: {error.strerror or error}") from None
    return parse_policy(data, str(path))


def parse_policy(data: bytes, where: str) -> PolicyFile:
    """The bytes of a file; raises PolicyError."""
    if not data.startswith(FIRST_LINE):
        raise PolicyError(f"{where}: not a policy of this version of fcdl ('fcdl learn' makes them)")
    end = data.find(b"\n", len(FIRST_LINE), len(FIRST_LINE) + LONGEST_HEADER)
    if end < 0:
        raise PolicyError(f"{where}: the file is cut off")
    try:
        header = json.loads(data[len(FIRST_LINE) : end])
        return _parsed(header, data[end + 1 :], where)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError, MemoryError):
        raise PolicyError(f"{where}: the file is damaged") from None


def _parsed(header: dict[str, Any], packed: bytes, where: str) -> PolicyFile:
    view, hidden, temperature = View.from_json(header["view"]), int(header["hidden"]), float(header["temperature"])
    inputs, outputs = view.inputs, view.outputs
    sizes_fit = 0 < inputs <= MAX_INPUTS and 0 < outputs <= MAX_OUTPUTS and 0 < hidden <= MAX_HIDDEN
    shapes = Weights.shapes(inputs, hidden, outputs) if sizes_fit else ()
    count = sum(math.prod(shape) for shape in shapes)
    if not sizes_fit or 2 * count > LARGEST or not 0 < temperature < 1e6:
        raise PolicyError(f"{where}: the network is too large, or has no temperature")
    numbers = zlib.decompressobj().decompress(packed, 2 * count + 1)
    if len(numbers) != 2 * count or hashlib.sha256(numbers).hexdigest() != header["sha256"]:
        raise PolicyError(f"{where}: the file is cut off or damaged")
    found, arrays = np.frombuffer(numbers, "<f2").astype(np.float32), []
    if not np.isfinite(found).all():
        raise PolicyError(f"{where}: the file is damaged")
    for shape in shapes:
        arrays.append(found[: math.prod(shape)].reshape(shape).copy())
        found = found[math.prod(shape) :]
    made = header["made"]
    if not isinstance(made, dict):
        raise TypeError
    return PolicyFile(
        str(header["chart"]), int(header["players"]), view, Weights(*arrays), temperature, str(header["unit"]), made
    )


def shipped(game: Game) -> PolicyFile | None:
    """The policy that comes with fcdl for a game; None if there is none for this chart and number of players."""
    try:
        file = parse_policy(data_path("games", f"{game.name}-{game.players}{SUFFIX}").read_bytes(), game.name)
    except (OSError, ValueError, PolicyError):
        return None
    return file if file.chart == game.flowchart.hash and file.players == game.players else None
