#!/bin/sh
# SPDX-License-Identifier: MIT
# The OpenGL backends, and films whose frames another renderer has drawn.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
small='--set render.size=[64,36] --set render.samples=1 --set shadows.map_size=256
       --set models.0.physics=false -f 0-2 --workers 1 --progress plain'

# A library that cannot be opened: an empty file that the loader finds first.
mkdir no_osmesa no_gl
: >no_osmesa/libOSMesa.so.8
cp no_osmesa/libOSMesa.so.8 no_gl/libOSMesa.so.8
: >no_gl/libEGL.so.1

# The version of OpenGL: the same with and without JSON; not an error where there is none.
run 0 version
grep '^OpenGL: [A-Za-z]*, ' out >line || fail "no line of OpenGL"
renderer=$(sed 's/^OpenGL: [A-Za-z]*, //' line)
run 0 version --json
expect_text out "\"renderer\":\"$renderer\""
LD_LIBRARY_PATH=no_gl run 0 version
expect_text out 'OpenGL: not available'
LD_LIBRARY_PATH=no_gl run 0 version --json
expect_text out '"gl":null,"renderer":null'

# auto: EGL where OSMesa cannot be opened, and an error that names the packages where neither can.
if LD_LIBRARY_PATH=no_osmesa "$ODORI" version | grep -q 'OpenGL: EGL, '; then
    # shellcheck disable=SC2086  # several words
    LD_LIBRARY_PATH=no_osmesa run 0 render demo/demo.yaml $small -v -o egl.sha256
    expect_text err 'OpenGL: EGL, '
    # shellcheck disable=SC2086
    run 0 render demo/demo.yaml $small -v --gl egl -o named.sha256
    expect_text err "OpenGL: EGL, "
else
    skip "this machine has no EGL"
fi
# shellcheck disable=SC2086
LD_LIBRARY_PATH=no_gl run 69 render demo/demo.yaml $small -o none.sha256
expect_text err 'OSMesa: '
expect_text err 'EGL: '
expect_text err 'install libegl1 and libegl-mesa0, or libosmesa6'
# shellcheck disable=SC2086
LD_LIBRARY_PATH=no_gl run 69 render demo/demo.yaml $small --gl osmesa -o none.sha256
# shellcheck disable=SC2086
run 2 render demo/demo.yaml $small --gl metal -o none.sha256
expect_text err 'auto'

# A film that another renderer has begun: refused by a run and by a shard, with both named.
# shellcheck disable=SC2086
run 0 render demo/demo.yaml $small -v -o film/%02d.png
expect_text err "$renderer"
record=film/.%02d.png.odori/renderers.txt
if [ "$(cat "$record")" = "$renderer" ]; then pass; else fail "$record is $(cat "$record")"; fi
echo 'Mesa 9.0.1, softpipe' >"$record"
# shellcheck disable=SC2086
run 0 render demo/demo.yaml $small -o film/%02d.png # complete: draws nothing
rm film/01.png
# shellcheck disable=SC2086
run 73 render demo/demo.yaml $small -o film/%02d.png
expect_text err "was drawn by Mesa 9.0.1, softpipe, and this machine draws with $renderer;"
expect_text err '--accept-renderer'
# shellcheck disable=SC2086
run 73 render demo/demo.yaml $small -o film/%02d.png --shard 2/2
expect_no_file film/01.png

# Accepted once, it stays accepted; --overwrite starts with this renderer alone.
# shellcheck disable=SC2086
run 0 render demo/demo.yaml $small -o film/%02d.png --accept-renderer
expect_file film/01.png
printf 'Mesa 9.0.1, softpipe\n%s\n' "$renderer" | expect_content "$record"
rm film/02.png
# shellcheck disable=SC2086
run 0 render demo/demo.yaml $small -o film/%02d.png
# shellcheck disable=SC2086
run 0 render demo/demo.yaml $small -o film/%02d.png --overwrite
echo "$renderer" | expect_content "$record"
finish
