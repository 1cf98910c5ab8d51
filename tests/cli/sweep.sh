# shellcheck shell=sh
# One call after another of a run fails: for each of them that touches a file of ours, the run ends as
# design.md says, nothing half-written stays, and the same command then makes what it always makes.
# Sourced after lib.sh and tiny.sh by test_calls_*.sh, which have
#   before/       what lies in o/ when the run begins
#   do_run WORD...  runs the program behind these words; all that it makes goes below o/
# FAULTS=all tries every call; else TRIES of them, spread out; SEED shifts which.
: "${FAULTS:=some}" "${TRIES:=6}" "${SEED:=$(date +%j)}"

can_strace() { command -v strace >/dev/null && strace -f --seccomp-bpf -o trace true 2>/dev/null; }

fresh() { rm -rf o && cp -r before o; }

# our_calls TRACE: of each line "PID call(...) = ..." about a file in this folder or named relative to it:
# the call, its number among those of its thread, as strace counts, and whether it was made to fail
our_calls() {
    awk -v here="$(pwd -P)/" '
        /resumed>/ || $2 !~ /\(/ { next }
        { call = $2; sub(/\(.*/, "", call); n = ++count[$1, call] }
        index($0, "<" here "err>") || index($0, "<" here "out>") { next }
        $0 ~ /\("[^\/"]/ || $0 ~ /<[^>]*>, "[^\/"]/ || $0 ~ /\([0-9]+</ && index($0, "<" here) ||
            index($0, "\"" here) {
            print call, n, (/INJECTED/ ? "failed" : "")
        }' "$1" | sort -u
}

faults_of() { # CALL
    case $1 in
    write | pwrite64 | writev) echo error=EIO error=ENOSPC error=EINTR signal=KILL ;;
    fsync | fdatasync) echo error=EIO error=EINTR signal=KILL ;;
    rename | renameat | renameat2) echo error=EXDEV signal=KILL ;;
    close) echo error=EIO error=EINTR ;;
    openat) echo error=EMFILE error=EIO signal=KILL ;;
    mkdir | ftruncate | fallocate) echo error=ENOSPC ;;
    read | pread64) echo error=EIO error=EINTR ;;
    fcntl) echo error=ENOLCK ;;
    getdents64) echo error=EIO ;;
    unlink | unlinkat) echo signal=KILL ;;
    esac
}

cause_of() { # FAULT: what the message says of it
    case $1 in
    *EIO) echo 'Input/output error' ;;
    *ENOSPC) echo 'No space left on device' ;;
    *ENOLCK) echo 'No locks available' ;;
    *EXDEV) echo 'Invalid cross-device link' ;;
    *EMFILE) echo 'Too many open files' ;;
    esac
}

# judge CALL FAULT STATUS: prints what is wrong with how it ended
judge() {
    hits=$(grep -c INJECTED trace)
    ours=$(our_calls trace | grep -c failed)
    case $2:$1:$3 in
    signal=KILL:*:0 | signal=KILL:*:70 | signal=KILL:*:137) ;;
    error=EINTR:*:0 | error=*:74) ;;
    error=*:write:0 | error=*:pwrite64:0 | error=*:writev:0 | error=*:fsync:0 | error=*:rename*:0)
        [ "$ours" = 0 ] || echo "ended with 0" ;;
    error=*:read:75 | error=*:openat:75) grep -qe "segment '.*' is" -e 'frames are missing' err || echo "ended with 75" ;; # drawn again, as if damaged
    error=*:0) ;;
    *) [ "$hits" -gt "$ours" ] || echo "ended with $3" ;; # a library's, of a thread with the same count
    esac
    [ "$3:$hits" = "74:$ours" ] || return
    [ "$(grep -c 'error:' err)" = 1 ] || echo "not exactly one error"
    grep -qF -e "$(cause_of "$2")" -e 'read back' err || echo "the cause is not told"
    grep -qE "o/|[/']o'|board\.x|camera\.vmd|noise\.wav|tiny\.yaml" err || echo "the file is not named"
}

strays() { # prints temporaries, and files under final names that are not as they should be
    find o -name '.*.tmp'
    diff -rq -x '.*.odori' o calm | grep -v '^Only in calm'
}

# try CALL N FAULT: prints what is wrong
try() {
    fresh
    do_run strace -f --seccomp-bpf -y -s 0 -o trace -e trace="$1" -e inject="$1:$3:when=$2" >out 2>err </dev/null
    status=$?
    grep -q 'INJECTED\|killed by SIGKILL' trace || return 0 # another order of calls than counted: met nothing
    judge "$1" "$3" "$status"
    case $3 in
    signal=*) diff -rq -x '.*.odori' -x '.*.tmp' o calm | grep -v '^Only in calm' ;;
    *) strays ;;
    esac
    if [ "$status" = 0 ] && ! diff -rq -x '.*.odori' o calm >/dev/null; then echo "ended with 0 and made another thing"; fi
    cp err err.fault
    do_run >out 2>err </dev/null || echo "then ended with $?: $(cat err)"
    find o -name '.*.tmp' -o -path '*.odori/piece/*'
    diff -rq -x '.*.odori' o calm
    cp err.fault err
}

sweep() {
    if ! can_strace; then
        skip "strace cannot be used here"
        return
    fi
    fresh
    do_run strace -f --seccomp-bpf -y -s 0 -o trace -e trace=desc,file >out 2>err </dev/null ||
        fail "the run to count the calls ended with $?"
    mv o calm
    our_calls trace | while read -r call n _; do
        for fault in $(faults_of "$call"); do echo "$call $n $fault"; done
    done >list
    total=$(grep -c . list)
    step=$((total / TRIES + 1))
    [ "$FAULTS" != all ] || step=1
    awk -v step="$step" -v at=$((SEED % step)) 'NR % step == at' list >chosen
    while read -r call n fault; do
        try "$call" "$n" "$fault" >wrong
        if [ -s wrong ]; then fail "$call $n $fault: $(cat wrong)"; else pass; fi
    done <chosen
    [ "$FAULTS" != all ] || echo "swept: $(cut -d ' ' -f 1 list | sort | uniq -c | tr -s ' \n' ' ')"
}
