#!/bin/sh
# SPDX-License-Identifier: MIT
# burn_in: the same text in any range of frames, and its part in the digest of the job.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

ln -s "$ODORI_DEMO" demo
expect_different() { # FILE FILE
    if cmp -s "$1" "$2"; then fail "$1 and $2 are equal"; else pass; fi
}
cat >job.yaml <<'END'
version: 1
name: dance
models: [ { file: demo/figure.pmx, motions: [demo/dance.vmd] } ]
render: { size: [160, 90], samples: 1, frames: 9-12 }
outputs: [ "o/%02d.png" ]
previews:
  - { type: still, file: o/still.png, frame: 10 }
burn_in: { text: "{frame} {time}", corner: top-right }
END
run 0 render job.yaml -j 1
run 0 render job.yaml -q -f 10 -o alone.png
expect_same o/10.png alone.png
expect_same o/10.png o/still.png
run 0 render job.yaml -q -f 10 -o plain.png --set burn_in=null
expect_different o/10.png plain.png
run 0 render job.yaml -q -f 10 -o left.png --set burn_in.corner=top-left
expect_different alone.png left.png

# The digest of the job depends on the text, and on the name of the job only if the text contains it.
digest() { # FILE ARGUMENT...
    file=$1
    shift
    run 0 plan job.yaml --json "$@"
    sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' out | head -n 1 >"$file"
    expect_file "$file"
}
digest a
digest b --set name=other
expect_same a b
digest c --set burn_in.text=x
expect_different a c
digest d --set 'burn_in.text="{name}"'
digest e --set 'burn_in.text="{name}"' --set name=other
expect_different d e

run 0 check job.yaml --set 'burn_in.text="踊り踊り"'
expect_text err "burn_in: 2 characters are not in the built-in font, e.g. U+8E0A '踊': drawn as boxes; set burn_in.font to auto"

# auto: an installed font, which the fingerprint covers; the same frame alone and in a range.
run 0 version
if grep -q 'fontconfig [0-9]' out; then
    echo '<fontconfig></fontconfig>' >empty.conf
    FONTCONFIG_FILE=$work/empty.conf
    export FONTCONFIG_FILE
    run 0 check job.yaml --set 'burn_in.text="踊り"' --set burn_in.font=auto
    expect_text err "not in the built-in font, e.g. U+8E0A '踊': drawn as boxes; install a font that has them, such as fonts-noto-cjk"
    unset FONTCONFIG_FILE
    run 0 check job.yaml --set 'burn_in.text="踊り {frame}"' --set burn_in.font=auto
    if grep -q 'not in ' err; then
        skip "no font with Japanese is installed"
    else
        run 0 render job.yaml -q --set previews=[] --set 'outputs=["j/%02d.png"]' --set 'burn_in.text="踊り {frame}"' --set burn_in.font=auto -j 2
        run 0 render job.yaml -q -f 10 -o japanese.png --set 'burn_in.text="踊り {frame}"' --set burn_in.font=auto
        expect_same j/10.png japanese.png
        run 0 render job.yaml -q -f 10 -o boxes.png --set 'burn_in.text="踊り {frame}"'
        expect_different japanese.png boxes.png
        run 0 check job.yaml --set 'burn_in.text="踊り {frame}"' --set burn_in.font=auto
        expect_text out '  fonts of burn_in: '
        run 0 check job.yaml --json --set 'burn_in.text="踊り {frame}"' --set burn_in.font=auto
        expect_text out '{"key":"burn_in","file":"'
        digest f --set burn_in.font=auto
        expect_different a f
    fi
else
    skip "built without fontconfig"
fi
run 66 check job.yaml --set burn_in.font=none.ttf
expect_text err "burn_in.font: cannot open 'none.ttf': No such file or directory"
run 65 check job.yaml --set burn_in.font=job.yaml
expect_text err 'job.yaml: not a TrueType or OpenType font'

finish
