# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Makes one system call of a run fail, for many calls in turn: the run must end with the documented exit
# status, leave no incomplete file, and the same command must produce the usual files afterwards.
# Sourced after lib.sh and tiny.sh by test_calls_*.sh, which provide
#   before/            the contents of o/ at the start of the run
#   do_run COMMAND...  runs the program, prefixed by COMMAND; all of its files are written below o/
# FAULTS=all injects every fault; otherwise TRIES of them at equal distances; SEED selects the first.
: "${FAULTS:=some}" "${TRIES:=6}" "${SEED:=$(date +%j)}"

can_strace() { command -v strace >/dev/null && strace -f --seccomp-bpf -o trace true 2>/dev/null; }

fresh() { rm -rf o && cp -r before o; }

# our_calls TRACE: for each line "PID call(...) = ..." about a file below this directory, prints the call,
# its number in its thread, as strace counts, and "failed" if a fault was injected
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

cause_of() { # FAULT: prints the cause that the message must contain
    case $1 in
    *EIO) echo 'Input/output error' ;;
    *ENOSPC) echo 'No space left on device' ;;
    *ENOLCK) echo 'No locks available' ;;
    *EXDEV) echo 'Invalid cross-device link' ;;
    *EMFILE) echo 'Too many open files' ;;
    esac
}

# check_end CALL FAULT STATUS: prints what is wrong with the exit status and the message
check_end() {
    hits=$(grep -c INJECTED trace)
    ours=$(our_calls trace | grep -c failed)
    case $2:$1:$3 in
    signal=KILL:*:0 | signal=KILL:*:70 | signal=KILL:*:137) ;;
    signal=KILL:*:75) grep -q 'the process that writes files was killed' err || echo "exit status 75" ;;
    error=EMFILE:openat:69) grep -q 'cannot .*: Too many open files' err || echo "exit status 69" ;;
    error=EINTR:*:0 | error=*:74) ;;
    error=*:write:0 | error=*:pwrite64:0 | error=*:writev:0 | error=*:fsync:0 | error=*:rename*:0)
        [ "$ours" = 0 ] || echo "exit status 0" ;;
    error=*:read:75 | error=*:openat:75) grep -qe "segment '.*' is" -e 'frames are missing' err || echo "exit status 75" ;; # rendered again, as if damaged
    error=*:0) ;;
    *) [ "$hits" -gt "$ours" ] || echo "exit status $3" ;; # in a library, in a thread with the same count
    esac
    [ "$3:$hits" = "74:$ours" ] || return
    [ "$(grep -c 'error:' err)" = 1 ] || echo "not exactly one error message"
    grep -qF -e "$(cause_of "$2")" -e 'read back' err || echo "the message lacks the cause"
    grep -qE "o/|[/']o'|board\.x|camera\.vmd|noise\.wav|tiny\.yaml" err || echo "the message lacks the file"
}

# differences [NAME...]: prints how o/ differs from the reference run, without checkpoints and these names
differences() {
    diff -rq -x '.*.odori' "$@" o reference
}

# try CALL N FAULT: prints what is wrong
# A failed close leaves the end of a pipe open, which the kernel never does, and a process may wait for its other end: such
# a run is killed, and its exit status counts only where the call was that of a file.
try() {
    fresh
    do_run timeout -s KILL 200 strace -f --seccomp-bpf -y -s 0 -o trace -e trace="$1" -e inject="$1:$3:when=$2" >out 2>err </dev/null
    status=$?
    grep -q 'INJECTED\|killed by SIGKILL' trace || return 0 # the order of calls has changed: no fault was injected
    check_end "$1" "$3" "$status"
    case $3 in # a lock that cannot be taken again is not removed: another run may hold it
    signal=*) set -- -x '.*.odori-lock' -x '.*.tmp' ;;
    error=ENOLCK) set -- -x '.*.odori-lock' ;;
    *) set -- ;;
    esac
    [ "$#" -gt 2 ] || remaining_temporaries o
    differences "$@" | grep -v '^Only in reference'
    if [ "$status" = 0 ] && ! differences "$@" >/dev/null; then echo "exit status 0, but the files differ"; fi
    cp err err.fault
    do_run >out 2>err </dev/null || echo "next run: exit status $?: $(cat err)"
    find o -name '.*.tmp' -o -path '*.odori/segment/*'
    differences
    cp err.fault err
}

sweep() {
    if ! can_strace; then
        skip "strace is not available"
        return
    fi
    fresh
    do_run strace -f --seccomp-bpf -y -s 0 -o trace -e trace=desc,file >out 2>err </dev/null ||
        fail "reference run: exit status $?"
    mv o reference
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
