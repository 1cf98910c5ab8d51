#!/bin/sh
# SPDX-License-Identifier: MIT
# Control characters in names from files never reach a terminal, a table or a page.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

esc=$(printf '\033') override=$(printf '\342\200\256')
bad="a${esc}[31m
fake: ok$override"

# clean FILE...: neither ESC, DEL, C1 controls nor bidirectional controls, nor a line that a name made
clean() {
    for file; do
        if grep -q "$esc\|$(printf '\177')\|$(printf '\302\233')\|$override\|^fake" "$file"; then
            fail "$file contains control characters: $(head -c 2000 "$file" | od -c | head -n 20)"
        else
            pass
        fi
    done
}

# A model whose name is "ESC [ 2 J LF o" (UTF-16), in place of the English name; a motion with ESC in its model's name.
tiny_job
cp "$ODORI_DEMO"/*.png .
patch_name() { # FILE OFFSET
    dd of="$1" bs=1 seek="$2" conv=notrunc 2>dd.log || fail 'dd failed'
}
cp "$ODORI_DEMO/figure.pmx" "$bad.pmx"
length=$(od -An -tu4 -j27 -N4 "$bad.pmx" | tr -d ' ')
expect_text "$bad.pmx" PMX
[ "$length" = 14 ] || fail "the name of the demo's figure has $length bytes"
printf '\033\000[\000\062\000J\000\n\000\056\040o\000' | patch_name "$bad.pmx" 31
cp "$ODORI_DEMO/dance.vmd" "$bad.vmd"
printf '\033[2Jx\n' | patch_name "$bad.vmd" 30

run 0 info "$bad.pmx" "$bad.vmd" --names
clean out err
expect_text out '  name_en: \x1B[2J\n\u202Eo'
expect_text out 'a\x1B[31m\nfake: ok\u202E.pmx'
run 0 info "$bad.pmx" --json
clean out err
expect_text out '"name_en":"\u001b[2J\u000a\u202eo"'

# A job with such a name, files and texts; every verb that reports them.
cat >job.yaml <<'END'
version: 1
name: "a\e[31m\nfake: ok\u202E"
models: [ { id: "m\e[1m\nfake", file: "FILE.pmx", motions: ["FILE.vmd"] } ]
render: { size: [16, 16], samples: 1, fps: 5, frames: 0-3, workers: 1 }
shadows: { ground: false, self: false }
outputs: [ { file: "FILE.mp4" } ]
credits: [ "c\e[31m\nfake" ]
END
sed -i 's|FILE|a\\e[31m\\nfake: ok\\u202E|g' job.yaml
for verb in check plan status 'preview --summary page.md -o sheet.png' render status verify 'bake -o x.bake' render; do
    # shellcheck disable=SC2046,SC2086  # words of an option
    "$ODORI" ${verb%% *} job.yaml $(echo "$verb " | cut -s -d' ' -f2-) >out 2>err </dev/null
    got=$?
    case $verb:$got in status:75 | *:0) pass ;; *) fail "$verb: exit status $got" ;; esac
    clean out err
done
clean page.md
for verb in check plan status verify 'pose --frames 0'; do
    # shellcheck disable=SC2046,SC2086  # words of an option
    run 0 ${verb%% *} job.yaml $(echo "$verb " | cut -s -d' ' -f2-) $([ "${verb%% *}" = pose ] || echo --json)
    clean out err
    if [ "$(wc -l <out)" -le 2000 ]; then pass; fi
done
run 0 render job.yaml --dump-config
clean out
run 0 plot "$bad.pmx" "$bad.vmd" --bone センター -f 0-2 -o plot.svg
run 0 plot job.yaml --bone センター -f 0-2 -o plot2.svg
clean plot.svg plot2.svg
run 1 compare sheet.png "$bad.mp4"
clean out err
run 0 render job.yaml --progress plain -y
clean out err
run 0 render job.yaml --progress json -y
clean out err
run 2 check "$bad.pmx" "$bad.xyz"
clean out err

# A batch with such values.
cat >batch.yaml <<'END'
version: 1
base: job.yaml
matrix: { name: ["x\e[31m\nfake"] }
output: "b.mp4"
END
for verb in plan run status; do
    "$ODORI" batch $verb batch.yaml --summary batch.md >out 2>err </dev/null
    clean out err
done
[ ! -e batch.md ] || clean batch.md

# Names that the runner of a CI system would take for commands: "::x::" begins a line, "##[x]" is anywhere.
evil='::stop-commands::##[x]@user www.a.b'
cp "$ODORI_DEMO/dance.vmd" "$evil.vmd"
cp board.x '::add-mask::e.x'
cat >runner.yaml <<END
version: 1
name: "::name::"
models: [ { file: "::add-mask::e.x", motions: ["$evil.vmd"] } ]
render: { size: [64, 36], samples: 1, frames: 0-1 }
outputs: [ "::debug::.mp4" ]
credits: [ "https://a.b" ]
END
no_commands() { # FILE...
    if grep -nE '^ *::|##\[' "$@"; then fail "a name is a command of a runner"; else pass; fi
}
for verb in check 'check --json' plan 'plan --json' 'preview -o p.png --summary runner.md' render status verify 'render --dump-config'; do
    # shellcheck disable=SC2086  # words of an option
    set -- $verb
    verb=$1
    shift
    "$ODORI" "$verb" runner.yaml "$@" >out 2>err </dev/null
    no_commands out err
done
run 0 check runner.yaml --format github
if grep -E '^ *::' out | grep -v '^::warning '; then fail "a name is a command of a runner"; else pass; fi
run 0 info "$evil.vmd" '::add-mask::e.x'
no_commands out err
if grep -E '@user|https://|www\.' runner.md; then fail "a name is a mention or a link"; else pass; fi

# Names in CP932, as archives of Windows leave them: not UTF-8, so that JSON has escapes for their bytes.
raw=$(printf 'f\212\347')
if ! mkdir "$raw" 2>/dev/null; then
    skip "the file system refuses names that are not UTF-8"
    finish
    exit
fi
cp board.x camera.vmd noise.wav tiny.yaml "$raw"
run 75 render "$raw/tiny.yaml" -q -o "$raw/$raw.mp4" --set limits.total_timeout_s=0.001
run 0 render "$raw/tiny.yaml" -q -o "$raw/$raw.mp4"
run 0 status "$raw/tiny.yaml" -o "$raw/$raw.mp4" --json
expect_text out 'f\udc8a\udce7.mp4'
if iconv -f UTF-8 -t UTF-16 out >/dev/null 2>&1; then pass; else fail 'not UTF-8'; fi
run 0 verify "$raw/tiny.yaml" -o "$raw/$raw.mp4"
run 0 render "$raw/tiny.yaml" -q -o "$raw/$raw.mp4" --set render.samples=4 # replaces its own film
run 0 submit --to openjd "$raw/tiny.yaml" --shards 2 --bundle bundle
for file in bundle/*.json "$raw"/.*.odori/*.json*; do
    if iconv -f UTF-8 -t UTF-16 "$file" >/dev/null 2>&1; then pass; else fail "$file is not UTF-8"; fi
done
if ! command -v python3 >/dev/null; then
    skip "python3, which reads the names of a bundle, is not installed"
elif python3 - <<'PY'; then
import json, os
names = json.load(open("bundle/asset_references.json", encoding="utf-8"))["assetReferences"]["inputs"]["filenames"]
assert len(names) >= 4, names
assert all(os.path.exists(os.fsencode(name)) for name in names), names
PY
    pass
else
    fail "names of the bundle"
fi

# A directory and a file whose names are bytes of GBK and Shift-JIS, as unzip leaves them.
gbk=$(printf '\263\365\322\364') sjis=$(printf '\203\202\203f\203\213')
mkdir -p "$gbk/tex"
cp "$ODORI_DEMO"/*.png "$gbk/"
cp "$ODORI_DEMO/figure.pmx" "$gbk/$sjis.pmx"
cp "$ODORI_DEMO/dance.vmd" "$gbk/$gbk.vmd"
run 0 check "$gbk/$sjis.pmx" "$gbk/$gbk.vmd"
run 0 render "$gbk/$sjis.pmx" "$gbk/$gbk.vmd" --size 16x16 -f 0 -o bytes.sha256
run 0 render "$ODORI_DEMO/figure.pmx" "$ODORI_DEMO/dance.vmd" --size 16x16 -f 0 -o text.sha256
expect_same bytes.sha256 text.sha256
texture=$(printf '\314\371\315\274')
printf 'x' >"$texture.vmd"
run 65 info "$texture.vmd"
expect_text err '\xCC\xF9\xCD\xBC.vmd: '
finish
