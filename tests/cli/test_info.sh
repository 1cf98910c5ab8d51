#!/bin/sh
# SPDX-License-Identifier: MIT
# info: facts, pictures of a model, a chart of a motion; files that are not replaced, hostile names.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
ln -s "$ODORI_DEMO" demo

# size_of FILE.png: width and height from its header
size_of() {
    od -An -tu1 -j 16 -N 8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'
}

run 0 info demo/figure.pmx --bones
expect_text out '  bone tree:'
expect_text out ', moved by physics'
expect_text out '  eye_morphs: '
expect_text out '  found_textures: '
run 0 info demo/dance.vmd --model demo/figure.pmx
expect_text out '  keys over time: '
expect_text out '  fit: 82 of 82 bones and 12 of 12 morphs of figure.pmx'
for file in demo/figure.pmx demo/dance.vmd; do # a model that is used, or is not
    run 66 info "$file" --model none.pmx
    expect_content err <<'END'
odori: error: none.pmx: cannot open: No such file or directory
END
    expect_empty out
done
run 0 info demo/camera.vmd demo/dance.vmd --json
if [ "$(wc -l <out)" = 2 ]; then pass; else fail "not one line of JSON per file"; fi
expect_text out '"keys_per_second":['

# Pictures: the model, and its face with each morph.  The sheet has a cell for each of them and one at rest.
# Runs without a sandbox keep their compiled shaders, which the next ones read.
ODORI_SANDBOX=off run 0 info demo/figure.pmx -o figure.png --morphs morphs.png -q
expect_text out '  kind: pmx'
expect_file figure.png
expect_file morphs.png
morphs=$(sed -n 's/^  morphs: //p' out)
rows=$(((morphs + 8) / 8))
if [ "$(size_of morphs.png)" = "$((8 * 214 + 42))x$((74 + rows * 248 + 14))" ]; then pass; else
    fail "morphs.png: $(size_of morphs.png) for $morphs morphs"
fi
case $(size_of figure.png) in *x1112) pass ;; *) fail "figure.png: $(size_of figure.png)" ;; esac
cp figure.png before.png
run 73 info demo/figure.pmx -o figure.png
expect_same figure.png before.png
run 0 info demo/figure.pmx -o figure.png -y -q
expect_same figure.png before.png

# A closed room, grey outside and red inside: its two views from inside are red, 900 x 510 each.
room() {
    awk 'BEGIN {
        print "mtllib room.mtl"
        for (shell = 0; shell < 2; shell++) {
            print shell ? "usemtl red" : "usemtl grey"
            for (i = 0; i < 8; i++)
                print "v", (i % 2 * 2 - 1) * (3 - shell / 10), (int(i / 2) % 2 * 2 - 1) * (2 - shell / 10), (int(i / 4) * 2 - 1) * (3 - shell / 10)
            n = split("1 2 4 3,5 6 8 7,1 2 6 5,3 4 8 7,1 3 7 5,2 4 8 6", sides, ",")
            for (s = 1; s <= n; s++) { split(sides[s], c, " "); print "f", c[1] + 8 * shell, c[2] + 8 * shell, c[3] + 8 * shell, c[4] + 8 * shell }
        }
    }'
}
printf 'newmtl grey\nKd 0.8 0.8 0.8\nnewmtl red\nKd 1 0 0\n' >room.mtl
room >room.obj
ODORI_SANDBOX=off run 0 info room.obj -o room.png -q
if command -v ffmpeg >/dev/null; then
    red=$(ffmpeg -v error -i room.png -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 | awk '$1 > 2 * $2 + 20 { n++ } END { print n + 0 }')
    if [ "$red" -gt 800000 ] && [ "$red" -le 918000 ]; then pass; else fail "room.png: $red red pixels of 2 x 900 x 510"; fi
else
    skip 'ffmpeg is not installed'
fi

# Parts of a model in other directories: used with a warning, which pictures do not repeat.
mkdir -p moved/a moved/b
cp demo/face.png moved/a/FACE.png
cat >moved/wall.obj <<'END'
mtllib parts\wall.mtl
usemtl wall
v 0 0 0
v 1 0 0
v 1 1 0
f 1 2 3
END
printf 'newmtl wall\nmap_Kd tex/face.png\n' >moved/b/wall.mtl
run 0 info moved/wall.obj -o wall.png
grep -a 'warning' err >warnings
expect_content warnings <<'END'
odori: warning: moved/wall.obj:1:1: file 'parts\wall.mtl' is missing; 'b/wall.mtl' is used
odori: warning: moved/wall.obj: material 0: texture 'tex/face.png' is missing; 'a/FACE.png' is used
END
expect_text out 'texture tex/face.png: found in another directory: moved/a/FACE.png'
cp demo/face.png moved/b/face.png
run 0 check moved/wall.obj
expect_text err "texture 'tex/face.png' is missing, and several files have its name: 'a/FACE.png', 'b/face.png'; drawn white"

# The chart of a motion.
run 0 info demo/camera.vmd -o camera.svg
expect_text camera.svg 'camera.vmd</text>'
expect_text camera.svg 'Keys of the camera'
run 73 info demo/camera.vmd -o camera.svg
run 0 info demo/dance.vmd --model demo/figure.pmx -o dance.svg
expect_text dance.svg '; 82 of 82 bones and 12 of 12 morphs fit figure.pmx</text>'
run 0 info demo/camera.vmd -o camera.png -q
if [ "$(size_of camera.png)" = 2400x1168 ]; then pass; else fail "camera.png: $(size_of camera.png)"; fi

run 2 info demo/figure.pmx demo/stage.pmx -o both.png
expect_text err 'take exactly one model or motion'
run 2 info demo/figure.pmx -o x.jpg
expect_text err "--output: 'x.jpg' is not the name of a single .png file"
run 2 info demo/figure.pmx -o x.png --morphs x.png
run 2 info demo/camera.vmd -o x.jpg
expect_text err "as the chart of a motion needs"
run 2 info demo/camera.vmd --morphs x.png
run 2 info demo/demo.yaml -o x.png
run 2 info demo/figure.pmx -o demo/face.png -y
run 66 info none.pmx -o x.png
expect_no_file x.png
head -c 3000 demo/figure.pmx >cut.pmx
run 65 info cut.pmx -o x.png
run 65 info demo/stage.pmx --morphs x.png
expect_text err "has no morphs to show"
expect_no_file x.png

# Limits of the host: a file that does not exist is an error, with and without pictures.
run 66 info demo/dance.vmd --limits none.yaml
run 66 info demo/dance.vmd -o x.svg --limits none.yaml
run 66 info demo/figure.pmx -o x.png --limits none.yaml

# Hostile names reach neither the terminal nor the chart as they are.
evil=$(printf 'a\033[31m<b>&\n.vmd')
cp demo/camera.vmd "$evil"
run 0 info "$evil" -o evil.svg
if grep -q "$(printf '\033')" out evil.svg; then fail "a control character is written"; else pass; fi
expect_text evil.svg '&lt;b>&amp;\n.vmd</text>'
cat >evil.x <<'END'
xof 0302txt 0032
Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;
 MeshMaterialList { 1; 1; 0;; Material { 1;1;1;1;; 5; 0;0;0;; 0;0;0;; TextureFilename { "../../<lost>.png"; } } } }
END
run 0 info evil.x -o evil.png
expect_text out '  texture ../../<lost>.png: missing; looked below ./'
expect_file evil.png
expect_no_temporaries .

finish
