#!/bin/sh
# SPDX-License-Identifier: MIT
# configs/packaging/sbom.sh lists the packages of exactly those libraries that the loader loads when the program draws.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

if ! "$ODORI" version | grep -q '^build release'; then
    skip 'libraries of sanitizers are not those of a release'
    finish
    exit
fi
command -v dpkg-query >/dev/null || { skip 'dpkg-query is not installed'; finish; exit; }
command -v python3 >/dev/null || { skip 'python3 is not installed'; finish; exit; }
tiny_job
sh "$here/../../configs/packaging/sbom.sh" "$ODORI" >sbom.json 2>err || fail 'sbom.sh'
python3 -c 'import json
for part in json.load(open("sbom.json"))["components"]:
    print(part["name"])' | sort -u >listed
expect_file listed

# What the loader itself reports, for each way to draw that this machine has.
: >loaded
for gl in osmesa egl; do
    if [ $gl = egl ] && ls /dev/dri /dev/nvidia* >/dev/null 2>&1; then
        skip 'EGL may load the driver of a GPU, which is not listed'
        continue
    fi
    LD_DEBUG=files LD_DEBUG_OUTPUT=$work/loader.$gl "$ODORI" render tiny.yaml --frames 0-1 -q -y -o x.mp4 --set render.gl=$gl --sandbox off \
        >out 2>err || { echo "$gl does not draw here"; continue; }
    sed -n 's/.*calling init: \(\/.*\)$/\1/p' loader.$gl.* | grep -v '/gconv/' >>loaded
done
if ! grep -q 'libavcodec' loaded; then
    skip 'the loader does not report what it loads'
    finish
    exit
fi
# shellcheck disable=SC2016  # fields of dpkg-query
sort -u loaded | sed 's|^/usr/lib/|/lib/|; s|.*|&\n/usr&|' | xargs dpkg-query -S 2>/dev/null | sed 's/: .*//; s/,.*//' | xargs dpkg-query -W -f '${Package}\n' |
    sort -u >packages
missing=$(comm -13 listed packages)
if [ -z "$missing" ]; then pass; else fail "loaded, not listed: $missing"; fi
if grep -q OSMesa loaded && grep -q EGL loaded; then # else a driver is installed that is not tried
    more=$(comm -23 listed packages)
    if [ -z "$more" ]; then pass; else fail "listed, not loaded: $more"; fi
fi

# Each library that the program names is of a package that is listed.
readelf -d "$ODORI" 2>/dev/null | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' >needed
while read -r name; do
    if grep -q "/$name\$" loaded; then pass; else fail "$name is needed, not loaded"; fi
done <needed
finish
