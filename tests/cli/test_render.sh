#!/bin/sh
# SPDX-License-Identifier: MIT
# render: outputs, progress, exit status, stop.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# The demo was rendered when its directory was created.
ln -s "$ODORI_DEMO" demo
expect_file demo/film.mp4

small='--set render.size=[64,36] --set render.samples=1 --set shadows.map_size=256 --workers 1'
# shellcheck disable=SC2086  # several words
run 0 render demo/demo.yaml -o o.mp4 --frames 0-1 $small --progress json
expect_file o.mp4
expect_empty out
head -n 1 err >first
expect_text first '"event":"start","job":"odori-demo",'
expect_text first '"frames":2,"first":0,"last":1,'
if [ "$(grep -c '"event":"end"' err)" = 1 ]; then pass; else fail "not exactly one end event"; fi
tail -n 1 err >last
expect_text last '"event":"end","ok":true,"exit":0,"rendered":2,"skipped":0,"outputs":[{"file":"'

# shellcheck disable=SC2086
run 0 render demo/figure.pmx demo/dance.vmd demo/camera.vmd --frames 7-8 -o 'f/%05d.png' $small
expect_file f/00007.png
expect_file f/00008.png
expect_no_file f/00009.png
expect_text err '2 frames in '
expect_text err 'wrote '

# shellcheck disable=SC2086
run 73 render demo/demo.yaml --frames 0-1 -o demo/demo.yaml/o.mp4 $small
expect_text err 'odori: error: '
# shellcheck disable=SC2086
run 66 render demo/demo.yaml --set models.0.file=none.pmx -o x.mp4 $small --progress json
tail -n 1 err >last
expect_text last '"event":"end","ok":false,"exit":66,'
expect_no_file x.mp4

# A stop leaves no incomplete file; the program ends by the signal.
# shellcheck disable=SC2086
"$ODORI" render demo/demo.yaml -o s.mp4 $small -f 0-99999 --progress json >out 2>err &
pid=$!
tries=0
until grep -q '"event":"progress"' err || [ "$tries" = 2400 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -TERM "$pid"
wait "$pid" 2>/dev/null
got=$?
if [ "$got" = 143 ]; then pass; else fail "stopped with exit status $got, expected 143"; fi
expect_text err '"event":"end","ok":false,"exit":143,'
expect_no_file s.mp4
expect_no_temporaries .

finish
