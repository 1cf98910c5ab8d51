#!/bin/sh
# Puts a dancer over a background video, from passes alone: the picture is not rendered again.
#
# usage: composite.sh DANCER BACKGROUND OUTPUT
#   DANCER      film with `background: { alpha: true }`, lossless: FFV1 in .mkv, or PNG by a pattern %05d.png
#   BACKGROUND  video or images of the same size and frame rate
#   OUTPUT      lossless film (.mkv); encode it as you like afterwards
# Equals a render with `background: { video: BACKGROUND }` within 1 of 255, if BACKGROUND is RGB.
set -eu
[ $# = 3 ] || { sed -n '4,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
# Straight alpha, in 16 bits: dancer * alpha + background * (1 - alpha), then rounded to 8.
ffmpeg -v error -y -i "$2" -i "$1" -filter_complex "
    [0:v]setpts=PTS-STARTPTS,format=gbrp,format=gbrp16le[back];
    [1:v]setpts=PTS-STARTPTS,format=gbrap,split[color][matte];
    [color]format=gbrp,format=gbrp16le[front];
    [matte]alphaextract,format=gray,split=3[r][g][b];
    [r][g][b]mergeplanes=0x001020:gbrp,format=gbrp16le[alpha];
    [back][front][alpha]maskedmerge,format=gbrp[out]" \
    -map '[out]' -c:v ffv1 -pix_fmt bgr0 "$3"
