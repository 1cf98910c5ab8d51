#!/bin/sh
# SPDX-License-Identifier: MIT
# plot: camera paths and bones as SVG and PNG.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
cat >job.yaml <<'END'
version: 1
name: cam <&> path
outputs: [out.mp4]
models: [{ file: demo/figure.pmx, motions: [demo/dance.vmd] }]
camera:
  path:
    - { time_s: 0, eye: [0, 10, -40] }
    - { frame: 30, eye: [20, 12, -30], velocity: [0, 0, 20] }
    - { time_s: 1.5, eye: [0, 3, -20], fov_deg: 45, cut: true }
END
run 0 check job.yaml --strict
expect_text out 'job.yaml: ok, 1 model'
run 0 pose job.yaml --frames m0,m30,m44.9,1.5s --no-physics
expect_text out '"eye":[0,10,-40]'
expect_text out '"fov":45'

run 0 plot job.yaml
expect_empty err
expect_text out '<svg xmlns="http://www.w3.org/2000/svg"'
expect_text out 'cam &lt;&amp;> path: camera path'
expect_text out '>eye x<'
expect_text out '>roll<'
expect_text out '>w 0.3<'
cp out first
run 0 plot job.yaml -o deep/plot.svg
expect_empty out
if cmp -s first deep/plot.svg; then pass; else fail "two plots of one job differ"; fi
run 0 plot job.yaml --set camera.orientation=axes
expect_text out '>rotation<'

run 0 plot demo/demo.yaml --bone 頭 --fps 24,30,60 --frames 0-5
expect_text out '>30 frames/s<'
expect_text out 'largest distance at the 11 times that two rates share: 0 MMD units'

run 0 plot job.yaml -o plot.png
if [ "$(od -An -tu1 -j 16 -N 4 plot.png | tr -d ' ')" = 00996 ]; then pass; else fail "plot.png is not 9 * 256 + 96 pixels wide"; fi
run 2 plot job.yaml -o plot.jpg
expect_text err "'plot.jpg' is not the name of an .svg or .png file"
run 2 plot demo/demo.yaml
expect_text err 'no camera.path to plot; --bone NAME plots a bone'
run 2 plot demo/demo.yaml --bone nobone
expect_text err "model 'dancer' has no bone 'nobone'"
run 2 plot demo/demo.yaml --bone 頭 --fps 24,x
expect_text err "--fps: 'x' is not a frame rate"
run 2 plot demo/demo.yaml --bone 頭 --frames 5-1
expect_text err "--frames: '5-1' is not a range like 0-299, m0-m149 or 0s-5s"
run 2 plot job.yaml --fps 24
expect_text err '--model, --fps and --frames require --bone'

finish
