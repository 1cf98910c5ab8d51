#!/bin/sh
# SPDX-License-Identifier: MIT
# Errors in a job file with their location; --set; --dump-config.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cat >job.yaml <<'END'
version: 1
models:
  - file: figure.pmx
    motons: [dance.vmd]
outputs: [o.mp4]
END
run 78 check job.yaml # wrong keys and missing files
expect_empty out
expect_content err <<'END'
odori: error: job.yaml:4:5: unknown key 'models.0.motons'; did you mean 'motions'?
    4 |     motons: [dance.vmd]
      |     ^
odori: error: job.yaml:3:11: models.0.file: cannot open 'figure.pmx': No such file or directory
    3 |   - file: figure.pmx
      |           ^
END
run 78 render job.yaml
run 78 pose job.yaml --frames 0

run 66 check none.yaml
expect_content err <<'END'
odori: error: none.yaml: cannot open: No such file or directory
END

printf 'version: 1\nmodels: [none.pmx]\noutputs: [o.mp4]\n' >job.yaml
run 66 check job.yaml
expect_text err "odori: error: job.yaml:2:10: models.0.file: cannot open 'none.pmx': No such file"
run 66 check job.yaml --json
expect_empty err
expect_text out '"ok":false'
expect_text out "models.0.file: cannot open 'none.pmx'"
run 78 check job.yaml --set render.fps=sixty --set render.sise=1
expect_content err <<'END'
odori: error: --set:1:8: unknown key 'sise'; did you mean 'size'?
    1 | render.sise=1
      |        ^
END
run 78 check job.yaml --set render.fps=sixty
expect_content err <<'END'
odori: error: --set:1:12: render.fps: 'sixty' is not a number (1..240)
    1 | render.fps=sixty
      |            ^
odori: error: job.yaml:2:10: models.0.file: cannot open 'none.pmx': No such file or directory
    2 | models: [none.pmx]
      |          ^
END
run 78 check job.yaml --set 'burn_in.text="{frame} of {frames}"'
expect_content err <<'END'
odori: error: --set:1:14: burn_in.text: unknown field '{frames}'; known are {name}, {frame}, {time}, and {{ for a brace
    1 | burn_in.text="{frame} of {frames}"
      |              ^
odori: error: job.yaml:2:10: models.0.file: cannot open 'none.pmx': No such file or directory
    2 | models: [none.pmx]
      |          ^
END

# Loading a dump gives the same dump, also in another directory.
mkdir -p jobs elsewhere
printf 'version: 1\nmodels: [a.pmx]\naudio: s.wav\noutputs: [o.mp4]\n' >jobs/job.yaml
run 0 render jobs/job.yaml --dump-config --set render.fps=29.97 --frames 0-9,20
expect_text out '  fps: "30000/1001"'
expect_text out '  frames: "0-9,20-20"'
expect_text out "  file: \"$PWD/jobs/s.wav\""
cp out elsewhere/dump.yaml
run 0 render elsewhere/dump.yaml --dump-config
if cmp -s out elsewhere/dump.yaml; then pass; else fail "the dump of a dump is different"; fi

# Hostile job files are rejected quickly.
head -c 2000000 /dev/zero | tr '\0' '[' >flood.yaml
run 78 check flood.yaml
head -c 1000000 /dev/zero | tr '\0' '%' >flood.yaml
run 78 check flood.yaml
run 66 check jobs
run 66 check /dev/null
: >empty.yaml
run 78 check empty.yaml

# With -o, outputs.0 is its output; an option that its format does not have is refused.
printf 'version: 1\nmodels: [board.x]\noutputs: ["%%d.png", { file: o.mp4, crf: 7 }]\n' >two.yaml
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
chosen() { # TEXT ARGUMENT...: of the only output
    text=$1
    shift
    run 0 render two.yaml --dump-config "$@"
    sed -n '/^outputs:/,/^passes:/p' out >chosen
    expect_text chosen "$text"
}
for output in x.mkv x.mp4 x.avi; do
    chosen 'preset: "fast"' --set outputs.0.preset=fast -o $output
done
chosen '  crf: 8' -o x.mp4 --set outputs.0.crf=8
chosen '  crf: 8' -o x.mp4 --set outputs.1.crf=8
run 0 render board.x -o x.mp4 --set outputs.0.crf=9 --dump-config
expect_text out '  crf: 9'
run 78 check two.yaml -o x.mkv --set outputs.1.crf=8
expect_text err 'error: --set:1:1: outputs.1: replaced by --output, whose keys are those of outputs.0'
run 78 check two.yaml -o x.mkv --set outputs.0.file=y.mkv
expect_text err 'error: --set:1:1: outputs.0.file: --output names this file'
for key in codec=h264 crf=8 preset=fast gop=9 pixel_format=yuv420p audio_codec=aac audio_kbps=64; do
    for output in %d.png %d.exr x.sha256 null:; do
        run 78 check two.yaml -o $output --set outputs.0.$key
        expect_text err ": outputs.0.${key%=*}: '"
        expect_text err "$output': only videos have this option"
    done
    run 0 check two.yaml -o %d.png --set "outputs.0.${key%=*}=null"
done
for key in crf=8 preset=fast; do
    run 78 check two.yaml -o x.gif --set outputs.0.$key
    expect_text err "x.gif': its codec has no such option"
    run 0 check two.yaml -o x.mkv --set outputs.0.$key
done
run 0 check two.yaml --set outputs.1.file=x%d.exr # crf of the job has no effect
finish
