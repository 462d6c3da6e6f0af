"""`python -m tests.fuzz TARGET ...`: attacks the readers of strangers' files and the C engine, and says what it found.

Without --guided the inputs are mutations of the seeds in tests/fuzz/corpus, the same each time: --first is the number
of the first one. With --guided atheris (libFuzzer) looks for inputs that reach new code; it needs the extra `[fuzz]`.
`tests/fuzz/engine.sh` does that for the C engine, built with sanitizers. What makes a target fail is kept in a file.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
import traceback
from pathlib import Path

from tests.fuzz.mutate import CORPUS, mutated, seeds

NAMES = sorted(path.name for path in CORPUS.iterdir())


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help=f"what to attack: {', '.join(NAMES)} (default: all)")
    parser.add_argument("--runs", type=int, default=1000, help="inputs for each target")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--guided", action="store_true", help="with atheris")
    parser.add_argument("--seconds", type=int, default=60, help="for how long, with --guided")
    parser.add_argument("--found", type=Path, default=Path("/tmp/fcdl-fuzz"), help="folder for what was found")
    given = parser.parse_args()
    targets = given.targets or NAMES
    if unknown := set(targets) - set(NAMES):
        parser.error(f"no target {', '.join(unknown)}")
    given.found.mkdir(parents=True, exist_ok=True)
    if given.guided:
        if len(targets) != 1:
            parser.error("--guided attacks one target at a time")
        guided(targets[0], given.seconds, given.found)
    else:
        sys.exit(plain(targets, given.first, given.runs, given.found))


def plain(targets: list[str], first: int, runs: int, found: Path) -> int:
    """Mutated seeds; the exit code says whether one of them did harm."""
    from tests.fuzz.targets import attack

    harm = 0
    for target in targets:
        before, worst = time.process_time(), 0.0
        for number in range(first, first + runs):
            data, start = mutated(target, number), time.process_time()
            try:
                attack(target, data)
            except Exception:
                harm += 1
                (found / f"{target}-{number}").write_bytes(data)
                print(f"{target} {number}:", file=sys.stderr)
                traceback.print_exc()
            worst = max(worst, time.process_time() - start)
        spent = time.process_time() - before
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{target}: {runs} inputs from {first}, {harm} faults so far, {spent:.0f} s of processor time, "
            f"the slowest {worst:.2f} s, peak memory {memory} MB",
            flush=True,
        )
    return 1 if harm else 0


def guided(target: str, seconds: int, found: Path) -> None:
    """Inputs that reach new code."""
    import atheris  # type: ignore[import-untyped]

    with atheris.instrument_imports(include=["fcdl"]):
        from tests.fuzz.targets import attack

    seeds(target)
    work = found / f"corpus-{target}"
    work.mkdir(exist_ok=True)
    limits = [f"-max_total_time={seconds}", "-timeout=900", "-rss_limit_mb=4096", "-max_len=20000"]
    command = [sys.argv[0], str(work), str(CORPUS / target), f"-artifact_prefix={found}/{target}-", *limits]
    atheris.Setup(command, lambda data: attack(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
