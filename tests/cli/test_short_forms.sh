#!/bin/sh
# SPDX-License-Identifier: MIT
# The command line as people type it: no verb, --size, --fps, --camera; files of a wrong kind; previews.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
ln -s "$ODORI_DEMO" demo

# The verb may be omitted; short forms set keys of the job.
run 0 demo/figure.pmx demo/dance.vmd --camera demo/camera.vmd --size 16x9 --fps 10 -f 3 -o one.png -q
expect_file one.png
run 0 render demo/figure.pmx demo/dance.vmd demo/camera.vmd --set render.size=16x9 --set render.fps=10 -f 3 -o two.png -q
expect_same one.png two.png
run 0 -q -o three.png -f 3 --size=16x9 --fps=10 demo/figure.pmx demo/dance.vmd demo/camera.vmd
expect_same one.png three.png
run 0 tiny.yaml --dump-config --camera demo/camera.vmd --set camera.orientation=axes
expect_text out "file: \"$work/demo/camera.vmd\""
run 0 render tiny.yaml --dump-config --set render.size=640x360
expect_text out 'size: [640, 360]'
run 2 render tiny.yaml --dump-config --size 640x
expect_text err "--size:1:13: render.size: '640x' is not "
run 2 rendr tiny.yaml
expect_text err "unknown verb 'rendr'; did you mean 'render'?"

# Without -o: MODEL-MOTION.mp4 in the current directory, but not over a file that another program wrote.
run 0 -q -f 0-2 -s 16x16 demo/figure.pmx demo/camera.vmd demo/dance.vmd
test -s figure-camera.mp4 || fail "no figure-camera.mp4"
run 0 status -f 0-2 -s 16x16 demo/figure.pmx demo/camera.vmd demo/dance.vmd
echo stranger >figure-dance.mp4
run 73 -q -f 0-2 -s 16x16 demo/figure.pmx demo/dance.vmd
expect_text err 'figure-dance.mp4'
expect_text figure-dance.mp4 stranger
rm -f figure-dance.mp4

# The names of ffmpeg's options, with one dash.
set -- render tiny.yaml --dump-config -o dump.mp4
run 0 "$@" -c:v vp9 -crf 20 -pix_fmt yuv420p -s 64x48 -r 24 -g 12 -b:a 96k -ss 0:01 -to 2 --subtitles l.srt
for line in 'codec: "vp9"' 'crf: 20' 'pixel_format: "yuv420p"' 'size: [64, 48]' 'fps: 24' 'gop: 12' 'audio_kbps: 96' \
    'frames: "24-47"' "file: \"$work/l.srt\""; do
    expect_text out "$line"
done
run 0 "$@" -r 24 -t 2s
expect_text out 'frames: "0-47"'
run 0 "$@" --fps 24 --start 1
expect_text out 'frames: "24-"'
run 2 "$@" -ss soon
expect_text err "--start: 'soon' is not a time such as 5, 5s, 0:05 or 1:02:03.5"
run 2 "$@" -ss 1 -t 2 -to 3
expect_text err '--to cannot be combined with --duration'
run 2 "$@" -ss 5 -to 3
expect_text err '--to: 3 is not after the start, 5'
run 2 "$@" -t 0
expect_text err '--duration: 0 is no time'
run 0 "$@" --maxrate 4M --bufsize 8M
expect_text out 'max_kbps: 4000'
run 2 "$@" -ss 1 -f 3
expect_text err '--frames cannot be combined with --start, --to and --duration'
run 0 "$@" -f 5s
expect_text err '--frames 5s is one frame; 5s- continues to the end of the film'
run 2 "$@" -b:a loud
expect_text err 'not a number such as 4000, 4000k or 4M'
run 2 "$@" -c:x vp9
expect_text err "unknown flag '-c'"
run 0 "$@" --c:v vp9
expect_text out 'codec: "vp9"'

# What people look for is found.
for word in lyrics 9:16 bitrate gpu; do
    run 0 help "$word"
done
run 2 --strickt
expect_text err "unknown flag '--strickt'; did you mean '--strict'?"

# Files of a wrong kind are named, with what to do.
printf '\037\213zip' >a.gz
printf 'Polygon Movie maker 0002' >a.pmm
printf 'Kaydara FBX Binary  ' >a.fbx
printf 'BLENDER-v300' >a.blend
printf '\000\000\000\040ftypisom' >film.mp4
for verb in render check ''; do
    run 2 $verb a.gz -o x.mp4
    expect_content err <<'END'
odori: error: a.gz: is a gzip archive, not a job file; use the model and motion files in it: unpack the archive first
END
done
run 65 check a.pmm
expect_text err 'a.pmm: not a project of MikuMikuDance'
cp a.pmm project.txt
run 2 check project.txt
expect_text err "project.txt: is a project of MikuMikuDance (.pmm), not a job file; use it as the job: 'odori render FILE.pmm -o film.mp4'"
run 2 check a.fbx
expect_text err 'no model ('
run 2 check a.blend
expect_text err 'a.blend: is a file of Blender, not a job file; use a .glb as stage, or a .pmx model: Blender exports the one, and with a plugin the other'
run 2 check film.mp4
expect_text err "no model ("
run 2 check demo/figure.pmx a.gz
expect_text err 'a.gz: is a gzip archive; use the model and motion files in it'
rm film.mp4

# A manifest given as a job, and the other way round.
printf 'version: 1\nbase: tiny.yaml\nmatrix: { render.fps: [5, 10] }\nout: "{name}.mp4"\n' >m.yaml
run 78 check m.yaml
expect_text err "odori: error: m.yaml:2:1: this is a batch manifest, not a job; use 'odori batch plan m.yaml'"
run 78 batch plan tiny.yaml
expect_text err "odori: error: tiny.yaml:3:1: this is a job, not a batch manifest; use 'odori render tiny.yaml'"
run 2 batch plan a.gz
expect_text err 'a.gz: is a gzip archive, not a batch manifest'

# -o and -f leave the previews of a job alone, unless they are asked for.
sed '/^outputs/a previews: [ { type: still, file: still.png } ]' tiny.yaml >job.yaml
echo mine >still.png
run 0 render job.yaml -q -o part.png -f 1
run 0 render job.yaml -q -f 2-3 --set outputs=[p.sha256]
if [ "$(cat still.png)" = mine ]; then pass; else fail "the preview was replaced"; fi
rm still.png
run 0 render job.yaml -q -o other.png -f 1 --previews
expect_file still.png
rm still.png
run 0 render job.yaml -q -o third.sha256 --set 'previews=[{type: still, file: still.png}]'
expect_file still.png
rm still.png
run 0 render job.yaml -q
expect_file still.png

# A reader that exits ends the program silently, by SIGPIPE as other programs (141 in a shell).
for arguments in 'help job' 'schema' 'pose demo/demo.yaml -f 0-99 --no-physics'; do
    # shellcheck disable=SC2086 # words
    # shellcheck disable=SC2216  # it closes the pipe
    { "$ODORI" $arguments 2>err; echo $? >status; } | sleep 0
    case $(cat status) in 0 | 141) pass ;; *) fail "$arguments to a closed pipe: $(cat status)" ;; esac
    expect_empty err
done
# A pipe without a reader, whatever the timing: the reader ends before the program starts.
mkfifo pipe
# shellcheck disable=SC2217  # it closes the pipe
sleep 0 <pipe &
exec 3>pipe
wait
"$ODORI" help job >&3 2>err
got=$?
exec 3>&-
if [ "$got" = 141 ]; then pass; else fail "help to a closed pipe: $got"; fi
expect_empty err

finish
