#!/bin/sh
# SPDX-License-Identifier: MIT
# Bit rates, largest sizes, options of encoders, metadata, chapters and covers of videos.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
size_of() { wc -c <"$1"; }
expect_at_most() { # FILE BYTES
    if [ "$(size_of "$1")" -le "$2" ]; then pass; else fail "$1 has $(size_of "$1") bytes, more than $2"; fi
}
big() { run 0 render tiny.yaml -q --size 480x270 --set audio=null "$@"; }

# A film that is small enough keeps its quality; a larger one is made to fit, whoever rendered which part of it.
big -crf 1 -o free.mp4
limit=$(($(size_of free.mp4) * 3 / 4))
big -crf 1 --max-size 9 -o large.mp4
expect_at_most large.mp4 "$(size_of free.mp4)"
megabytes=$(awk "BEGIN { print $limit / 1e6 }")
big -crf 1 --max-size "$megabytes" -o fit.mp4
expect_at_most fit.mp4 "$limit"
if [ "$(size_of fit.mp4)" -gt $((limit / 2)) ]; then pass; else fail "fit.mp4 is much too small"; fi
mkdir parts
for part in 1/2 2/2; do big -crf 1 --max-size "$megabytes" -o parts/fit.mp4 --shard "$part"; done
run 0 join tiny.yaml -q --size 480x270 --set audio=null -crf 1 --max-size "$megabytes" -o parts/fit.mp4
expect_same fit.mp4 parts/fit.mp4
run 0 verify fit.mp4
run 78 render tiny.yaml -q --max-size 0.005 -o tiny.mp4
expect_text err 'its sound alone is larger than 0.005 MB'
run 78 render tiny.yaml -q --size 480x270 --set audio=null --max-size 0.005 -o tiny.mp4
expect_text err 'at the lowest quality'

# Mean rates: more bits at a higher one.
big -b:v 40k -o low.mp4
big -b:v 400k --two-pass -o high.mp4
if [ "$(size_of low.mp4)" -lt "$(size_of high.mp4)" ]; then pass; else fail "40k is not less than 400k"; fi
big -crf 1 -maxrate 60k -bufsize 30k -o capped.mp4
expect_at_most capped.mp4 $(($(size_of free.mp4) - 1))

# Mistakes.
run 2 render tiny.yaml -crf 20 -b:v 1M -o a.mp4
expect_text err 'outputs.0: at most one of crf and bitrate_kbps can be given'
run 2 render tiny.yaml --max-size 1 -b:v 1M -o a.mp4
expect_text err 'outputs.0: at most one of bitrate_kbps and size_mb can be given'
run 2 render tiny.yaml --two-pass -o a.mp4
expect_text err 'outputs.0.two_pass: needs bitrate_kbps'
run 2 render tiny.yaml -bufsize 1M -o a.mp4
expect_text err 'outputs.0.buffer_kbit: needs max_kbps'
run 2 render tiny.yaml -b:v 2M -maxrate 1M -o a.mp4
expect_text err 'outputs.0.bitrate_kbps: is more than max_kbps'
run 78 render tiny.yaml -b:v 1M -o a.gif
expect_text err 'a GIF has no bit rate; make it smaller, or use .mp4'
run 78 render tiny.yaml --max-size 1 -o a.mov -c:v prores
expect_text err 'two_pass and size_mb need a codec with crf'
run 78 render tiny.yaml --max-size 1 -o a.webm --set background.alpha=true
expect_text err 'cannot be combined with alpha'
run 78 render tiny.yaml --encoder-option bogus=1 -o a.mp4
expect_text err "encoder_options: encoder 'libx264' has no option 'bogus'"
run 2 render tiny.yaml --encoder-option bogus -o a.mp4
expect_text err "--encoder-option: 'bogus' is not of the form KEY=VALUE"
run 2 render tiny.yaml --metadata title -o a.mp4
expect_text err "--metadata: 'title' is not of the form KEY=VALUE, as in title=Dance"

# Options of an encoder of a stranger's job are refused: some of them name files.
sed 's/gop: 5/encoder_options: { x264-params: "stats=x" }/' tiny.yaml >stranger.yaml
run 78 check stranger.yaml --limits untrusted
expect_text err 'outputs.0.encoder_options: accepted on the command line only, as --encoder-option'
big --encoder-option x264-params=aq-mode=3 --encoder-option tune=animation -o tuned.mp4

# Metadata, chapters and the cover are in the file.
cp "$ODORI_DEMO/face.png" cover.png
cat >>tiny.yaml <<'END'
chapters: [ { time_s: 0, title: Beginning }, { time_s: 2, title: Middle } ]
cover: cover.png
END
for file in all.mp4 all.mkv; do
    run 0 render tiny.yaml -q -o "$file" --metadata artist=Somebody --metadata title='A title: "quoted"'
    for text in Somebody 'A title: "quoted"' Beginning Middle PNG; do
        if grep -qaF "$text" "$file"; then pass; else fail "$file does not contain '$text'"; fi
    done
    run 0 verify "$file"
done
run 78 render tiny.yaml -q -o all.webm
expect_text err 'a webm file cannot contain a cover (mp4, mkv)'
run 65 render tiny.yaml -q -o b.mp4 --cover noise.wav
expect_text err 'a cover is a PNG or JPEG picture'
sed 's/time_s: 2/time_s: 0/' tiny.yaml >order.yaml
run 78 check order.yaml
expect_text err 'chapters.1.time_s: chapters must be in ascending order'
finish
