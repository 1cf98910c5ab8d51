#!/bin/sh
# SPDX-License-Identifier: MIT
# --json of verbs that do something: one object about outputs, times, messages and versions, also after each kind of
# error; run() compares every object with its schema.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job

sum() { sha256sum "$1" | cut -d ' ' -f 1; }

run 0 render tiny.yaml --json -q
expect_empty err
expect_text out '{"verb":"render","ok":true,"exit":0,"job":"tiny","frames":20,"rendered":20,"skipped":0,'
expect_text out "{\"file\":\"film.mp4\",\"bytes\":$(wc -c <film.mp4),\"sha256\":\"$(sum film.mp4)\",\"frames\":20,\"seconds\":4}"
for stage in load render join evaluate encode; do
    expect_text out "{\"stage\":\"$stage\",\"seconds\":"
done
expect_text out '"errors":[],"warnings":[]'
expect_text out '"text":null,"versions":{"odori":"'

# Files of a finished run are those of a run that did nothing; a sequence has its bytes and no digest.
run 0 render tiny.yaml --json -q
expect_text out '"rendered":0,'
expect_text out "\"sha256\":\"$(sum film.mp4)\""
run 0 render tiny.yaml --json -q -f 0-2 -o 'stills/%03d.png'
expect_text out "{\"file\":\"$work/stills/%03d.png\",\"bytes\":$(cat stills/*.png | wc -c),\"sha256\":\"$(cat stills/*.png | sha256sum | cut -d ' ' -f 1)\",\"frames\":3,"
run 0 tiny.yaml --json -q -o other.mkv --set audio.offset_s=2
expect_text out '"file":"'"$work"'/other.mkv"'

# More outputs than a table of fixed size would have.
list=
for i in $(seq 16); do list="$list{ file: many/$i.sha256 },"; done
sed "s|^outputs:.*|outputs: [ ${list%,} ]|" tiny.yaml >many.yaml
echo 'previews: [ { type: sheet, file: many/sheet.png, cells: [2, 2] }, { type: still, file: many/still.png, frame: 3 } ]' >>many.yaml
run 0 render many.yaml --json -q
if [ "$(grep -c '"file":"many/' out)" = 18 ]; then pass; else fail 'not all outputs are listed'; fi

# --progress json has the same outputs in its last line.
run 0 render tiny.yaml --progress json
expect_text err "\"sha256\":\"$(sum film.mp4)\",\"frames\":20,\"seconds\":4}"

# Other verbs that write files.
run 0 preview tiny.yaml -o sheet.png --json -q
expect_text out "{\"file\":\"sheet.png\",\"bytes\":$(wc -c <sheet.png),\"sha256\":\"$(sum sheet.png)\""
run 0 bake tiny.yaml -o tiny.bake --json -q
expect_text out "\"sha256\":\"$(sum tiny.bake)\""
run 0 export "$ODORI_DEMO/demo.yaml" -f 0-1 -o dance.vmd --json -q
expect_text out "\"sha256\":\"$(sum dance.vmd)\""

# What a verb prints as text is a member.
run 0 render tiny.yaml --dump-config
cp out config.yaml
run 0 render tiny.yaml --dump-config --json
expect_text out '"text":"version: 1\u000aname: \"tiny\"'
run 0 submit tiny.yaml --to slurm --shards 2 --json
expect_text out '"text":"#!/bin/sh'
run 0 help render --json
expect_text out '"text":"usage: odori render '
"$ODORI" schema result --json >out
# shellcheck disable=SC2016  # a key of JSON Schema
expect_text out '"$id":"urn:odori:schema:result:1"'

# Errors: of the command line, also before --json, of a job with its place and hint, of a missing and of a damaged
# file, of a file that exists; of a verb with an object of its own, too.
run 2 render --bogus --json
expect_text out '{"verb":"render","ok":false,"exit":2,'
expect_text out "\"code\":\"usage\",\"file\":null,\"line\":null,\"column\":null,\"message\":\"unknown flag '--bogus'\",\"hint\":\"see 'odori help'\""
"$ODORI" rendr --json >out 2>err
expect_text out '{"verb":null,"ok":false,"exit":2,'
expect_json result out
sed 's/fps: 5/fsp: 5/' tiny.yaml >typo.yaml
for verb in render plan status preview; do
    run 78 "$verb" typo.yaml --json
    expect_text out "{\"verb\":\"$verb\",\"ok\":false,\"exit\":78,"
    expect_text out '"code":"job","file":"typo.yaml","line":7,"column":39,'
    expect_text out "\"message\":\"unknown key 'render.fsp'\",\"hint\":\"did you mean 'fps'?\""
done
run 66 render tiny.yaml --set audio=none.wav --json
expect_text out '"exit":66,'
expect_text out '"code":"missing"'
printf 'xof' >bad.x
run 65 render tiny.yaml --set models.0.file=bad.x --json
expect_text out '"exit":65,'
echo mine >mine.mp4
run 73 render tiny.yaml -o mine.mp4 --json
expect_text out '"code":"create"'
run 2 render tiny.yaml -o - --json
expect_text out '--json cannot be combined with -o -'
run 66 info none.pmx --json
expect_text out '{"verb":"info","ok":false,"exit":66,'

# Warnings have their class.
sed 's/{ 0.2;0.4;0.9;1.0;; 5.0; 0.2;0.2;0.2;; 0.0;0.0;0.1;; }/{ 0.2;0.4;0.9;1.0;; 5.0; 0.2;0.2;0.2;; 0.0;0.0;0.1;; TextureFilename { "none.png"; } }/' \
    board.x >torn.x
run 0 render tiny.yaml -o torn.png --json -f 0 --set models.0.file=torn.x
expect_text out '"severity":"warning","code":"missing-texture","file":"torn.x"'
expect_text out '"warning_count":1'

finish
