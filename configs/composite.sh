#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts a dancer over a background video, from passes alone: the picture is not rendered again.
#
# usage: composite.sh DANCER [WHITE] BACKGROUND OUTPUT
#   DANCER      film with `background: { alpha: true }`; or, with WHITE, `background: { color: "#000000" }`
#   WHITE       the same film with `background: { color: "#ffffff" }`
#   BACKGROUND  video or images of the same size and frame rate
#   OUTPUT      lossless film (.mkv); encode it as you like afterwards
# All are lossless: FFV1 in .mkv, or PNG by a pattern %05d.png.  If BACKGROUND is RGB, the result equals a render with
# `background: { video: BACKGROUND }`: from two films within 1 of 255, since both round each layer as that render does;
# from one with alpha within 2, of which 2 is the difference of about one value in 100,000, under several layers.
set -eu
[ $# = 3 ] || [ $# = 4 ] || { sed -n '4,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
each() { echo "c0='$1':c1='$1':c2='$1'"; } # a formula for red, green and blue: x of the first input, y of the second
# front: premultiplied colors; clear: the part of the background that is seen, 255 for all.  FFmpeg's conversion of
# BGRA to planes changes some alphas by 1, so they are extracted from packed pixels.
if [ $# = 3 ]; then
    layers="[1:v]setpts=PTS-STARTPTS,format=rgba,split[color][matte];
        [matte]alphaextract,format=gray,split=3[r][g][b]; [r][g][b]mergeplanes=0x001020:gbrp,split[alpha][beta];
        [color]format=gbrp[straight]; [straight][alpha]lut2=$(each 'floor(x*y/255+0.5)')[front]; [beta]negate[clear]"
else
    layers="[1:v]setpts=PTS-STARTPTS,format=gbrp,split[front][black]; [2:v]setpts=PTS-STARTPTS,format=gbrp[white];
        [black][white]lut2=$(each 'max(y-x,0)')[clear]"
fi
dancer=$1 white=
[ $# = 3 ] || { white=$2 && shift; }
# front + background * clear / 255, with six more bits until the end.
ffmpeg -v error -y -i "$2" -i "$dancer" ${white:+-i "$white"} -filter_complex "$layers;
    [0:v]setpts=PTS-STARTPTS,format=gbrp[back];
    [back][clear]lut2=d=14:$(each 'floor(64*x*y/255+0.5)')[seen];
    [front][seen]lut2=d=8:$(each 'floor(x+y/64+0.5)')[out]" \
    -map '[out]' -c:v ffv1 -pix_fmt bgr0 "$3"
