#!/bin/sh
# SPDX-License-Identifier: MIT
# batch run after an edit: only the jobs that it affects are drawn, and of these only the frames that it changes.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

tiny_job
sed 's/0.2;0.4;0.9/0.1;0.8;0.2/' board.x >other.x
cat >m.yaml <<'END'
version: 1
base: tiny.yaml
matrix:
  model: { a: { models: [board.x] }, b: { models: [other.x] } }
  render.fps: [5, 6]
out: "film/{name}.mp4"
run: { jobs: 2 }
END

# drawn TEXT: what the last version of each job drew
drawn() {
    run 0 batch run m.yaml -q
    for name in a-5 a-6 b-5 b-6; do
        run 0 status film/.$name.mp4.odori
        sed -n "s/^  run  */$name: /p" out | sed 's/, in [0-9.]* s.*//'
    done >told
    if [ "$(cat told)" = "$1" ]; then pass; else fail "drawn: $(cat told)"; fi
}
drawn 'a-5: all 20 frames drawn
a-6: all 20 frames drawn
b-5: all 20 frames drawn
b-6: all 20 frames drawn'
sha256sum film/*.mp4 >before

# One model: its two jobs; the files of the others are not touched.
sed -i 's/0.1;0.8;0.2/0.9;0.9;0.1/' other.x
touch -d @1000000000 film/a-5.mp4 film/a-6.mp4
drawn 'a-5: all 20 frames drawn
a-6: all 20 frames drawn
b-5: all 20 frames drawn
b-6: all 20 frames drawn'
for name in a-5 a-6; do
    if [ "$(stat -c %Y film/$name.mp4)" = 1000000000 ]; then pass; else fail "$name was written again"; fi
done
run 0 status film/.b-5.mp4.odori
expect_text out "models.0.file: contents of "
sha256sum film/*.mp4 | diff before - | grep '^>' | sed 's/.* //' >changed
expect_content changed <<END
film/b-5.mp4
film/b-6.mp4
END

# The sound of all jobs: none is drawn.
sed -i 's/^audio: .*/audio: { file: noise.wav, gain_db: -6 }/' tiny.yaml
drawn 'a-5: none of 20 frames drawn
a-6: none of 20 frames drawn
b-5: none of 20 frames drawn
b-6: none of 20 frames drawn'

finish
