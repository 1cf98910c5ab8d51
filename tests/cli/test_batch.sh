#!/bin/sh
# SPDX-License-Identifier: MIT
# batch: plan, run, status; failures, retries, stop and resume, Slurm.
# shellcheck source=tests/cli/lib.sh
# shellcheck disable=SC2154  # lib.sh sets work
. "$(dirname "$0")/lib.sh"

unset SLURM_CPUS_PER_TASK SLURM_MEM_PER_NODE


expect_status() { # STATUS EXPECTED
    if [ "$1" = "$2" ]; then pass; else fail "exit status $1, expected $2"; fi
}

mkdir jobs
cat >jobs/base.yaml <<EOF
version: 1
models: [ { file: $ODORI_DEMO/figure.pmx, motions: [$ODORI_DEMO/dance.vmd], physics: false } ]
render: { size: [64, 36], fps: 30, samples: 1, frames: "0-3" }
shadows: { self: false, map_size: 256 }
outputs: [ own.sha256 ]
EOF
cat >m.yaml <<'EOF'
version: 1
base: jobs/base.yaml
matrix:
  size: { small: { render.size: [64, 36] }, "大": { render.size: [80, 45] } }
  render.fps: [30, 15]
exclude: [ { size: "大", render.fps: 15 } ]
include:
  - { name: broken, set: { models.0.file: none.pmx } }
out: "film/{name}.sha256"
run: { jobs: 2, retries: 1 }
EOF

# plan lists all jobs and writes no file
run 0 batch plan m.yaml
expect_text out 'small-30  4       -     film/small-30.sha256  render.size=[64, 36]  render.fps=30'
expect_text out '大-30     4       -     film/大-30.sha256'
expect_text out '4 jobs, '
expect_text err "warning: job 'broken': m.yaml:8:43: models.0.file: cannot open '$work/none.pmx'"
expect_no_file film/small-30.sha256
expect_no_file .m.yaml.odori
run 0 batch plan m.yaml --json
expect_text out "\"outputs\":[\"$work/film/small-15.sha256\"]"

# run renders the other jobs although one fails; the films equal those of single renders
run 1 batch run m.yaml --summary sum.md
expect_text out 'small-30  done    4       1 '
expect_text out "models.0.file: cannot open '$work/none.pmx': No such file or directory"
expect_text out '3 done, 1 failed'
sed 's/after [0-9:]* (/after TIME (/' err >err.untimed
expect_text err.untimed 'broken: failed after TIME (66)'
expect_text err 'error: 1 of 4 jobs failed'
expect_text sum.md '| small-15 | done'
expect_text .m.yaml.odori/small-15.log '$ odori render '
run 0 render jobs/base.yaml -q --set "render.size=[80, 45]" -o single.sha256
expect_same single.sha256 film/大-30.sha256
run 75 batch status m.yaml --json
expect_text out '"done":3,"failed":1'
expect_text out '"name":"broken","frames":null'
expect_text out '"exit":66'

# a film that another renderer has begun is continued with --accept-renderer only
mkdir accept
cat >accept.yaml <<'EOF'
version: 1
base: jobs/base.yaml
include: [ { name: one, set: {} } ]
out: "accept/%02d.png"
EOF
run 0 batch run accept.yaml
rm accept/02.png
record=accept/.%02d.png.odori/renderers.txt
echo 'Mesa 9.0.1, softpipe' >"$record"
run 1 batch run accept.yaml
expect_text err '--accept-renderer'
run 0 batch run accept.yaml --accept-renderer
expect_file accept/02.png
expect_text "$record" 'Mesa 9.0.1, softpipe'

# errors have their location and are reported before any job is run
sed 's/render.size: \[80, 45\]/render.sice: [80, 45]/' m.yaml >typo.yaml
run 78 batch run typo.yaml
expect_text err "typo.yaml:4:59: unknown key 'sice'; did you mean 'size'?"
expect_text err "in job '大-30'"
expect_no_file .typo.yaml.odori
sed 's/{name}/x\/..\/{size}/; s/"broken"/&/; /broken/d; /include/d' m.yaml >twice.yaml
run 78 batch run twice.yaml
expect_text err "jobs 'small-30' and 'small-15' both write '$work/film/small.sha256'"
expect_no_file .twice.yaml.odori
run 2 batch paln m.yaml
expect_text err "is not one of plan, run, status"
run 66 batch plan none.yaml

# a job whose passes need the frames before and after cannot have the bake of one without them
cat >passes.yaml <<EOF
version: 1
base: jobs/dance.yaml
matrix:
  pass: { plain: { outputs.0.passes: [beauty] }, moving: { outputs.0.passes: [beauty, motion] },
          deep: { outputs.0.passes: [beauty, depth] } }
out: "film/passes-{name}-%03d.exr"
EOF
sed 's/own.sha256/own-%03d.exr/; s/, physics: false//' jobs/base.yaml >jobs/dance.yaml
run 0 batch run passes.yaml
expect_file film/passes-plain-000.exr
expect_file film/passes-moving-000.exr
expect_text .passes.yaml.odori/deep.log 'physics.bake='
if grep 'physics.bake=' .passes.yaml.odori/moving.log; then fail 'moving: a bake without motion'; else pass; fi

# two jobs with the same simulation share one bake, which is removed at the end
cat >shared.yaml <<'EOF'
version: 1
base: jobs/base.yaml
matrix: { side: { a: {}, b: { render.size: [80, 45] } } }
include: [ { name: other, set: { render.frames: "0-1", models.0.physics: true } } ]
out: "shared/{name}/"
run: { jobs: 1 }
EOF
sed -i 's/a: {}/a: {models.0.physics: true}/; s/b: {/b: {models.0.physics: true, /' shared.yaml
run 0 batch run shared.yaml --json
expect_text err 'bake '
expect_text .shared.yaml.odori/b.log 'physics.bake='
expect_text out '"done":3,"failed":0'
expect_file shared/b/own.sha256
run 0 render jobs/base.yaml -q --set models.0.physics=true -o moving.sha256
expect_same moving.sha256 shared/a/own.sha256
find .shared.yaml.odori -name '*.bake' >remaining
expect_empty remaining

# a temporary failure: a limit of file sizes, which is removed later
cat >retry.yaml <<'EOF'
version: 1
base: jobs/base.yaml
include: [ { name: once, set: { render.size: [320, 180] } } ]
out: "retry/%02d.png"
run: { retries: 6 }
EOF
if command -v prlimit >/dev/null; then
    prlimit --fsize=4096:unlimited "$ODORI" batch run retry.yaml >out 2>err &
    batch=$!
    until grep -q 'will be retried' err || ! kill -0 $batch 2>/dev/null; do sleep 0.05; done
    # its jobs are started by a child of it, which has the limit, too
    for process in $batch $(grep -l "^PPid:[[:space:]]*$batch\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3); do
        prlimit --pid "$process" --fsize=unlimited
    done
    wait $batch
    expect_status $? 0
    expect_text err '(74): cannot write '
    expect_text err 'once: failed, will be retried after '
    if grep -q 'once  done    4       [2-7] ' out; then pass; else fail 'not tried again'; fi # a busy machine may need more tries
    expect_file retry/03.png
else
    skip "prlimit is not installed: retries are not tested"
fi

# on_failure: stop
cat >first.yaml <<'EOF'
version: 1
base: jobs/base.yaml
matrix: { models.0.file: [none.pmx, nothing.pmx] }
out: "first/{name}.sha256"
run: { on_failure: stop, jobs: 1 }
EOF
run 1 batch run first.yaml --progress json --json
expect_text err '"event":"job","job":"none","what":"failed"'
expect_text err 'error","message":"1 of 2 jobs failed, 1 were not started"'
expect_text err '"event":"end","ok":false,"exit":1'
expect_text out '"waiting":1,"running":0,"done":0,"failed":1'

# a stop signal ends the batch and leaves no incomplete file; a second batch is refused meanwhile; the next run resumes.
# The second job simulates for minutes before its first frame.
cat >stop.yaml <<'EOF'
version: 1
base: jobs/base.yaml
matrix:
  n:
    a: { render.frames: "0-1" }
    b: { render.frames: "0-59", models.0.physics: true, physics.warmup_s: 60, physics.step_hz: 1200 }
    c: { render.frames: "0-2" }
out: "stop/{n}.sha256"
EOF
wait_until() { # COMMAND...
    i=0
    until "$@" || [ $i = 2400 ]; do
        i=$((i + 1))
        sleep 0.05
    done
}
wait_for() { wait_until grep -qF "$1" first; }
wait_for_file() { wait_until test -e "$1"; }
: >first
"$ODORI" batch run stop.yaml >first.out 2>first &
batch=$!
wait_for 'b: started'
run 75 batch run stop.yaml
expect_text err 'stop.yaml: another batch is running on this manifest'
kill -USR1 $batch
wait_for 'odori: status: jobs 1/3 33%'
kill -TERM $batch
wait $batch 2>/dev/null
expect_status $? 143
expect_text first.out 'b    stopped'
expect_text first 'odori: status: jobs 1/3 33%'
expect_text first.out 'c    waiting'
expect_no_file stop/b.sha256
run 75 batch status stop.yaml
expect_text out '1 waiting, 1 done, 1 stopped'
: >first
"$ODORI" batch run stop.yaml >first.out 2>first &
batch=$!
wait_for 'b: started'
wait_for_file stop/.b.sha256.odori/job.json
kill -KILL $batch
wait $batch 2>/dev/null
sed -i 's/, models.0.physics: true, .*_hz: 1200//' stop.yaml
"$ODORI" batch run stop.yaml >out 2>err
got=$?
i=0
while [ $got = 75 ] && grep -q "another batch is running" err && [ $i -lt 30 ]; do # the job of the killed one is still ending
    i=$((i + 1))
    "$ODORI" batch run stop.yaml >out 2>err
    got=$?
done
expect_status $got 0
expect_text out '3 done'
run 0 batch status stop.yaml
run 0 render jobs/base.yaml -q -f 0-59 -o full.sha256
expect_same stop/b.sha256 full.sha256
find stop -name '*.tmp' >remaining
expect_empty remaining

# after a change of the manifest the job replaces its earlier outputs, but no foreign files
sed -i 's/0-59/0-8/' stop.yaml
run 0 batch run stop.yaml
expect_text .stop.yaml.odori/b.log 'rendered by an earlier version of this job (render.frames:'
sed -i 's/0-8/0-9/' stop.yaml
echo precious >stop/b.sha256
run 1 batch run stop.yaml
expect_text out "stop/b.sha256' exists and was not written by this job"
expect_text out '2 done, 1 failed'
expect_text stop/b.sha256 precious
run 75 batch status stop.yaml
expect_text out 'b    failed  10 '
run 0 batch run stop.yaml --overwrite
expect_text err '15 frames in '
expect_text .stop.yaml.odori/b.log '--overwrite'
run 0 batch run stop.yaml
expect_text err '0 frames in '
run 0 batch status stop.yaml --json
expect_text out '"name":"b","frames":10'
expect_text out '"rendered":10'

# Slurm: queued jobs are not submitted again
mkdir bin log
export LOG="$work/log"
cat >bin/sbatch <<'FAKE'
#!/bin/sh
n=$(($(cat "$LOG/number" 2>/dev/null || echo 100) + 1))
echo "$n" >"$LOG/number"
printf '%s\n' "$@" >"$LOG/options.$n"
cat >"$LOG/step.$n"
echo "$n"
FAKE
cat >bin/squeue <<'FAKE'
#!/bin/sh
cat "$LOG/queue" 2>/dev/null
exit 0
FAKE
chmod +x bin/sbatch bin/squeue
cat >cluster.yaml <<'EOF'
version: 1
base: jobs/base.yaml
matrix: { render.fps: [30, 15] }
out: "cluster/{name}.mkv"
run: { shards: 3, jobs: 1 }
EOF
with_slurm() { # STATUS ARGUMENT...
    PATH="$work/bin:$PATH" run "$@"
}
with_slurm 0 batch run cluster.yaml --slurm --options --partition=long
expect_text out '30   submitted  4       1 '
expect_text out 'shards 101, join 102'
expect_text out 'shards 103, join 104'
expect_text log/options.103 --partition=long
expect_text log/step.103 '--set render.fps=15'
printf '7\n103_[1-3]\n104\n' >log/queue
with_slurm 0 batch run cluster.yaml --slurm
expect_text out 'shards 105, join 106'
expect_text out 'shards 103, join 104'
[ "$(cat log/number)" = 106 ]
expect_status $? 0
with_slurm 75 batch status cluster.yaml
expect_text out '1 stopped, 1 submitted'
printf '#!/bin/sh\nexit 1\n' >bin/squeue
with_slurm 75 batch status cluster.yaml
expect_text out '2 submitted' # squeue fails, so the recorded state stays

# Nodes of 2 cores: a shard asks for no more; of the partition that the options name, else of the default one.
cat >bin/sinfo <<'FAKE'
#!/bin/sh
case "$*" in
*'-p big'*) echo '64 big' ;;
*'-p both'*) printf '2 both\n3+ both\n' ;;
*) printf '64 big\n2 small*\n1 small*\n' ;;
esac
FAKE
chmod +x bin/sinfo
while read -r cores options; do
    with_slurm 0 submit jobs/base.yaml -o one.mkv --to slurm --shards 2 --options "--hold $options"
    expect_text out "shards=\$(shards_step | submit shards $cores "
done <<'END'
2 --time=5
4 --partition=big
4 -p big
4 -pbig
3 --partition both
END
with_slurm 0 submit jobs/base.yaml -o one.mkv --to slurm --shards 2 -j 6
expect_text out 'submit shards 6 '
SBATCH_PARTITION=big with_slurm 0 submit jobs/base.yaml -o one.mkv --to slurm --shards 2
expect_text out 'submit shards 4 '
with_slurm 0 submit jobs/base.yaml -o one.mkv --to slurm --shards 2 --submit --json
expect_text out '"text":"shards 1'

# A refusal that will not change is not retried, and its sentence is in the table; one that may is.
cat >bin/sbatch <<'END'
#!/bin/sh
echo >>"$LOG/asked"
echo "sbatch: error: Batch job submission failed: $REFUSAL" >&2
exit 1
END
rm -r log/number .cluster.yaml.odori
REFUSAL='Requested node configuration is not available'
export REFUSAL
with_slurm 1 batch run cluster.yaml --slurm
expect_text out "the jobs were not submitted: sbatch: error: Batch job submission failed: $REFUSAL"
[ "$(wc -l <log/asked)" = 2 ]
expect_status $? 0
with_slurm 1 submit jobs/base.yaml -o one.mkv --to slurm --shards 2 --submit --json
expect_text out "$REFUSAL"
REFUSAL='Unable to contact slurm controller (connect failure)'
with_slurm 69 submit jobs/base.yaml -o one.mkv --to slurm --shards 2 --submit
expect_text err "$REFUSAL"

find . -name '*.tmp' >remaining
expect_empty remaining

# Values that are lists name themselves, too.
cat >sizes.yaml <<'END'
version: 1
base: jobs/base.yaml
matrix: { render.size: [[32, 18], [18, 32]] }
out: "sizes/{render.size}.mp4"
END
run 0 batch plan sizes.yaml
expect_text out 'sizes/32x18.mp4'
expect_text out 'sizes/18x32.mp4'
expect_text out 'render.size=[18, 32]'
sed -i 's/\[32, 18\]/[[32], 18]/' sizes.yaml
run 78 batch plan sizes.yaml
expect_text err 'render.size: a list is not a plain value or a list of them; name other values: {NAME: {KEY: VALUE}}'

finish
