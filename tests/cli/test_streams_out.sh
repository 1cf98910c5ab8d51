#!/bin/sh
# SPDX-License-Identifier: MIT
# A FIFO or a device given as output is written to, not replaced.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

silent_job
streams() { # STATUS FILE ARGUMENT...: writes to the FIFO, whose bytes go to `got`
    status=$1 file=$2
    shift 2
    mkfifo "$file" || exit 1
    cat "$file" >got &
    reader=$!
    run "$status" "$@"
    wait $reader
    if [ -p "$file" ]; then pass; else fail "$file is not a FIFO any more"; fi
}

# The same bytes as in a file, where the container has no index.
for name in film.nut film.y4m film.mkv sums.sha256; do
    mkdir -p file
    run 0 render tiny.yaml -o file/$name --set audio=null
    streams 0 $name render tiny.yaml -o $name --set audio=null
    expect_file got
    case $name in *.mkv) ;; *) expect_same got file/$name ;; esac
done
cp got sums
for name in film.ts film.mp4; do # MP4 in fragments
    streams 0 $name render tiny.yaml -o $name
    mv got got.$name
    run 0 verify got.$name
    expect_text out '20 frames'
done

# Without seeking there is no AVI, GIF or image sequence; nothing is written.
for name in film.avi film.gif still.png; do
    mkfifo $name
    run 78 render tiny.yaml -f 0 -o $name
    expect_text err "is a FIFO or a device, and the format '${name#*.}' cannot be written without seeking"
    run 78 check tiny.yaml -o $name
done
run 78 render tiny.yaml -o film.nut --shard 1/2
expect_text err 'cannot be written in segments'

# A stream beside a file: both are complete; the stream is written whole again.
run 0 render tiny.yaml --set 'outputs=[film.webm]'
rm film.nut && mkfifo film.nut
cat film.nut >got &
run 0 render tiny.yaml --set 'outputs=[film.webm, film.nut]' --set audio=null -y
wait
expect_same got file/film.nut

# A reader that goes away is an error, of a film that no pipe holds; so is a full device.
(head -c 100 film.y4m >got) &
run 74 render tiny.yaml -o film.y4m --set audio=null --set 'render.size=[320, 180]'
wait
expect_text err 'Broken pipe'
[ ! -c /dev/full ] || {
    ln -s /dev/full full.y4m
    run 74 render tiny.yaml -o full.y4m --set audio=null
    expect_text err 'No space left on device'
}

# Other verbs.
streams 0 plot.svg plot "$ODORI_DEMO/figure.pmx" "$ODORI_DEMO/dance.vmd" --bone センター -f 0-2 -o plot.svg
expect_text got '</svg>'
streams 0 page.md preview tiny.yaml -o sheet.png --summary page.md
expect_text got '| Length |'
streams 0 sheet2.png preview tiny.yaml -o sheet2.png
expect_same got sheet.png
if [ -e /dev/stdout ]; then
    "$ODORI" plot "$ODORI_DEMO/figure.pmx" "$ODORI_DEMO/dance.vmd" --bone センター -f 0-2 -o /dev/stdout >got 2>err
    expect_text got '</svg>'
    if [ -L /dev/stdout ]; then pass; else fail '/dev/stdout was replaced'; fi
fi
expect_no_temporaries .
finish
