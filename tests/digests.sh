#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares builds of the program by other compilers, or with another optimization, with the first one: the digests of frames
# and of poses must be equal.  Prints which ones differ.
# usage: tests/digests.sh PROGRAM PROGRAM...; $HALL writes the demo in a hall
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# name: a job, "demo" or "hall", and options.  Together the films use evaluation, physics, cloth, shadows and everything of a look.
films() {
    cat <<EOF
plain demo --frames 0-3,200,500
hall hall --frames 60,400 --set shadows.self=true
soft hall --frames 120 --look soft
night demo --frames 300 --look night
focus hall --frames 90 --set look.focus.aperture=1.2 --set look.accumulate.samples=4
ssao hall --frames 150 --set look.ssao.strength=0.8 --set look.ground_shadow.angle_deg=8 --set look.mirror.strength=0.3
split demo --frames 250 --set render.transparency=split --set render.samples=4
depth demo --frames 100 --set outputs.0.pass=depth
skeleton demo --frames 100 --set outputs.0.pass=pose
EOF
}

failed=0
for program in "$@"; do
    out=$dir/$(echo "$program" | tr / _)
    mkdir "$out"
    films | while read -r name job options; do
        set -- demo --demo-dir "$out/$name"
        [ "$job" = demo ] || {
            "$HALL" "$out/$name"
            set -- render "$out/$name/hall.yaml"
        }
        # shellcheck disable=SC2086  # options are words
        "$program" "$@" -q --overwrite -o "$out/$name.sha256" --set 'render.size=[320,180]' --set render.workers=1 $options
    done
    "$program" pose "$out/plain/demo.yaml" --frames 0:700:50 >"$out/pose.json"
    find "$out" -name '*.odori' -prune -o \( -name '*.sha256' -o -name 'pose.json' \) -type f -print | sort |
        while read -r file; do
            echo "$(sha256sum <"$file" | cut -d' ' -f1) ${file#"$out/"}"
        done >"$out.digests"
    [ -s "$out.digests" ] || failed=1
    if [ "$program" = "$1" ]; then
        cp "$out.digests" "$dir/first"
        echo "$program: $(wc -l <"$out.digests") digests"
    elif diff "$dir/first" "$out.digests" >"$dir/diff"; then
        echo "$program: equal"
    else
        echo "$program: differs in $(sed -n 's/^> [0-9a-f]* //p' "$dir/diff" | tr '\n' ' ')"
        failed=1
    fi
done
exit $failed
