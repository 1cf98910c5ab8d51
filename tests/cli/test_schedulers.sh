#!/bin/sh
# SPDX-License-Identifier: MIT
# submit --to: a film by the script for each scheduler.  The commands that submit are stand-ins that behave as the manuals say:
# they set the variables of an array, run its tasks, and refuse what the real ones refuse.  Slurm has test_many.sh.
# shellcheck disable=SC2016  # names contain $
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
export LOG="$work/log"
path=$PATH
program=$ODORI
unset ODORI_SHARDS NSLOTS
mkdir log "$work/夢 it's \$(x)"
cd "$work/夢 it's \$(x)" || exit 1
cat >"film.yaml" <<JOB
version: 1
name: "2: it's"
models: [ { file: $ODORI_DEMO/figure.pmx, motions: [$ODORI_DEMO/dance.vmd], physics: false } ]
shadows: { self: false, map_size: 256 }
render: { size: [64, 36], samples: 1, fps: 30, frames: 0-9, workers: 1 }
outputs: [ { file: film.sha256, gop: 2 } ]
JOB

# ---- stand-ins: options after shift are those that the test is about ----
mkdir "$work/bin" "$work/sge" "$work/pbs" "$work/torque" "$work/condor" "$work/lsf" "$work/oar" "$work/aws"
# run.sh VARIABLE FIRST LAST: runs the script $LOG/step for each index; the status is the first that is not 0
cat >"$work/bin/tasks" <<'FAKE'
#!/bin/sh
i=$2
while [ "$i" -le "$3" ]; do
    env "$1=$i" ${4:+"$4"} ${5:+"$5"} ${6:+"$6"} sh "$LOG/step" >>"$LOG/output" 2>&1 || exit
    i=$((i + 1))
done
FAKE
cat >"$work/bin/number" <<'FAKE'
#!/bin/sh
n=$(($(cat "$LOG/number" 2>/dev/null || echo 10) + 1))
echo "$n" | tee "$LOG/number"
FAKE
# qsub -terse: "11" or "11.1-3:1"; waits for jobs whatever their status, but not for one with 100
cat >"$work/sge/qsub" <<'FAKE'
#!/bin/sh
printf '%s\n' "$*" >>"$LOG/options"
n=$(number) range= last=undefined
cat >"$LOG/step"
while [ $# -gt 0 ]; do
    case $1 in
    -N) case $2 in [0-9]*) echo 'denied: "'"$2"'" is not a valid object name' >&2; exit 1 ;; esac ;;
    -t) last=${2#1-} range=.$2:1 ;;
    -hold_jid) case $2 in *[!0-9]*) exit 1 ;; esac; [ ! -e "$LOG/failed.$2" ] || exit 1 ;;
    esac
    shift
done
if [ $last = undefined ]; then
    SGE_TASK_ID=undefined SGE_TASK_LAST=undefined sh "$LOG/step" >>"$LOG/output" 2>&1
else
    tasks SGE_TASK_ID 1 "$last" SGE_TASK_FIRST=1 "SGE_TASK_LAST=$last" SGE_TASK_STEPSIZE=1
fi
status=$?
[ $status != 100 ] || : >"$LOG/failed.$n"
echo "$n$range"
FAKE
# OpenPBS: an array has at least two tasks; Torque: "11[].host", on which afterok does not work
for kind in pbs torque; do
    cat >"$work/$kind/qsub" <<FAKE
#!/bin/sh
printf '%s\\n' "\$*" >>"\$LOG/options"
n=\$(number) last= array= kind=$kind
FAKE
    cat >>"$work/$kind/qsub" <<'FAKE'
cat >"$LOG/step"
while [ $# -gt 0 ]; do
    case $kind$1 in
    pbs-J | torque-t) last=${2#1-} array='[]' ;;
    pbs-t | torque-J) exit 1 ;;
    *-W)
        case $kind$2 in
        pbsdepend=afterok:*[0-9].host | pbsdepend=afterok:*'[].host') ;;
        torquedepend=afterok:*[0-9].host | torquedepend=afterokarray:*'[].host') ;;
        *) exit 1 ;;
        esac ;;
    esac
    shift
done
[ "$kind$last" != pbs1 ] || exit 1
case $kind${last:+-} in
pbs-) tasks PBS_ARRAY_INDEX 1 "$last" ;;
torque-) tasks PBS_ARRAYID 1 "$last" ;;
*) sh "$LOG/step" >>"$LOG/output" 2>&1 ;;
esac || exit
echo "$n$array.host"
FAKE
done
# bsub: "name[1-3]", done(11)
cat >"$work/lsf/bsub" <<'FAKE'
#!/bin/sh
printf '%s\n' "$*" >>"$LOG/options"
n=$(number) last=0
cat >"$LOG/step"
while [ $# -gt 0 ]; do
    case $1 in
    -J) case $2 in *'[1-'*']') last=${2##*-} last=${last%]} ;; esac ;;
    -w) [ "$2" = "done($((n - 1)))" ] || exit 1 ;;
    esac
    shift
done
tasks LSB_JOBINDEX $((last > 0)) "$last" "LSB_JOBINDEX_END=$last" LSB_JOBINDEX_STEP=1 || exit
echo "Job <$n> is submitted to default queue <normal>."
FAKE
# oarsub: a number for each task, a command instead of a script on standard input, -a for each number
cat >"$work/oar/oarsub" <<'FAKE'
#!/bin/sh
printf '%s\n' "$*" >>"$LOG/options"
last=1
while [ $# -gt 1 ]; do
    case $1 in
    --array) last=$2 ;;
    -a) case $2 in *[!0-9]* | '') exit 1 ;; esac; echo "$2" >>"$LOG/waited" ;;
    esac
    shift
done
cp "${1#sh }" "$LOG/step"
tasks OAR_ARRAY_INDEX 1 "$last" || exit
echo '[ADMISSION RULE] Modify resource description'
while [ "$last" -gt 0 ]; do echo "OAR_JOB_ID=$(number)"; last=$((last - 1)); done
FAKE
# aws: the command is JSON; an array has at least two tasks
cat >"$work/aws/aws" <<'FAKE'
#!/bin/sh
[ "$1 $2" = "batch submit-job" ] || exit 1
n=$(number) last=
while [ $# -gt 0 ]; do
    case $1 in
    --array-properties) last=${2#size=} ;;
    --container-overrides) printf '%s' "$2" | python3 -c '
import json, sys
words = json.load(sys.stdin)["command"]
assert words[:2] == ["sh", "-c"] and len(words) == 3
sys.stdout.write(words[2])' >"$LOG/step" || exit 1 ;;
    --retry-strategy) printf '%s' "$2" | python3 -m json.tool >"$LOG/options" || exit 1 ;;
    --depends-on) [ "$2" = "jobId=$((n - 1))" ] || exit 1 ;;
    esac
    shift
done
[ "$last" != 1 ] || exit 1
if [ "$last" ]; then
    tasks AWS_BATCH_JOB_ARRAY_INDEX 0 $((last - 1)) "AWS_BATCH_JOB_ARRAY_SIZE=$last"
else
    sh "$LOG/step" >>"$LOG/output" 2>&1
fi || exit
echo "$n"
FAKE
# condor_submit_dag: runs the nodes in the order of the file, with $(Process) from 0
cat >"$work/condor/condor_submit_dag" <<'FAKE'
#!/bin/sh
[ "$1" = -force ] && shift
grep ^PARENT "$1" >"$LOG/parents"
sed -n 's/^JOB [a-z]* //p' "$1" | while read -r description; do
    cat "$description" >>"$LOG/options"
    last=$(sed -n 's/^queue //p' "$description")
    cp "$(sed -n 's/^arguments = //p' "$description")" "$LOG/step"
    tasks ODORI_PROCESS 0 $((last - 1)) || exit
done
FAKE
chmod +x "$work"/*/*
export PATH="$work/bin:$path"

# film SCHEDULER SHARDS [FLAG...]: submits the film, which must be that of one run
run 0 render film.yaml -q
mv film.sha256 one.sha256
film() {
    rm -rf log film.sha256 .film.sha256.odori "$LOG" && mkdir "$LOG"
    to=$1 shards=$2
    shift 2
    PATH="$work/$to:$work/bin:$path" run 0 submit film.yaml --to "$to" --shards "$shards" --submit "$@"
    if cmp -s film.sha256 one.sha256; then pass; else fail "$to: the film differs from that of one run: $(cat err "$LOG"/output)"; fi
    cp "$LOG/options" options
}

film sge 3 --no-bake --options '-q long'
expect_content out <<'EOT'
shards 11
join 12
EOT
expect_text options '-t 1-3 -notify -q long'
expect_text options '-hold_jid 11 -q long'
film pbs 2
expect_text options '-J 1-2'
expect_text options '-W depend=afterok:11[].host'
film pbs 1
film torque 2
film condor 2 --options 'accounting_group=films +Owner=$(x)'
expect_text options 'accounting_group=films'
expect_text options '+Owner=$(x)'
expect_text options 'environment = "ODORI_PROCESS=$(Process) ODORI_CORES=1"'
cp "$LOG/parents" parents
expect_content parents <<'EOT'
PARENT shards CHILD join
EOT
film lsf 2
expect_text options '-Q 75'
film oar 2
expect_text options '--array 2'
cp "$LOG/waited" waited
expect_content waited <<'EOT'
11
12
EOT
if command -v python3 >/dev/null; then
    film aws 2 --options '--job-queue q'
    film aws 1
else
    skip "python3 is not installed: the script for AWS Batch is not run"
fi

# ---- statuses of a shard, which the scheduler acts on ----
cp "$program" "$work/bin/odori" && ODORI=$work/bin/odori
for to in sge lsf oar condor aws; do
    run 0 submit film.yaml --to $to --shards 3
    sed -n '/^shards_step/,/^STEP/p' out | sed '1,2d;$d' >"$to.step"
done
cat >"$work/bin/odori" <<'FAKE'
#!/bin/sh
[ "$FAKE_STATUS" != late ] || { : >"$LOG/started"; trap 'exit 143' TERM; while :; do sleep 0.05; done; }
exit "$FAKE_STATUS"
FAKE
export FAKE_STATUS SGE_TASK_ID=1 LSB_JOBINDEX=1 OAR_ARRAY_INDEX=1 ODORI_PROCESS=0 AWS_BATCH_JOB_ARRAY_INDEX=0
step() { # SCHEDULER RENDERER'S-STATUS EXPECTED
    FAKE_STATUS=$2
    rm -f "$LOG/started"
    sh "$1.step" >/dev/null 2>&1 &
    shell=$!
    if [ "$2" = late ]; then
        until [ -e "$LOG/started" ] || ! kill -0 $shell; do sleep 0.05; done
        case $1 in condor | aws) kill -TERM $shell ;; *) kill -USR2 $shell ;; esac
    fi
    wait $shell
    got=$?
    if [ $got = "$3" ]; then pass; else fail "$1: status $2 of the renderer became $got, expected $3"; fi
}
for to in sge lsf oar condor aws; do
    case $to in
    sge) again=99 final=100 ;;
    oar) again=99 final=65 ;;
    *) again=75 final=65 ;;
    esac
    step $to 0 0
    step $to 65 $final
    for status in 69 74 75 late; do step $to $status $again; done
done

# ---- the command line ----
ODORI=$program
run 2 submit film.yaml --shards 2
expect_text err '--to SCHEDULER is required'
run 2 submit film.yaml --shards 2 --to cron
expect_text err "--to: 'cron' is not one of slurm, sge, pbs, torque, condor, lsf, oar, aws, k8s, openjd"
run 2 submit film.yaml --shards 2 --to k8s --submit
expect_text err '--submit and --options do not go with --to k8s'
run 2 submit film.yaml --shards 2 --to sge --image x
expect_text err '--image, --claim and --mount do not go with --to sge'
run 0 submit film.yaml --shards 2 --to k8s --image x
expect_text out "generated by 'odori submit'"
PATH=$work/bin:/usr/bin:/bin run 69 submit film.yaml --shards 2 --to torque --submit
expect_text err 'qsub not found; run this on a host of the cluster'

finish
