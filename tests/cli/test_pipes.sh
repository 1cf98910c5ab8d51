#!/bin/sh
# SPDX-License-Identifier: MIT
# A film on standard output, a job from standard input.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

tiny_job
mute='--set audio=null'

# pipe STATUS ARGUMENT...: as run, but what the program writes goes through a pipe to `got`
pipe() {
    expected=$1
    shift
    : >out
    { "$ODORI" "$@" 2>err </dev/null; echo $? >status; } | cat >got
    if [ "$(cat status)" = "$expected" ]; then pass; else fail "odori $*: exit status $(cat status), expected $expected"; fi
}

# The same bytes as in a file, where the container has no index; nothing else is written.
# shellcheck disable=SC2086  # $mute is two words
for format in nut y4m sha256; do
    mkdir -p file
    run 0 render tiny.yaml -o file/film.$format $mute
    pipe 0 render tiny.yaml -o - --output-format $format $mute
    expect_file got
    expect_same got file/film.$format
done
pipe 0 render tiny.yaml -o -
cp got film.nut
expect_text err 'wrote /dev/stdout'
if [ -L /dev/stdout ] || [ ! -e /dev/stdout ]; then pass; else fail '/dev/stdout was replaced'; fi
pipe 0 render tiny.yaml -o - --output-format rawvideo
if [ "$(wc -c <got)" = $((20 * 16 * 16 * 3)) ]; then pass; else fail "raw RGB: $(wc -c <got) bytes"; fi
pipe 0 render tiny.yaml -o - --output-format rawvideo --set background.alpha=true
if [ "$(wc -c <got)" = $((20 * 16 * 16 * 4)) ]; then pass; else fail "raw RGBA: $(wc -c <got) bytes"; fi
pipe 0 demo -o - -f 0 --size 64x36 --output-format rawvideo --demo-dir assets
if [ "$(wc -c <got)" = 6912 ]; then pass; else fail "the demo: $(wc -c <got) bytes"; fi
expect_file assets/demo.yaml
for format in ts mkv mp4; do
    pipe 0 render tiny.yaml -o - --output-format $format
    mv got got.$format
    run 0 verify got.$format
    expect_text out '20 frames'
done
"$ODORI" render tiny.yaml -o - >film.redirected 2>err </dev/null
expect_same film.redirected film.nut

# Frames, size, pixels and sound as another program sees them.
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    raw() { ffmpeg -v error -i - -f rawvideo -pix_fmt "$1" -; }
    # shellcheck disable=SC2086
    run 0 render tiny.yaml -o digests.sha256 $mute
    raw rgba <film.nut >pixels
    i=0
    while [ $i -lt 20 ]; do
        echo "$i $(tail -c +$((i * 1024 + 1)) pixels | head -c 1024 | sha256sum | cut -d' ' -f1)"
        i=$((i + 1))
    done >digests.ffmpeg
    grep -v '^#' digests.sha256 >digests.odori
    expect_same digests.odori digests.ffmpeg
    # shellcheck disable=SC2086
    "$ODORI" render tiny.yaml -o - $mute --output-format y4m 2>err </dev/null |
        ffmpeg -v error -i - -f yuv4mpegpipe - >chain.y4m
    tail -n +2 file/film.y4m >a
    tail -n +2 chain.y4m >b
    expect_same a b # all but the header, in which ffmpeg writes fields of its own
    { # 48 kHz, which no output changes
        printf 'RIFF\044\334\005\000WAVEfmt \020\000\000\000\001\000\001\000'
        printf '\200\273\000\000\000\167\001\000\002\000\020\000data\000\334\005\000'
        seq 100000 | head -c 384000
    } >fast.wav
    "$ODORI" render tiny.yaml -o - --set audio=fast.wav >film.nut 2>err </dev/null
    ffprobe -v error -f nut -show_entries stream=codec_name,width,height,sample_rate,channels \
        -of compact=p=0:nk=1 - <film.nut | sort >streams
    printf 'ffv1|16|16\npcm_f32le|48000|1\n' | expect_content streams
    ffmpeg -v error -i film.nut -f s16le -ac 1 - >heard
    tail -c +45 fast.wav >played
    expect_same heard played
else
    skip "ffmpeg is not installed"
fi

# A reader that exits ends the run without a message.
mkfifo closed
exec 3<>closed # a pipe that has lost its reader, whatever the timing
exec 4>closed 3<&-
"$ODORI" render tiny.yaml -o - >&4 2>err </dev/null
got=$?
exec 4>&-
if [ $got = 141 ]; then pass; else fail "a closed pipe: exit status $got"; fi
if grep -q 'error\|warning' err; then fail "a closed pipe is reported"; else pass; fi
[ ! -c /dev/full ] || {
    "$ODORI" render tiny.yaml -o - >/dev/full 2>err </dev/null
    if [ $? = 74 ]; then pass; else fail "a full disk"; fi
    expect_text err 'No space left on device'
}

# What cannot be written to a pipe.
for format in avi gif png; do
    pipe 78 render tiny.yaml -o - --output-format $format
    expect_text err "the format '$format' cannot be written without seeking"
    expect_empty got
done
pipe 78 render tiny.yaml -o - --output-format none
expect_text err "'/dev/stdout': unknown output format none"
for flag in --shard=1/2 --state=d --no-clobber --max-stalled-runs=3; do
    pipe 2 render tiny.yaml -o - $flag
    expect_text err 'cannot be combined with -o -'
done
pipe 2 join tiny.yaml -o -
pipe 2 render tiny.yaml --output-format nut
expect_text err '--output-format is the format of -o FILE'
if [ "$(script -qec 'test -t 1 && echo yes' /dev/null </dev/null 2>/dev/null | tr -d '\r')" = yes ]; then
    script -qec "\"$ODORI\" render tiny.yaml -o -" /dev/null >terminal </dev/null
    if [ $? = 2 ]; then pass; else fail "a terminal as output"; fi
    expect_text terminal 'standard output is a terminal'
else
    skip "no terminal can be made"
fi

# The format of a file, in a job too.
run 0 render tiny.yaml -o film.bin --output-format nut
expect_same film.bin film.redirected
run 0 status tiny.yaml -o film.bin --output-format nut
run 0 verify tiny.yaml -o film.bin --output-format nut
run 0 render tiny.yaml --set 'outputs=[{ file: other.bin, format: matroska }]'
run 0 verify tiny.yaml --set 'outputs=[{ file: other.bin, format: matroska }]'

# A job from standard input; its paths are relative to the current directory.
"$ODORI" check - <tiny.yaml >out 2>err
expect_text out '<stdin>: ok'
sed 's/models/modles/' tiny.yaml | "$ODORI" check - >out 2>err
expect_text err "<stdin>:3:1: unknown key 'modles'; did you mean 'models'?"
"$ODORI" render - -o - <tiny.yaml >got 2>err
expect_same got film.redirected
mkdir sub
(cd sub && "$ODORI" check - <../tiny.yaml 2>err)
expect_text sub/err "<stdin>:3:10: models.0.file: cannot open 'board.x'"
"$ODORI" check - </dev/null >out 2>err
expect_text err "<stdin>:1:1: expected a map of keys"
head -c 70000000 /dev/zero | "$ODORI" check - >out 2>err
if [ $? = 65 ]; then pass; else fail "an endless job"; fi
expect_text err '<stdin>: more than 67108864 bytes'
run 2 submit --to slurm - --shards 2
expect_text err 'expected a file instead of -'
expect_no_temporaries .
finish
