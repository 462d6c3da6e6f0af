#!/usr/bin/env bash
# Builds the C engine with AddressSanitizer and UndefinedBehaviorSanitizer and runs the native tests on it.
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
gcc -std=gnu11 -g -O1 -fno-omit-frame-pointer -Wall -Wextra -Werror -fsanitize=address,undefined \
    -fno-sanitize-recover=all -shared -fPIC -I"$include" fcdl/engines/native/*.c \
    -o "fcdl/engines/native/_engine$suffix"
# Python itself is not built with the sanitizers, so they are loaded first, and its own leaks are not ours.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
    PYTHONPATH="$work" "$python" -m pytest -q -p no:cacheprovider tests/engines/native "$@"
