#!/bin/sh
# Installs the Debian packages that some tests need, and says so. Without them those tests skip,
# unless COMPANION_REQUIRE_TOOLS is set.
missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
command -v espeak-ng >/dev/null 2>&1 || missing="$missing espeak-ng"
command -v systemd-analyze >/dev/null 2>&1 || missing="$missing systemd"
[ -z "$missing" ] && exit 0
command -v apt-get >/dev/null 2>&1 || { echo "tests: no apt-get here to install:$missing"; exit 0; }
as_root=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || { echo "tests: no sudo here to install:$missing"; exit 0; }
    as_root="sudo"
fi
echo "tests: installing Debian packages:$missing"
$as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing \
    || echo "tests: could not install:$missing"
exit 0
