#!/bin/sh
# Installs the Debian packages and the firmware's tools that some tests need, and says so. Without
# them those tests skip, unless COMPANION_REQUIRE_TOOLS is set.
missing=""
command -v chromium-headless-shell >/dev/null 2>&1 || command -v chromium >/dev/null 2>&1 \
    || missing="$missing chromium"
command -v espeak-ng >/dev/null 2>&1 || missing="$missing espeak-ng"
command -v systemd-analyze >/dev/null 2>&1 || missing="$missing systemd"
command -v npm >/dev/null 2>&1 || missing="$missing nodejs npm"

# What MicroPython needs: its build for Node, and the stubs of the boards for mypy (never in the main
# environment, where they would hide the standard library).
firmware_tools() {
    here="$(cd "$(dirname "$0")/.." && pwd)"
    board="$here/tests/firmware/board"
    if [ ! -d "$board/node_modules/@micropython" ] && command -v npm >/dev/null 2>&1; then
        echo "tests: installing MicroPython for Node"
        npm ci --prefix "$board" --no-audit --no-fund --loglevel=error \
            || echo "tests: could not install MicroPython for Node"
    fi
    typings="$here/.venv/typings"
    if [ ! -e "$typings/machine.pyi" ] && [ -x "$here/.venv/bin/pip" ]; then
        echo "tests: installing the stubs of the boards"
        "$here/.venv/bin/pip" install --quiet --disable-pip-version-check --upgrade \
            --target "$typings" "micropython-esp32-stubs==1.27.*" \
            || echo "tests: could not install the stubs of the boards"
    fi
}

trap firmware_tools EXIT  # whatever becomes of the packages

[ -z "$missing" ] && exit 0
command -v apt-get >/dev/null 2>&1 || { echo "tests: no apt-get here to install:$missing"; exit 0; }
as_root=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || { echo "tests: no sudo here to install:$missing"; exit 0; }
    as_root="sudo"
fi
echo "tests: installing Debian packages:$missing"
$as_root apt-get update -qq || echo "tests: the list of packages may be old"
# Chromium without a window is smaller and quicker; older Debians have the whole one only.
if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
    missing="$(echo "$missing" | sed 's/ chromium/ chromium-headless-shell fonts-liberation/')"
fi
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null \
    || echo "tests: could not install:$missing"
exit 0
