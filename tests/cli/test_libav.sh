#!/bin/sh
# SPDX-License-Identifier: MIT
# The libraries of libav are opened when they are first needed, and their absence is one error.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job

# loads STATUS ARGUMENT...: runs odori and writes the files that the loader opens to `loaded`
loads() {
    rm -f loader.*
    LD_DEBUG=files LD_DEBUG_OUTPUT=$work/loader run "$@"
    cat loader.* 2>/dev/null | sed -n 's/.*calling init: //p' >loaded
}
# expect_unloaded: no library of libav was opened
expect_unloaded() {
    if grep -qE '/lib(av|sw)' loaded; then fail 'loads libav'; else pass; fi
}

loads 0 version
if ! grep -q '/libavcodec' loaded; then
    skip 'the loader does not report what it loads'
    finish
    exit
fi
expect_match() { if grep -qE "$1" out; then pass; else fail "no '$1'"; fi; }
expect_match '^libavcodec [0-9]+\.[0-9]+\.[0-9]+$'
expect_match '^libswscale [0-9]+\.[0-9]+\.[0-9]+$'
codec=$(sed -n 's/^libavcodec \([0-9]*\).*/libavcodec.so.\1/p' out)
path=$(grep "/$codec\$" loaded | sort -u)

loads 0 help
expect_unloaded
loads 0 schema
expect_unloaded
loads 0 info "$ODORI_DEMO/dance.vmd"
expect_unloaded
echo 'modles: []' >mistake.yaml
loads 78 check mistake.yaml
expect_unloaded

# A film needs them: in a sandbox, and from a directory that only the environment names.
mkdir lib
: >lib/"$codec"
export LD_LIBRARY_PATH="$work/lib"
run 0 help
run 78 check mistake.yaml
run 69 version
expect_one_error
expect_text err "$codec"
expect_empty out
run 69 render tiny.yaml -q --frames 0-1 -o film.mp4
expect_one_error
expect_text err "$codec"
expect_no_file film.mp4

cp "$path" "lib/$codec"
run 0 render tiny.yaml -q --frames 0-1 -o film.mp4
expect_file film.mp4
finish
