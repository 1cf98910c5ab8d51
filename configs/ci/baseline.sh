#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders jobs and compares each film with the one of a baseline: frame rate, length, every frame, sound.
#
#   baseline.sh BASELINE JOB...          compare; status 1 if a film differs, or cannot be rendered
#   baseline.sh --accept BASELINE JOB... render the films and make them the baseline
#
# BASELINE is a directory that is kept between runs: a cache or an artifact of the CI system, or Git LFS.  A film
# without a baseline passes.  For a film that differs BASELINE.differences/ gets the film, an image of the frame that
# differs most and, as NAME.changed-0.png and so on, small pictures of up to six frames before and after.  What was drawn
# and why, and how many pixels changed, is printed.  The films are lossless, so that another version of an encoder changes nothing: about 130 kB for a
# frame of 640x360.  Beside each is the record of its render, so that only frames that a change affects are drawn again.
# Variables:
#   ODORI    the program (odori)
#   RENDER   flags for render, e.g. "--frames 0-89 --set render.size=[640,360]"
#   COMPARE  flags for compare; by default frames may differ by what another version of Mesa rounds
#   FORMAT   form of the reports, e.g. github
set -u
odori=${ODORI:-odori} compare=${COMPARE---threshold 50dB --tolerance 0.001}
lossless='--set outputs.0.codec=ffv1 --set outputs.0.audio_codec=flac'
accept=no status=0
if [ "${1-}" = --accept ]; then
    accept=yes
    shift
fi
baseline=${1:?usage: baseline.sh [--accept] BASELINE JOB...}
shift
films=$(mktemp -d) || exit 1
trap 'rm -rf "$films"' EXIT
mkdir -p "$baseline"

render() { # FLAG...: into a copy of the film of the baseline
    # shellcheck disable=SC2086  # words of several flags
    "$odori" render "$job" -q $lossless ${RENDER-} -o "$films/$film" "$@"
}

# What the render drew, if it drew anything.
print_run() {
    cmp -s "$baseline/.$film.odori/runs.json" "$films/.$film.odori/runs.json" && return
    "$odori" status "$films/.$film.odori" | sed -n "s|^  run  *|$job: |p; s|^  pixels  *|$job: changed pixels: |p"
}

for job; do
    film=$(printf '%s' "${job%.yaml}" | tr / -).mkv
    for part in "$film" ".$film.odori"; do
        [ ! -e "$baseline/$part" ] || cp -R "$baseline/$part" "$films"
    done
    render
    result=$?
    if [ $result = 73 ]; then # the record is damaged, or of another format
        render --overwrite
        result=$?
    fi
    if [ $result != 0 ]; then
        status=1
    elif [ $accept = yes ]; then
        print_run
        rm -rf "$baseline/.$film.odori"
        mv "$films/$film" "$films/.$film.odori" "$baseline"
    elif [ ! -e "$baseline/$film" ]; then
        echo "$job: no baseline"
    else
        echo "$job:"
        print_run
        mkdir -p "$baseline.differences"
        rm -f "$baseline.differences/$film" "$baseline.differences/$film.png" "$baseline.differences/$film".changed-*.png
        # shellcheck disable=SC2086
        "$odori" compare "$baseline/$film" "$films/$film" $compare -o "$baseline.differences/$film.png" ${FORMAT:+--format "$FORMAT"}
        result=$?
        if [ $result = 0 ]; then # also if it differs by less than COMPARE accepts
            rm -f "$baseline.differences/$film.png"
            continue
        fi
        status=1
        for picture in "$films/.$film.odori"/changed-*.png; do
            [ ! -e "$picture" ] || mv "$picture" "$baseline.differences/$film.${picture##*/}"
        done
        [ -e "$films/$film" ] && mv "$films/$film" "$baseline.differences/$film"
    fi
done
exit $status
