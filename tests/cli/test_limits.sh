#!/bin/sh
# SPDX-License-Identifier: MIT
# Limits of the host: --limits and ODORI_LIMITS win over the job, name the limit and its place, and
# confine the paths of a job.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

silent_job
sed -i 's/film.mp4/film.sha256/' tiny.yaml

# limit KEY STATUS TEXT [ARGUMENT...]: a limits file with this line refuses tiny.yaml with the message
limit() {
    printf '# limits of this host\n%s\n' "$1" >limits.yaml
    status=$2 text=$3
    shift 3
    run "$status" check tiny.yaml --limits limits.yaml "$@"
    expect_text err "$text"
    expect_text err "limits.yaml:2"
}
limit 'frames: 19' 69 'frames: 20 exceeds the limit of 19'
limit 'frame_side: 15' 69 'frame_side: 16 pixels exceeds the limit of 15 pixels'
limit 'frame_pixels: 255' 69 'frame_pixels: 256 pixels exceeds the limit of 255 pixels'
limit 'samples: 0.5' 69 'samples: 1 exceeds the limit of 0.5'
limit 'models: 0.5' 69 'models: 1 exceeds'
limit 'vertices: 3' 69 'vertices: '
limit 'sound_s: 3.9' 69 'sound_s: 4 s exceeds the limit of 3.9 s' --set audio=noise.wav
printf 'frames: 20\nframe_side: 16\nframe_pixels: 256\nsamples: 1\nmodels: 1\nsound_s: 4\n' >limits.yaml
run 0 check tiny.yaml --limits limits.yaml --set audio=noise.wav
ODORI_LIMITS=limits.yaml run 0 render tiny.yaml --set audio=noise.wav
expect_file film.sha256
printf 'frames: 19\n' >strict.yaml
ODORI_LIMITS=strict.yaml run 69 render tiny.yaml -o other.mp4
expect_no_file other.mp4
ODORI_LIMITS=strict.yaml run 0 check tiny.yaml --limits limits.yaml

# All verbs that read a job.
for verb in render join preview bake plan check; do
    run 69 "$verb" tiny.yaml --limits strict.yaml
    expect_text err 'frames: 20 exceeds the limit of 19 (strict.yaml:1)'
done
printf 'frame_side: 8\n' >small.yaml
for verb in status verify 'submit --to slurm --shards 2' 'submit --to k8s --shards 2 --image i' 'pose --frames 0' plot; do
    # shellcheck disable=SC2086  # a verb and its flags
    run 69 $verb tiny.yaml --limits small.yaml
    expect_text err 'frame_side: '
done

# Mistakes in a limits file.
printf 'frames: 20\nframe_pixel: 1\nmemory_mib: lots\n' >wrong.yaml
run 78 check tiny.yaml --limits wrong.yaml
expect_text err "wrong.yaml:2:1: unknown key 'frame_pixel'; did you mean 'frame_pixels'?"
expect_text err "wrong.yaml:3:13: memory_mib: 'lots' is not a number"
run 66 check tiny.yaml --limits missing.yaml

# A file cannot take the place of a profile; what is in force is said.
echo 'profile: none' >untrusted
run 69 check tiny.yaml --limits untrusted --set 'render.size=[8192,16]'
expect_text err 'frame_side: 8192 pixels exceeds the limit of 4096 pixels (profile untrusted)'
ODORI_LIMITS=untrusted run 69 check tiny.yaml --set 'render.size=[8192,16]'
cp untrusted strict
run 78 check tiny.yaml --limits strict
expect_text err "--limits: 'strict' is no profile (none, untrusted); a file is named with a slash, as './strict'"
run 0 check tiny.yaml --limits untrusted -v
expect_text out '  limits: profile untrusted'
expect_text err 'limits: profile untrusted'
ODORI_LIMITS=./untrusted run 0 check tiny.yaml
expect_text out '  limits: ./untrusted, profile none'
run 0 check tiny.yaml --json
expect_text out '"limits":"none"'
run 0 render tiny.yaml -v -o null:
expect_text err 'limits: none'

# Time: the run stops cleanly and says which limit it was.
printf 'wall_s: 0.2\n' >wall.yaml
run 75 render tiny.yaml -o slow.mp4 --limits wall.yaml --set render.fps=240 --set render.frames=0-9999
expect_text err 'wall_s: wall.yaml:1: time limit exceeded'
printf 'cpu_s: 1\n' >cpu.yaml
run 75 render tiny.yaml -o slow2.mp4 --limits cpu.yaml --set render.fps=240 --set render.frames=0-99999 \
    --set 'render.size=[640,360]'
expect_text err 'cpu_s: '
expect_text err 'cpu.yaml:1'
expect_no_temporaries .

# Memory of all processes together.
printf 'memory_mib: 40\n' >memory.yaml
run 69 render tiny.yaml -o large.mp4 --limits memory.yaml --set 'render.size=[1920,1080]' --set render.workers=2 \
    --set render.frames=0-300
expect_text err 'memory.yaml:1'
expect_no_file large.mp4

# Sizes of outputs.
printf 'output_mib: 0.2\n' >output.yaml
run 69 render tiny.yaml -o 'big%03d.png' --limits output.yaml --set 'render.size=[320,320]' --set render.frames=0-200 \
    --set 'burn_in={text: "{frame}"}' --set 'outputs=[x.mp4]'
expect_text err 'output_mib: '
expect_text err '(output.yaml:1)'

# Everything that a run writes counts, as a sum: the previews alone are smaller than the limit, and so is each file.
sound='burn_in={text: "{frame} {time}"}'
sheet='{type: sheet, file: a.png, cells: [4, 4], width: 64}'
for previews in "[$sheet]" "[{type: webp, file: a.webp, width: 64, fps: 5}]" "[{type: gif, file: a.gif, width: 64, fps: 5}]"; do
    run 0 render tiny.yaml -o few.sha256 --set 'render.size=[64,64]' --set "$sound" --set "previews=$previews"
done
size=$(cat a.png a.webp a.gif | wc -c)
awk "BEGIN { printf \"output_mib: %.6f\\n\", $size / 2 / 1048576 }" >output.yaml
run 69 render tiny.yaml -o many.sha256 --limits output.yaml --set 'render.size=[64,64]' --set "$sound" \
    --set "previews=[$sheet, {type: webp, file: b.webp, width: 64, fps: 5}, {type: gif, file: b.gif, width: 64, fps: 5}]" -y
expect_text err 'output_mib: '
for output in lossless.apng lossless.gif lossless.mkv dance.bake dance.glb; do
    case $output in
        *.bake) verb="bake" ;;
        *.glb) verb="export" ;;
        *) verb="render" ;;
    esac
    printf 'output_mib: 0.0002\n' >output.yaml
    run 69 $verb tiny.yaml -o $output --limits output.yaml --set 'render.size=[64,64]'
    expect_text err 'output_mib: '
    expect_text err '(output.yaml:1)'
    expect_no_file $output
done
expect_no_temporaries .
run 0 render tiny.yaml -o /dev/null --output-format nut --limits output.yaml # no file

# A job of strangers has an hour of CPU time.
run 0 check tiny.yaml --limits untrusted --set 'render.size=[3840,2160]' --set render.frames=0-20000 \
    --set 'outputs=[film.mp4]'
expect_text err 'more than the limit of 3600 s (profile untrusted)'

# plan and check estimate the costs of a run.
printf 'output_mib: 0.01\ncpu_s: 1\n' >costs.yaml
for verb in plan check; do
    run 0 $verb tiny.yaml --limits costs.yaml --set render.frames=0-999
    expect_text err 'warning: output_mib: about 0.'
    expect_text err 'MiB of disk space are needed, more than the limit of 0.01 MiB (costs.yaml:1)'
    expect_text err 'warning: cpu_s: about '
    expect_text err 's of CPU time are needed, more than the limit of 1 s (costs.yaml:2)'
    run 65 $verb tiny.yaml --limits costs.yaml --set render.frames=0-999 --strict=over-limit
    run 0 $verb tiny.yaml --limits costs.yaml --set render.frames=0-9
    expect_empty err
    run 0 $verb tiny.yaml --limits costs.yaml --set render.frames=0-9 --set look.accumulate.samples=256
    expect_text err 'warning: cpu_s: about '
done

# Paths: below the directory of the job, with links resolved.
mkdir -p up/job/sub
cp board.x up/outside.x
cp board.x up/job/sub/inside.x
ln -s ../outside.x up/job/link.x
ln -s sub/inside.x up/job/own.x
ln -s ../.. up/job/out
job() { printf 'version: 1\nmodels: [%s]\noutputs: [%s]\n%s\n' "$1" "$2" "$3" >up/job/j.yaml; }
for model in ../outside.x link.x "$work/up/outside.x" sub/../../outside.x out/board.x; do
    job "$model" o.mp4 ''
    run 78 check up/job/j.yaml --limits untrusted
    expect_text err "up/job/j.yaml:2:10: models.0.file: '$model' is not below the directory of the job file"
    expect_text err '(paths: profile untrusted)'
done
for output in ../o.mp4 out/o.mp4 "$work/o.mp4" 'out/%03d.png'; do
    job own.x "$output" ''
    run 78 check up/job/j.yaml --limits untrusted
    expect_text err "outputs.0.file: '$output' is not below"
done
job own.x 'new/directory/o.mp4' 'render: { size: [16, 16], samples: 1, frames: 0-1, workers: 1 }'
run 0 render up/job/j.yaml --limits untrusted
expect_file up/job/new/directory/o.mp4
job ../outside.x o.mp4 'render: { size: [16, 16], samples: 1, frames: 0-1, workers: 1 }'
run 0 check up/job/j.yaml
run 0 check up/job/j.yaml --limits untrusted --set models.0.file=sub/inside.x
printf 'profile: untrusted\npaths: any\n' >own.yaml
run 0 check up/job/j.yaml --limits own.yaml

# Shaders come from the command line only.
job own.x o.mp4 'render: { shader_dir: sub }'
run 78 check up/job/j.yaml
expect_text err 'up/job/j.yaml:4:23: render.shader_dir: accepted on the command line only'

# A batch passes the limits on, and confines its own paths.
printf 'version: 1\nbase: tiny.yaml\nmatrix: { render.fps: [5, 10] }\nout: "b-{name}.mp4"\n' >batch.yaml
run 69 batch run batch.yaml --limits strict.yaml
expect_text err 'frames: 20 exceeds the limit of 19 (strict.yaml:1)'
run 0 batch run batch.yaml --limits limits.yaml
printf 'version: 1\nbase: tiny.yaml\nmatrix: { render.fps: [5] }\nout: "../{name}.mp4"\n' >escape.yaml
run 78 batch plan escape.yaml --limits untrusted
expect_text err 'is not below the directory of the manifest (paths: profile untrusted)'
printf 'version: 1\nbase: tiny.yaml\nmatrix: { render.shader_dir: [up] }\nout: "s.mp4"\n' >shaders.yaml
run 78 batch plan shaders.yaml
expect_text err 'render.shader_dir: accepted on the command line only'

# A job whose files exhaust the process that loads them costs only itself: textures of 2 MB that decode to 256 MiB.
printf '\377\001\002\003%.0s' $(seq 1024) >packets
for _ in 1 2 3 4 5 6 7 8 9; do cat packets packets >twice && mv twice packets; done
{ printf '\000\000\012\000\000\000\000\000\000\000\000\000\000\040\000\040\030\040' && cat packets; } >bomb.tga
sed 's/0.3;0.1;0.1;; }/0.3;0.1;0.1;; TextureFilename { "bomb.tga"; } }/' board.x >bomb.x
printf 'version: 1\nbase: tiny.yaml\nmatrix: { models.0.file: [board.x, bomb.x] }\nout: "c-{name}.mp4"\n' >bombs.yaml
printf 'textures_mib: 100\n' >textures.yaml
run 1 batch run bombs.yaml --limits textures.yaml
expect_text err "job 'bomb': "
expect_text err 'textures_mib: 256 MiB exceeds the limit of 100 MiB (textures.yaml:1)'
expect_file c-board.mp4
expect_no_file c-bomb.mp4

# All pictures count together before they are decoded, the background too, also without a limits file.
for name in 1 2 3 4; do
    cp bomb.tga bomb$name.tga
    sed "s/bomb.tga/bomb$name.tga/" bomb.x >bomb$name.x
done
run 69 check tiny.yaml --set 'models=[bomb1.x, bomb2.x, bomb3.x, bomb4.x]' --set background.image=bomb.tga
expect_text err 'textures_mib: 1280 MiB exceeds the limit of 1024 MiB (default)'
run 69 check tiny.yaml --set 'models=[bomb1.x]' --set background.image=bomb.tga --limits textures.yaml
{ printf '\000\000\012\000\000\000\000\000\000\000\000\000\000\002\000\002\030\040' && head -c 8192 packets; } >small.tga # 1 MiB
sed 's/bomb.tga/small.tga/' bomb.x >small.x
printf 'textures_mib: 256\n' >textures.yaml
run 69 check tiny.yaml --set 'models=[small.x]' --set background.image=bomb.tga --limits textures.yaml
expect_text err 'textures_mib: 257 MiB exceeds the limit of 256 MiB (textures.yaml:1)'

finish
