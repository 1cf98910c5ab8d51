#!/bin/sh
# SPDX-License-Identifier: MIT
# Reports for other programs: check --json, annotations of GitHub, JUnit files; classes of warnings in a job.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
ln -s "$ODORI_DEMO" demo

# well_formed FILE: an XML parser accepts the file, where there is one
well_formed() {
    if ! command -v python3 >/dev/null; then
        skip "python3 is not installed: $1 is not parsed"
    elif python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1" 2>err; then
        pass
    else
        fail "$1 is not well-formed XML"
    fi
}

# A job whose names are hostile: they end neither a line, a property nor an element.
cat >job.yaml <<'END'
version: 1
models:
  - { file: board.x, morphs: { "a]]></x>&\"::error::%0A\n::error::b": 1 } }
  - { file: none.pmx }
outputs: [o.mp4]
END
run 78 check job.yaml --format github
expect_empty err
if [ "$(wc -l <out)" = 2 ]; then pass; else fail "not one line per problem"; fi
expect_text out "::error file=job.yaml,line=4,col=13,title=missing::models.1.file: cannot open 'none.pmx': No such file or directory"
expect_text out "::error file=job.yaml,line=3,col="
expect_text out ",title=job::models.0.morphs.a]]></x>&\"::error::%250A"
if grep -q '^::error::b' out; then fail "a name began a command"; else pass; fi

run 78 check job.yaml --junit check.xml
well_formed check.xml
expect_text check.xml '<testsuites tests="2" failures="2" errors="0">'
expect_text check.xml "<testcase classname=\"odori check\" name=\"job.yaml:4:13: missing\">"
expect_text check.xml "<failure type=\"missing\" message=\"models.1.file: cannot open &#39;none.pmx&#39;: No such file or directory\">"
if grep -q 'a]]></x>' check.xml; then fail "a name is not escaped"; else pass; fi

run 78 check job.yaml --json
if [ "$(wc -l <out)" = 1 ]; then pass; else fail "check --json: not one line per job"; fi
expect_text out '{"severity":"error","code":"missing","file":"job.yaml","line":4,"column":13,"message":"models.1.file: cannot open '"'none.pmx'"': No such file or directory","hint":null}'

# An intact job: its motions, and warnings that are not failures.
run 0 check tiny.yaml --junit check.xml
well_formed check.xml
expect_text check.xml '<testsuites tests="1" failures="0" errors="0">'
expect_text check.xml '<testcase classname="odori check" name="tiny.yaml"/>'
sed 's/models: .*/models: [{ file: board.x, motions: [demo\/dance.vmd] }]/' tiny.yaml >misfit.yaml
run 0 check misfit.yaml --format github --junit check.xml
expect_text out '::warning file=misfit.yaml,line=3,col=37,title=misfit::models.0.motions.0.file: 1 of '
expect_text out '  dance.vmd: 1 of '
expect_text out ' fit board; made for '
expect_text check.xml 'failures="0"'
expect_text check.xml '<system-out>'
run 65 check misfit.yaml --format github --strict=misfit
expect_text out '::error file=misfit.yaml,line=3,col=37,title=misfit::'
run 0 check misfit.yaml --json
expect_text out '"code":"misfit"'
expect_text out '{"model":"board","file":"demo/dance.vmd","made_for":'
run 0 check demo/demo.yaml --set 'render.frames=0-719'
expect_text out ' bones and '
expect_text out ' fit dancer; made for '

# The candidate of a name is a hint of its own.
run 66 check tiny.yaml --set models.0.file=bord.x --json
expect_text out '"file":"--set","line":1,"column":15,"message":"models.0.file: cannot open '"'bord.x'"': No such file or directory","hint":"did you mean '"'board.x'"'?"'
run 78 check tiny.yaml --set render.sise=1 --json
expect_text out '"code":"job","file":"--set","line":1,"column":8,"message":"unknown key '"'sise'"'","hint":"did you mean '"'size'"'?"'

# A report replaces an older one and nothing else.
run 0 check tiny.yaml --junit check.xml
cp tiny.yaml before
for verb in 'check tiny.yaml' 'verify demo/face.png'; do
    # shellcheck disable=SC2086
    run 73 $verb --junit not/yet/
    if [ -e not ]; then fail "a directory was left by $verb"; else pass; fi
done
run 73 check tiny.yaml --junit tiny.yaml
expect_same tiny.yaml before
expect_text err "odori: error: --junit: 'tiny.yaml' exists and is not a JUnit report"

# verify and compare
run 0 render tiny.yaml -q -o a.sha256
run 0 verify a.sha256 --junit verify.xml --format github
well_formed verify.xml
expect_text out 'intact   a.sha256'
expect_text verify.xml '<testcase classname="odori verify" name="a.sha256"/>'
echo 'no digest' >'bad,<:>.sha256'
run 1 verify a.sha256 'bad,<:>.sha256' --junit verify.xml --format github
well_formed verify.xml
expect_text out '::error file=bad%2C<%3A>.sha256,title=damaged::line 1: expected a frame number and its digest'
expect_text verify.xml '<testsuites tests="2" failures="1" errors="0">'
expect_text verify.xml 'name="bad,&lt;:&gt;.sha256: damaged"'

run 0 compare demo/face.png demo/face.png --junit compare.xml --format github
well_formed compare.xml
expect_text compare.xml 'failures="0"'
run 0 render tiny.yaml -q -o 'f/%d.png' -f 0,10
run 1 compare demo/face.png demo/shoe.png --junit compare.xml --format github
expect_text out '::error title='
expect_text compare.xml 'failures="1"'
expect_text compare.xml 'the sizes differ'
run 1 compare f/0.png f/10.png --junit compare.xml --format github
well_formed compare.xml
expect_text out '::error file=f/10.png,title=difference::differences in 1 of 1 frame, first frame '
expect_text compare.xml '<failure type="difference" message="'

# What only check reports.
cat >twice.yaml <<'END'
version: 1
models:
  - { id: a, file: board.x }
  - { id: b, file: board.x, position: [1, 0, 0] }
  - { id: c, file: board.x }
camera: { motion: camera.vmd }
audio: { file: noise.wav }
render: { fps: 30, frames: 0-299, size: 64x36 }
outputs: [{ file: x.mp4 }]
END
run 0 check twice.yaml
expect_text err "odori: warning: twice.yaml:5:5: models.2: 'board.x' is also models.0, in the same place with the same motions"
expect_text err 'odori: warning: twice.yaml:7:16: audio.file: the sound ends at 4.00 s, 6.00 s before the film'
if grep -q 'models.1' err; then fail "models.1 is in another place"; else pass; fi
run 65 check twice.yaml --strict=same-place
run 0 check twice.yaml --set render.frames=0-119 -W no-same-place
expect_empty err
run 0 check twice.yaml --set render.frames=all --set audio.offset_s=60 -W no-same-place
expect_text err 'audio.file: the film ends at '
expect_text err ' before the sound'
run 0 check twice.yaml --set render.frames=all --set audio.offset_s=60 --set audio.fade_out_s=1 -W no-same-place
expect_empty err
# No machine has all of these; libavcodec may lack some of them.
for codec in h264_nvenc h264_vaapi h264_qsv h264_v4l2m2m; do
    "$ODORI" check tiny.yaml --set "outputs=[{file: x.mp4, codec: $codec}]" >out 2>err
    case $? in
    0) skip "$codec works here" ;;
    69) expect_text err "the hardware encoder '$codec' cannot be opened on this machine; use 'h264', which needs no hardware" ;;
    78) expect_text err "unknown codec '$codec'" ;;
    *) fail "$codec: status $?" ;;
    esac
done

# Several jobs, each with the files of its own; the largest exit status counts.
cp tiny.yaml other.yaml
printf 'version: 1\n' >empty.yaml
run 78 check tiny.yaml empty.yaml none.yaml other.yaml --json
if [ "$(wc -l <out)" = 4 ]; then pass; else fail 'not a line for each job'; fi
expect_text out '{"job":"tiny.yaml","ok":true,'
expect_text out '{"job":"empty.yaml","ok":false,'
expect_text out '{"job":"none.yaml","ok":false,'
expect_text out '{"job":"other.yaml","ok":true,'
run 66 check none.yaml tiny.yaml
expect_text out 'tiny.yaml: ok, 1 model, '
expect_text err 'none.yaml: cannot open'
run 0 check tiny.yaml other.yaml
run 2 check tiny.yaml board.x
run 2 check tiny.yaml other.yaml --junit several.xml
expect_text err '--junit is the report of one job'
expect_no_file several.xml

finish
