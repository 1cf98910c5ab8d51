#!/bin/sh
# SPDX-License-Identifier: MIT
# A camera that follows models: the default, its keys, and frames that do not depend on how they are rendered.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
cat >job.yaml <<'END_JOB'
version: 1
models:
  - { id: dancer, file: demo/figure.pmx, motions: [demo/dance.vmd], physics: false }
audio: demo/tune.wav
shadows: { ground: false, self: false }
render: { size: [48, 27], fps: 30, samples: 1, frames: 90-129, workers: 1 }
outputs: [ whole/film.sha256 ]
END_JOB

# camera FRAME ARGUMENT...: the camera of a frame as JSON
camera() {
    frame=$1
    shift
    run 0 pose job.yaml --frames "$frame" "$@"
    grep -o '"camera":{[^}]*}' out
}

# differ TEXT TEXT: both are cameras, and not the same
differ() { if [ -n "$1" ] && [ -n "$2" ] && [ "$1" != "$2" ]; then pass; else fail "the same camera: $1"; fi; }
equal() { if [ -n "$1" ] && [ "$1" = "$2" ]; then pass; else fail "'$1' is not '$2'"; fi; }

# Without a camera, all models are followed; fixed: {} is MMD's default view.
plain=$(camera 100)
equal "$plain" "$(camera 100 --set camera.follow=dancer)"
equal "$plain" "$(camera 100 --set 'camera={follow: [dancer], shot: full, smooth_s: 1}')"
differ "$plain" "$(camera 100 --set camera.shot=bust)"
differ "$plain" "$(camera 100 --set 'render.size=[27,48]')"
differ "$plain" "$(camera 100 --set 'camera.rotation_deg=[-10,30,0]')"
case $(camera 100 --set 'camera={fixed: {}}') in
*'"center":[0,10,0]'*'"distance":-45'*'"fov":30'*) pass ;;
*) fail 'fixed: {} is not the default view of MMD' ;;
esac

# Cuts: the direction changes from frame 119 to 120, and on beats of the tune.
differ "$(camera 119 --set camera.cuts=4s | grep -o '"rotation":[^]]*')" \
    "$(camera 120 --set camera.cuts=4s | grep -o '"rotation":[^]]*')"
equal "$(camera 125 --set camera.cuts=4s)" "$(camera 125 --set camera.cuts=4)"
differ "$(camera 400 --set camera.cuts=auto)" "$(camera 400)"
equal "$(camera 400 --set camera.cuts=auto)" "$(camera 400 --set camera.cuts=auto)"
run 78 check job.yaml --set camera.cuts=auto --set audio=null
expect_text err 'camera.cuts: auto needs a sound'
run 78 check job.yaml --set camera.follow=dancr
expect_text err "no model has the id 'dancr'; did you mean 'dancer'?"

# The frames do not depend on the range, on the number of workers, or on a bake for another camera and size.
cuts=camera.cuts=0.5s
run 0 render job.yaml -q --set $cuts
grep -v '^#' whole/film.sha256 | sed -n '11,20p' >expected
run 0 render job.yaml -q --set $cuts -f 100-109 -j 2 -o part/film.sha256
grep -v '^#' part/film.sha256 >got
expect_same expected got
run 0 bake job.yaml -q -o states.bake --set 'render.size=[27,48]'
run 0 render job.yaml -q --set $cuts --set physics.bake=states.bake -o baked/film.sha256
expect_same whole/film.sha256 baked/film.sha256
run 0 bake job.yaml -q -o again.bake --set $cuts
expect_same states.bake again.bake

finish
