#!/usr/bin/env bash
# Coverage-guided fuzzing of the C engine: its program loader, its interpreter and damaged positions, built by clang with
# AddressSanitizer, UndefinedBehaviorSanitizer and libFuzzer's instrumentation, driven by atheris.
# Usage: tests/fuzz/engine.sh [seconds]; PYTHON names the interpreter, which needs fcdl and the extra `[fuzz]`.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-.venv/bin/python}
python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r fcdl tests games grammars asp pyproject.toml "$work/"
cd "$work"
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
abi=$("$python" -c 'import runpy; print(runpy.run_path("fcdl/engines/native/toolchain.py")["abi"]())')
rm -f fcdl/engines/native/*.so
"${CLANG:-clang}" -std=gnu11 -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link \
    -fno-sanitize-recover=undefined -Wno-psabi -shared -fPIC -DFCDL_ABI="\"$abi\"" -I"$include" fcdl/engines/native/*.c \
    -o "fcdl/engines/native/_engine$suffix"
LD_PRELOAD="$("$python" -c 'import atheris; print(atheris.path())')/asan_with_fuzzer.so" \
    ASAN_OPTIONS=detect_leaks=0 PYTHONPATH="$work" "$python" -m tests.fuzz engine --guided --seconds "${1:-60}"
