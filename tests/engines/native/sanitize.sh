#!/usr/bin/env bash
# Builds the C engine with AddressSanitizer and UndefinedBehaviorSanitizer and runs the native tests on it; what the
# tests compile of charts is built with them, too.
# Usage: tests/engines/native/sanitize.sh [pytest arguments]; PYTHON names the interpreter.
set -euo pipefail
cd "$(dirname "$0")/../../.."
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A copy of the package with this build of the engine, so that nothing of the checkout changes.
cp -r fcdl tests games grammars asp pyproject.toml "$work/"
suffix=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
cd "$work"
rm -f fcdl/engines/native/*.so
abi=$("$python" -c 'import runpy; print(runpy.run_path("fcdl/engines/native/toolchain.py")["abi"]())')
export CC="gcc -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
$CC -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -DFCDL_ABI="\"$abi\"" -I"$include" fcdl/engines/native/*.c \
    -o "fcdl/engines/native/_engine$suffix"
# Python itself is not built with the sanitizers, so they are loaded first, and its own leaks are not ours.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
    PYTHONPATH="$work" "$python" -m pytest -q -p no:cacheprovider tests/engines/native "$@"
