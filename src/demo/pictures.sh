#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders the pictures of README.md and configs/README.md: demo.webp, cloth.png, effects.png.
# usage: pictures.sh PROGRAM DIRECTORY, in the root of the source; ffmpeg joins the images.
set -eu
odori=$1
out=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

still() { # name, job, frame, size, settings...
    name=$1 job=$2 frame=$3 size=$4
    shift 4
    "$odori" render "$job" -q -f "$frame" -s "$size" -o "$work/$name.png" "$@"
}

# Side by side, with 256 colors.
join() { # file, filter that joins, names...
    file=$1 stack=$2
    shift 2
    for name; do
        set -- "$@" -i "$work/$name.png"
        shift
    done
    ffmpeg -v error "$@" -filter_complex "$stack,split[image][colors];[colors]palettegen=reserve_transparent=0[palette];\
[image][palette]paletteuse=dither=bayer:bayer_scale=4" -update 1 -y "$file"
}

"$odori" demo --frames 0 -q # the files that the jobs of configs/ name

# Seconds 8 to 13.8 of the demo are between two cuts.
"$odori" preview out/demo/demo.yaml -y \
    --set "previews=[{type: webp, file: $out/demo.webp, width: 480, fps: 15, range_s: [8, 13.8]}]"

still skirt-1 configs/cloth-skirt.yaml 150 240x294 --set camera.fixed.fov_deg=27
still skirt-2 configs/cloth-skirt.yaml 260 240x294 --set camera.fixed.fov_deg=27
still cape-1 configs/cloth-cape.yaml 60 240x294 --set camera.fixed.fov_deg=27
still cape-2 configs/cloth-cape.yaml 150 240x294 --set camera.fixed.fov_deg=27
join "$out/cloth.png" hstack=4 skirt-1 skirt-2 cape-1 cape-2

still without configs/effects.yaml 62 320x480 --set effects.mode=off
still with configs/effects.yaml 62 320x480
still trail configs/effects.yaml 62 320x480 --set models.0.effect=null --set effects.history=all \
    --set 'stage=[../out/demo/stage.pmx, {file: effects/warm.x, effect: effects/trail.fx, opacity: 0.85}]'
join "$out/effects.png" hstack=3 without with trail
