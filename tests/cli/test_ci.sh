#!/bin/sh
# SPDX-License-Identifier: MIT
# The shell steps of configs/ci/github-actions.yml, on a pull request of three jobs: their annotations, the images, the
# pages, and the step summary.  Those of github-baseline.yml, which fail on a film that changes.
# shellcheck source=tests/cli/lib.sh disable=SC2154  # which sets here and work
. "$(dirname "$0")/lib.sh"

recipe=$here/../../configs/ci/github-actions.yml
if ! command -v git >/dev/null; then
    skip "git is not installed"
    finish
    exit
fi

# The script of a step, without its indentation.
script_of() { # NAME OF THE STEP
    awk -v name="      - name: $1" '
        /^      - / { inside = $0 == name; script = 0 }
        inside && script { print substr($0, 11) }
        inside && /^        run: \|/ { script = 1 }' "$recipe" >"$work/step.sh"
    [ -s "$work/step.sh" ] || fail "the recipe has no step '$1'"
}

# run_step STATUS NAME: as the runner does, with bash -e where it is installed
run_step() {
    script_of "$2"
    (cd repository && $shell -e "$work/step.sh") >out 2>err </dev/null
    got=$?
    if [ "$got" = "$1" ]; then pass; else fail "step '$2': exit status $got, expected $1"; fi
}
shell=$(command -v bash || echo sh)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b

# ---- a repository with jobs, and the merge commit of a pull request ----
git init -q --bare origin.git
git init -q repository
job() { # FILE KEY
    cat >"repository/jobs/$1" <<END
version: 1
models: [ { file: $ODORI_DEMO/figure.pmx, motions: [$ODORI_DEMO/dance.vmd], physics: false } ]
shadows: { self: false, map_size: 256 }
render: { $2, samples: 1, frames: 0-5 }
outputs: [ film.mp4 ]
previews: [ { type: sheet, file: unused.png, cells: [3, 2], width: 192 } ]
END
}
commit() { git -C repository add jobs && git -C repository commit -q -m "$1"; }
mkdir -p repository/jobs/more
job old.yaml 'size: [64, 36]'
job gone.yaml 'size: [64, 36]'
job more/good.yaml 'size: [64, 36], edges: false'
commit base
git -C repository remote add origin "$work/origin.git"
rm repository/jobs/gone.yaml
job '踊り.yaml' 'size: [64, 36]'
job more/good.yaml 'size: [64, 36]'
job wrong.yaml 'sise: [64, 36]'
commit change
mkdir -p repository/.odori-source/out repository/.odori-source/configs
ln -s "$ODORI" repository/.odori-source/out/odori
ln -s "$here/../../configs/ci" repository/.odori-source/configs/ci

# ---- the steps ----
export GITHUB_SERVER_URL=https://github.example GITHUB_REPOSITORY=us/films GITHUB_OUTPUT="$work/outputs" \
    GITHUB_STEP_SUMMARY="$work/summary.md" BRANCH=odori-previews/7
run_step 1 'Check and preview every changed job'
expect_text out "::error file=jobs/wrong.yaml,line=4,col=11,title=job::unknown key 'render.sise'"
if grep '^::' out | grep -v wrong.yaml; then fail "annotations of jobs without mistakes"; else pass; fi
for name in 踊り more-good; do
    expect_file "repository/previews/$name.png"
    expect_file "repository/previews/$name.md"
    expect_file "repository/previews/$name.html"
done
expect_text repository/previews/more-good.html 'Before and after' # only this job is in the base
if grep -q 'Before and after' repository/previews/踊り.html; then fail "a new job has a base"; else pass; fi
expect_no_file repository/previews/old.png
expect_no_file repository/previews/gone.md
GIT_INDEX_FILE=$work/index
export GIT_INDEX_FILE
run_step 0 'Publish the images'
unset GIT_INDEX_FILE
URL=$(sed -n 's/^url=//p' outputs)
export URL
run_step 0 'Write the step summary'
commit=${URL##*/}
if [ "$URL" = "https://github.example/us/films/raw/$commit" ]; then pass; else fail "address '$URL'"; fi

# Each image of the summary is in the published commit, which has no history.
sed -n 's|^!\[.*\](\(.*\))$|\1|p' summary.md >links
if [ "$(grep -c "^$URL/.*\.png\$" links)" = 2 ]; then pass; else fail "images: $(cat links)"; fi
git -C origin.git cat-file -p "$commit:more-good.png" >published.png
expect_same published.png repository/previews/more-good.png
# shellcheck disable=SC2016  # the backquotes are Markdown
expect_text summary.md 'The page `more-good.html` is in the artifact *previews*.'
if git -C origin.git ls-tree -r --name-only "$commit" | grep -qv '\.png"*$'; then fail "more than images is published"; else pass; fi
expect_text links '/%E8%B8%8A%E3%82%8A.png'
if [ "$(git -C origin.git rev-list --count "refs/heads/$BRANCH")" = 1 ]; then pass; else fail "commits on $BRANCH"; fi
expect_text summary.md '# jobs/wrong.yaml'

# A pull request from a fork: no address.
rm summary.md
unset URL
run_step 0 'Write the step summary'
expect_text summary.md 'The image is in the artifact *previews*.'
if grep -q '^!\[' summary.md; then fail "an image without an address"; else pass; fi

# ---- the jobs that a change affects: of a clone, by a texture, a sound that is removed, and nothing ----
mkdir -p films/jobs films/models
cp "$ODORI_DEMO"/figure.pmx "$ODORI_DEMO"/*.png "$ODORI_DEMO"/tune.wav films/models/
for name in one two; do
    printf 'version: 1\nmodels: [ ../models/figure.pmx ]\nrender: { size: [64, 36], frames: 0-5 }\noutputs: [ film.mp4 ]\n' >"films/jobs/$name.yaml"
done
echo 'audio: ../models/tune.wav' >>films/jobs/two.yaml
git init -q films
git -C films add .
git -C films commit -q -m base
git clone -q --bare films films.git
affected() { # EXPECTED: of the last commit of films, in a clone of the bare repository
    git -C films push -q "$work/films.git" HEAD:main
    rm -rf clone
    git clone -q --branch main films.git clone
    git -C clone worktree add --quiet --detach .odori-base HEAD^1
    got=$(cd clone && sh "$here/../../configs/ci/changed-jobs.sh" HEAD^1 .odori-base | tr '\n' ' ')
    if [ "$got" = "$1" ]; then pass; else fail "affected: '$got', not '$1'"; fi
}
run 0 check films/jobs/two.yaml --json
expect_text out '"named_by":"audio.file"'
expect_text out "/face.png\",\"bytes\":"
texture=$(grep -o '"path":"[^"]*face[^"]*png"' out | head -n 1 | cut -d '"' -f 4)
expect_file "$texture"
cp films/models/hair.png films/models/face.png
git -C films commit -q -a -m texture
affected 'jobs/one.yaml jobs/two.yaml '
git -C films rm -q models/tune.wav
git -C films commit -q -m sound
affected 'jobs/two.yaml '
echo note >films/models/note.txt
git -C films add .
git -C films commit -q -m note
affected ''

# ---- the baseline ----
recipe=$here/../../configs/ci/github-baseline.yml
rm -r repository/jobs
mkdir -p repository/jobs/more
sound_job() { # FILE KEYS: with sound
    cat >"repository/jobs/$1" <<END
version: 1
models: [ { file: $ODORI_DEMO/figure.pmx, motions: [$ODORI_DEMO/dance.vmd], physics: false } ]
shadows: { self: false, map_size: 256 }
audio: { file: $ODORI_DEMO/tune.wav$3 }
render: { size: [64, 36], samples: 1, fps: $2 }
outputs: [ film.mp4 ]
END
}
export RENDER='--frames 0-5'
sound_job one.yaml 30 ''
sound_job 'more/two words.yaml' 30 ''
run_step 0 'Render the baseline'
expect_file repository/baseline/jobs-one.mkv
expect_file repository/baseline/.jobs-one.mkv.odori/report.json # of the render, for the next one
expect_file 'repository/baseline/jobs-more-two words.mkv'
job new.yaml 'size: [64, 36]'
run_step 0 'Compare with the baseline'
expect_text out 'jobs/new.yaml: no baseline'
rm repository/jobs/new.yaml
if find repository/baseline.differences -type f | grep -q .; then fail "a difference of equal films"; else pass; fi

# A difference that is accepted leaves nothing among those that are not.
sound_job one.yaml 30 ''
echo 'light: { color: [0.6, 0.6, 0.61] }' >>repository/jobs/one.yaml
run_step 0 'Compare with the baseline'
expect_text out 'all: PSNR '
if find repository/baseline.differences -type f | grep -q .; then fail "an accepted difference is kept"; else pass; fi

# Frame rate, sound and images: each fails by itself.
differs() { # MESSAGE: of one.yaml
    run_step 123 'Compare with the baseline'
    expect_text out "title=difference::$1"
    expect_text out 'jobs/more/two words.yaml:'
    expect_file repository/baseline.differences/jobs-one.mkv
}
sound_job one.yaml 25 ''
differs 'frame rates differ: 30 and 25 frames/s'
sound_job one.yaml 30 ', gain_db: -6'
differs 'sound: samples differ from '
if [ -e repository/baseline.differences/jobs-one.mkv.png ]; then fail "an image of equal frames"; else pass; fi
job one.yaml 'size: [64, 36], fps: 30'
differs 'sound: only in baseline/jobs-one.mkv'
sound_job one.yaml 30 ''
echo 'light: { color: [0.5, 0.6, 0.6] }' >>repository/jobs/one.yaml
differs 'differences in 6 of 6 frames, first frame 0'
expect_file repository/baseline.differences/jobs-one.mkv.png

finish
