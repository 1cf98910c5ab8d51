#!/bin/sh
# SPDX-License-Identifier: MIT
# The OpenGL backends, and films whose frames another renderer has drawn.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
small='--set render.size=[64,36] --set render.samples=1 --set shadows.map_size=256
       --set models.0.physics=false --set audio=null -f 0-2 --workers 1 --progress plain'

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

# What doctor says of each, and where there is none.
run 0 doctor
expect_text out "$renderer"
expect_text out '; the default'
run 0 doctor --json
expect_text out '"default":true,"error":null}'
run 2 doctor me
LD_LIBRARY_PATH=no_gl run 69 doctor
expect_text out 'missing: no OpenGL 4.5: nothing can be drawn'
expect_text out '    install libegl1 and libegl-mesa0, or libosmesa6'
LD_LIBRARY_PATH=no_gl run 69 doctor --json
expect_text out '"renderer":null'

# A font without Japanese is none for it.
latin=$(find /usr/share/fonts -name DejaVuSans.ttf 2>/dev/null | head -n 1)
if [ -n "$latin" ] && "$ODORI" doctor | grep -q 'fontconfig [0-9]'; then
    echo "<fontconfig><dir>$(dirname "$latin")</dir></fontconfig>" >latin.conf
    FONTCONFIG_FILE=$work/latin.conf run 0 doctor
    expect_text out 'for Japanese: none'
    expect_text out 'missing: no font for Japanese: titles and subtitles show boxes'
else
    skip "no fontconfig, or no font without Japanese"
fi

# gpu takes a device that is no software renderer, and says of each why it is none: with a false libEGL that forwards to
# the one of this machine.
real=$("${CC:-cc}" -print-file-name=libEGL.so.1 2>/dev/null)
for gpu in 0 1; do
    mkdir "gpu$gpu"
    "${CC:-cc}" -shared -fPIC -DGPU=$gpu -DREAL="\"$real\"" -o "gpu$gpu/libEGL.so.1" "$here/egl.c" -ldl 2>err
done
if [ -s gpu1/libEGL.so.1 ] && LD_LIBRARY_PATH=gpu1 "$ODORI" doctor | grep -q '^  device 0  *[^ ]*.*; on the CPU'; then
    small="$small --sandbox off"
    LD_LIBRARY_PATH=gpu1 run 0 doctor
    grep -q '^  device 1  *[^;]*, Test GPU$' out || fail 'doctor does not list the GPU'
    expect_text out 'slow or less safe: films are drawn on the CPU, beside a GPU ('
    expect_text out '    --gl gpu, or render: { gl: gpu } in the job'
    LD_LIBRARY_PATH=gpu1 run 0 doctor --json
    expect_text out 'Test GPU","software":false,"default":false,"error":null}'
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=gpu1 run 0 render demo/demo.yaml $small -v --gl gpu -o gpu.sha256
    expect_text err ', Test GPU'
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=gpu1 run 0 render demo/demo.yaml $small -v --set render.device=1 -o device.sha256
    expect_text err ', Test GPU'
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=gpu1 run 0 render demo/demo.yaml $small -v --gl egl -o egl2.sha256
    if grep -q 'Test GPU' err; then fail 'egl asks a device before the surfaceless platform'; else pass; fi
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=gpu0 run 69 render demo/demo.yaml $small --gl gpu -o none.sha256
    expect_text err 'no GPU for render.gl: gpu: device 0 is a software renderer, '
    expect_one_error
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=gpu1 run 69 render demo/demo.yaml $small --gl gpu --set render.device=0 -o none.sha256
    expect_text err 'device 0 is a software renderer, '
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=gpu1 run 69 render demo/demo.yaml $small --gl gpu --set render.device=2 -o none.sha256
    expect_text err 'there is no device 2 of 2'
    expect_no_file none.sha256
else
    skip 'no false libEGL can be built and used here'
fi

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
