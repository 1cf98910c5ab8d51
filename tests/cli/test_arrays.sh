#!/bin/sh
# SPDX-License-Identifier: MIT
# Archives of arrays: members and sizes by `tar`; the same bytes with one worker, with two, and through a pipe; what they refuse.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
silent_job

all='[beauty, depth, normal, mask-model, mask-material, line, shadow, pose, motion, keypoints, camera]'
render() { # FILE FLAG...
    to=$1
    shift
    run 0 render tiny.yaml -q -f 3-5 -o "$to" --set "outputs.0.passes=$all" "$@"
}

render one.tar
render two.tar --workers 2
expect_same one.tar two.tar
"$ODORI" render tiny.yaml -q -f 3-5 -o - --output-format tar --set "outputs.0.passes=$all" 2>err | cat >pipe.tar
expect_same one.tar pipe.tar
tar tvf one.tar | awk '{ print $3, $NF }' >members
head -n 10 members | sed 1d >first
# 128 bytes of header, then 16 x 16 pixels.
expect_content first <<'END'
896 00003.beauty.npy
1152 00003.depth.npy
896 00003.normal.npy
640 00003.mask-model.npy
640 00003.mask-material.npy
384 00003.line.npy
384 00003.shadow.npy
896 00003.pose.npy
4224 00003.motion.npy
END
members=$(sed 1d members | wc -l)
if [ "$members" = 33 ]; then pass; else fail "$members members of three frames"; fi
tar xf one.tar
expect_text __film__ '{"width":16,"height":16,"fps":[5,1],"first_frame":3,"frames":3,"passes":[{"name":"beauty",'
expect_text __film__ '"labels":["board"]}'
expect_text 00003.keypoints.json '{"people":[],"canvas_width":16,"canvas_height":16}'
expect_text 00003.camera.json '{"width":16,"height":16,"orthographic":false,"world_to_camera":[['
od -An -c -N 10 00003.depth.npy >magic
expect_content magic <<'END'
 223   N   U   M   P   Y 001  \0   v  \0
END

# The camera and keypoints as files of their own.
run 0 render tiny.yaml -q -f 3 --set 'outputs=[{ file: "c_%012d.json", pass: camera }, { file: "%d.json", pass: keypoints }]' \
    --set passes.keypoints=wholebody
expect_same c_000000000003.json 00003.camera.json
expect_text 3.json '{"images":[{"id":1,"width":16,"height":16}],"annotations":[],'

run 0 verify one.tar
expect_text out 'archive, not decoded'
head -c 5000 two.tar >cut.tar
run 1 verify cut.tar
expect_text out 'truncated archive'

run 78 render tiny.yaml -o s.tar --shard 1/2
expect_text err "'$PWD/s.tar' cannot be written in segments"
run 78 check tiny.yaml --set 'outputs=[{ file: x.mp4, pass: camera }]'
expect_text err "outputs.0.pass: 'x.mp4': only .json and .tar files can contain keypoints or cameras"
run 78 check tiny.yaml --set 'outputs=[{ file: x.tar, passes: [depht] }]'
expect_text err "'depht' is not one of beauty, depth,"
run 0 help passes
expect_text out 'a unit is 8 cm'
finish
