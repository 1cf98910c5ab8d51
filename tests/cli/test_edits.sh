#!/bin/sh
# SPDX-License-Identifier: MIT
# An edited job is rendered again: only frames that show something else are drawn, and every file is that of a clean run.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
SEED=${SEED:-7}
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"

texture() { # FILE COLOR: 2 x 2 pixels, 70 bytes; COLOR: 6 octal escapes of two pixels
    # shellcheck disable=SC2059
    printf 'BM\106\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\002\0\0\0\002\0\0\0\001\0\030\0\0\0\0\0\020\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'"$2"'\0\0'"$2"'\0\0' >"$1"
}

tiny_job
sed 's/0.2;0.4;0.9;1.0;; 5.0; 0.2;0.2;0.2;; 0.0;0.0;0.1;;/1.0;1.0;1.0;1.0;; 5.0; 0.2;0.2;0.2;; 0.5;0.5;0.5;; TextureFilename { "spot.bmp"; }/' board.x >second.x
texture spot.bmp '\377\0\0\0\377\0'
printf '1\n00:00:00,900 --> 00:00:01,500\nla\n' >song.srt

# The values that are edited.
gain=0 title='[]' look='{}' camera=camera.vmd size='[64, 36]' first=board.x second=second.x height=0 fade=null name=one
physics=true until=19 subtitle=null stage=2.5 sound=noise.wav workers=1
outputs='F/%02d.png' # F: the directory
write_job() { # FILE DIRECTORY
    cat >"$1" <<END
version: 1
name: $name
models:
  - { file: $first, id: a }
  - { file: $second, id: b, keys: [ { time_s: 0, position: [0.3, 0, -0.2] }, { time_s: 2, position: [0.3, 0, -0.2] }, { time_s: $stage, position: [0.3, $height, -0.2] } ] }
camera: { motion: { file: $camera, offset: 0 } }
physics: { enabled: $physics }
audio: ${sound:+{ file: $sound, gain_db: $gain \}}
titles: $title
subtitles: $subtitle
look: $look
fade: $fade
shadows: { ground: false, self: false, map_size: 256 }
render: { size: $size, samples: 1, fps: 5, frames: 0-$until, workers: $workers }
outputs: [ $(echo "$outputs" | sed "s|F/|$2/|g") ]
END
}

# Outputs, without the records beside them.
same_outputs() { # DIRECTORY DIRECTORY WHAT
    (cd "$1" && sha256sum -- * 2>/dev/null) >left
    (cd "$2" && sha256sum -- * 2>/dev/null) >right
    if cmp -s left right; then pass; else fail "$3: differs from a clean run: $(diff left right | head -n 6)"; fi
}

# check WHAT [TEXT]: the edited film is that of a clean run, and TEXT is said of it
check() {
    write_job clean.yaml clean
    rm -rf clean
    run 0 render clean.yaml -q --workers 1
    check_edited "$@"
}

# The same with the clean run of before.
check_edited() {
    write_job job.yaml edited
    run 0 render job.yaml --progress plain
    cp err err.edited
    # Frames of an earlier version that the film no longer has stay, as files of another film would.
    for still in edited/[0-9]*.png; do [ -e "clean/${still#edited/}" ] || rm -f "$still"; done
    same_outputs edited clean "$1"
    [ -z "${2-}" ] || expect_text err.edited "$2"
}

# runs TEXT [TEXT]: the lines of status about this run and the one before it, without their times
runs() {
    run 0 status "$record"
    sed -n 's/, in [0-9.]* s\(:\|$\)/\1/; /^  run /p; /^  before /p' out >lines
    printf '  run      %s\n' "$1" >expected
    [ -z "${2-}" ] || printf '  before   %s\n' "$2" >>expected
    if cmp -s lines expected; then pass; else fail "runs: $(cat lines)"; fi
}
record=edited/.%02d.png.odori

check 'first run' '20 frames in'
runs 'all 20 frames drawn'

# ---- what each edit draws ----
gain=-3 && check 'a gain' 'none of 20 frames is drawn'
runs 'none of 20 frames drawn: audio.gain_db: was 0, is now -3' 'all 20 frames drawn'
run 0 status "$record" --json # its schema is compared
expect_text out '"drawn":0,"drawn_ranges":[],"changes":['
expect_text out '{"key":"audio.gain_db","file":null,"before":"0","after":"-3"}'
sound='' name=two && check 'a name, no sound' # which these files do not contain
title='[ { text: I, frames: 3-6 } ]' && check 'a title' '; changed in frames 3-6); 4 of 20 frames are drawn, 3-6'
run 0 status "$record"
expect_text out '  run      4 of 20 frames drawn, 3-6, in '
expect_text out 's: titles.0.text: was not set, is now "I"; '
expect_text out ' more; changed in frames 3-6'
expect_text out '  before   none of 20 frames drawn, in '
title='[ { text: I, frames: 3-7 } ]' && check 'a longer title' 'changed in frames 7)'
height=0.5 stage=3 && check 'a key' 'changed in frames 11-19)'
texture spot.bmp '\0\377\0\377\0\0'
check 'a texture of the same size' 'all 20 frames are drawn: every picture depends on that'
run 0 status "$record"
expect_text out "contents of 'spot.bmp' differ; every picture depends on that"
run 0 report job.yaml -o page.html -q --embed-limit 0
expect_text page.html '<td>this one</td><td>all 20 frames drawn</td>'
expect_text page.html '<td>before</td><td>9 of 20 frames drawn, 11-19</td>'
echo '{' >"$record/runs.json"
run 0 status "$record"
expect_text err "runs.json' is damaged or of an unknown version; ignored"
run 0 render job.yaml -q
rm "$record/runs.json" # of a film of another version
run 0 status "$record"
if grep -q '^  run ' out; then fail 'a run without a record'; else pass; fi
fade='{ in: 2 }' && check 'a fade' 'changed in frames 0-1)'
# The first frame became black, which no pixel of it was.
run 0 status "$record" --json
tr -d '\n' <out >line
expect_text line '"compared":[{"frame":0,"pixels":2304},{"frame":1,"pixels":2304}],"picture_pixels":2304,"pictures":[0,1]'
run 0 status "$record"
expect_text out '  pixels   100.00 % of 2 frames, most of frame 0 (100.00 %), 1 (100.00 %)'
run 0 report job.yaml -o page.html -q --overwrite --embed-limit 0
expect_text page.html 'Pixels that changed: 100.00 % of 2 frames'
[ "$(grep -c 'before and after" src="data:image/png;base64,iVBOR' page.html)" = 2 ] || fail 'pictures of a fade'
printf x >$record/changed-0.png
rm $record/changed-1.png
run 0 report job.yaml -o page.html -q --overwrite --embed-limit 0
expect_text page.html 'Pixels that changed: 100.00 % of 2 frames'
[ "$(grep -c 'before and after"' page.html)" = 0 ] || fail 'damaged pictures'
subtitle='{ file: song.srt }'
write_job job.yaml edited
if "$ODORI" version --json | grep -q '"libass":null' || ! "$ODORI" check job.yaml -q >/dev/null 2>&1; then
    skip 'no subtitles in this build' && subtitle=null
else
    check 'subtitles' 'changed in frames 5-7)'
    sed -i 's/la$/lu/' song.srt && check 'a word' 'changed in frames 5-7)'
fi
look='{ grade: { saturation: 0.5 } }' && check 'a look' 'every picture depends on that'
until=16 && check 'a shorter film' 'none of 17 frames is drawn'
until=19 && check 'a longer film' '3 of 20 frames are drawn'
first=second.x second=board.x && check 'the order of models' 'every picture depends on that'
cp camera.vmd camera2.vmd && camera=camera2.vmd && check 'another name of a file'
printf '\101' | dd of=camera2.vmd bs=1 seek=68 conv=notrunc 2>/dev/null
check 'a byte of a motion'
physics=false && check 'physics off' 'none of 20 frames is drawn'
size='[32, 36]' && check 'a size' 'every picture depends on that'

# ---- a film in three segments of 30 frames, edited at random, and stopped in between ----
rm -rf edited clean
size='[16, 16]' until=69 title='[]' sound=noise.wav workers=2 outputs='{ file: F/film.mp4, gop: 10 }, F/film.sha256, F/%02d.png'
check 'a film' '70 frames in'
title='[ { text: I, frames: 40-41 } ]' && check 'a title in the second segment' '; 30 of 70 frames are drawn, 30-59'
run 0 status edited/.film.mp4.odori --json
tr -d '\n' <out >line
if grep -q '"compared":\[{"frame":40,"pixels":[1-9][0-9]*},{"frame":41,"pixels":[1-9][0-9]*}\],"picture_pixels":256' line; then pass; else fail 'pixels of a video'; fi
record=edited/.film.mp4.odori
gain=-6 && check 'another gain' 'none of 70 frames is drawn'
[ ! -e $record/changed-0.png ] || fail 'pictures of a gain'
name=three && check 'another name' "gets other tags (name: was \"two\", is now \"three\"); none of 70 frames is drawn"
runs 'none of 70 frames drawn: name: was "two", is now "three"' 'none of 70 frames drawn: audio.gain_db: was -3, is now -6'
run 0 render job.yaml -q
runs 'none of 70 frames drawn: name: was "two", is now "three"' 'none of 70 frames drawn: audio.gain_db: was -3, is now -6'

change() { # changes one value by random
    random_below 9
    case $random_number in
    0) gain=$((gain + 1)) ;;
    1) random_below 60 && title="[ { text: T, frames: $random_number-$((random_number + 4)) } ]" ;;
    2) random_below 9 && height=0.$random_number ;;
    3) if [ "$physics" = true ]; then physics=false; else physics=true; fi ;;
    4) random_below 8 && texture spot.bmp "\\0\\$random_number\\377\\377\\0\\0" ;;
    5) random_below 60 && until=$((random_number + 9)) ;;
    6) other=$first first=$second second=$other ;;
    7) random_below 4 && fade="{ in: $random_number }" ;;
    8) random_below 4 && random_number=$((66 + random_number)) && cp camera.vmd camera2.vmd &&
        printf '\102' | dd of=camera2.vmd bs=1 seek=$random_number conv=notrunc 2>/dev/null ;;
    esac
}
for i in 1 2 3 4 5; do
    change
    change
    write_job job.yaml edited
    case $i in
    2 | 5) # killed at any time, by another edit
        random_below 300
        setsid "$ODORI" render job.yaml -q 2>/dev/null &
        child=$!
        sleep "0.$random_number"
        kill -KILL $child 2>/dev/null
        wait $child 2>/dev/null
        wait_for_group $child
        [ $i = 2 ] || change
        ;;
    esac
    check "seed $SEED, edit $i ($gain, $title, $height, $physics, $until, $first, $fade)"
done

# ---- records that are not used, or only in part ----
record=edited/.film.sha256.odori
rm -rf edited
fade=null until=69 title='[]' sound='' outputs='{ file: F/film.sha256, gop: 10 }'
check 'before the records are changed'
mv edited before
mkdir edited # so that copies have the same paths
cp -r before/. edited
title='[ { text: X, frames: 1-2 } ]'
check 'a title in the first segment' '30 of 70 frames are drawn, 0-29'
again() { rm -rf edited && cp -r before edited; }

again && echo 'another driver' >$record/renderers.txt
check_edited 'another driver' 'all 70 frames are drawn: it was drawn by another driver, and this machine draws with '
again && sed -i 's/,"identity":"[0-9a-f]*"//' $record/ledger/0001-of-0001.jsonl
check_edited 'no identities' 'all 70 frames are drawn: its record does not say what each frame shows'
again && sed -i 's/"identity":"..../"identity":"0000/' $record/ledger/0001-of-0001.jsonl
check_edited 'other identities' 'all 70 frames are drawn'
again && sed -i 's/"sha256":"..../"sha256":"0000/' $record/ledger/0001-of-0001.jsonl
check_edited 'other digests'
again && sed -i '/"frame":[3-5]./d' $record/ledger/0001-of-0001.jsonl
check_edited 'lines that are missing' '60 of 70 frames are drawn, 0-59'
for part in 1 3 6; do
    again && head -c "$((part * 1600))" before/.film.sha256.odori/ledger/0001-of-0001.jsonl >$record/ledger/0001-of-0001.jsonl
    check_edited "a ledger cut at $part"
done
again && rm edited/film.sha256
check_edited 'a film that was removed' 'all 70 frames are drawn'

# Shards at the same time: the first one compares, and each draws its own of the frames that changed.
again
"$ODORI" render job.yaml -q --shard 1/2 2>err.first &
first_shard=$!
run 0 render job.yaml --shard 2/2 --progress plain
wait $first_shard || fail "shard 1/2: $(cat err.first)"
run 0 join job.yaml -q
same_outputs edited clean 'two shards'
run 0 status "$record"
expect_text out '  run      30 of 70 frames drawn, 0-29: titles.0.text: was not set, is now "X"; '
expect_text out '  before   '

# --fresh draws all, and replaces nothing of others.
again
run 0 render job.yaml --fresh --progress plain
expect_text err 'all 70 frames are drawn: --fresh'
same_outputs edited clean 'with --fresh'
run 0 render job.yaml --fresh --progress plain
expect_text err 'all 70 frames are drawn: --fresh'
run 2 render job.yaml --fresh --no-clobber

# A finished film that was changed is not replaced, as a file of others; with --overwrite all of it is drawn.
again && printf x >>edited/film.sha256
write_job job.yaml edited
run 73 render job.yaml -q
expect_text err "'edited/film.sha256' exists and was not written by this job"
run 73 render job.yaml -q --fresh
run 0 render job.yaml --overwrite --progress plain
expect_text err '70 frames in'
same_outputs edited clean 'a film that was changed'

# Any byte of the record may be another one: what is rendered is right, or nothing is.
find before/.film.sha256.odori -type f | sort >files
for i in 1 2 3 4 5 6 7 8; do
    again
    random_below "$(grep -c . files)"
    file=edited/$(sed -n "$((random_number + 1))s|^before/||p" files)
    size_of=$(wc -c <"$file")
    [ "$size_of" -gt 0 ] || continue
    random_below "$size_of"
    printf '\060' | dd of="$file" bs=1 seek="$random_number" conv=notrunc 2>/dev/null
    "$ODORI" render job.yaml -q 2>err
    got=$?
    case $got in
    0) same_outputs edited clean "seed $SEED, byte $random_number of $file" ;;
    73) pass ;; # job.json is not one
    *) fail "byte $random_number of $file: exit status $got" ;;
    esac
done

finish
