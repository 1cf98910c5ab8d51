#!/bin/sh
# SPDX-License-Identifier: MIT
# configs/ci/baseline.sh in fresh clones of a bare repository, with a baseline that is kept between them: a commit draws
# only what it changes, and shows these frames before and after.
# shellcheck source=tests/cli/lib.sh disable=SC2154  # which sets here and work
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
if ! command -v git >/dev/null; then
    skip 'git is not installed'
    finish
    exit
fi
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b

# Two films of two models, in segments of 30 frames.
export RENDER='--frames 0-69'
git init -q --bare origin.git
git init -q mine
mkdir mine/jobs
(cd mine && tiny_job && sed 's/0.2;0.4;0.9/0.1;0.8;0.2/' board.x >other.x)
for name in board other; do
    sed "s/^name: .*/name: $name/; s/board.x/..\\/$name.x/; s/camera.vmd/..\\/camera.vmd/; s/noise.wav/..\\/noise.wav/; s/film.mp4/$name.mp4/" \
        mine/tiny.yaml >"mine/jobs/$name.yaml"
done
rm mine/tiny.yaml

# ci STATUS FLAG...: pushes a commit, and runs the recipe in a clone of it
ci() {
    expected=$1
    shift
    (cd mine && git add . && git commit -qm x && git push -q ../origin.git HEAD:refs/heads/main) || fail 'git'
    rm -rf clone
    git clone -q -b main origin.git clone
    (cd clone && sh "$here/../../configs/ci/baseline.sh" "$@" ../cache/baseline jobs/board.yaml jobs/other.yaml) >out 2>err </dev/null
    got=$?
    sed -i 's/, in [0-9.]* s\(:\|$\)/\1/' out
    if [ "$got" = "$expected" ]; then pass; else fail "exit status $got, expected $expected"; fi
}

ci 0 --accept
expect_content out <<END
jobs/board.yaml: all 70 frames drawn
jobs/other.yaml: all 70 frames drawn
END
echo note >mine/README
ci 0 --accept
expect_content out </dev/null
ci_same() { ci 0 && if grep -q drawn out; then fail 'an unchanged film is drawn'; else pass; fi; }
echo more >>mine/README
ci_same

# A title in one film; the other is not drawn.
echo 'titles: [ { text: I, frames: 36-37 } ]' >>mine/jobs/other.yaml
ci 1
expect_text out 'jobs/other.yaml: 30 of 70 frames drawn, 30-59: titles.0.text: was not set, is now "I"; '
expect_text out '; changed in frames 36-37'
expect_text out 'jobs/other.yaml: changed pixels: '
if grep -q 'jobs/board.yaml: .*drawn' out; then fail 'the other film is drawn'; else pass; fi
(cd cache/baseline.differences && ls) >files
expect_content files <<END
jobs-other.mkv
jobs-other.mkv.changed-0.png
jobs-other.mkv.changed-1.png
jobs-other.mkv.png
END
ci_accepted() { # as after a merge
    echo merged >>mine/README
    ci 0 --accept
}
ci_accepted
expect_text out 'jobs/other.yaml: 30 of 70 frames drawn, 30-59: '
echo again >>mine/README
ci_same

# Another color of one model.
sed -i 's/0.2;0.4;0.9/0.9;0.9;0.1/' mine/board.x
ci 1
expect_text out "jobs/board.yaml: all 70 frames drawn: models.0.file: contents of "
if grep -q 'jobs/other.yaml: .*drawn' out; then fail 'a film of another model is drawn'; else pass; fi
[ "$(find cache/baseline.differences -name 'jobs-board.mkv.changed-*' | grep -c .)" = 6 ] || fail 'pictures of a color'

finish
