# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Functions of the command-line tests: they run the program and check its exit status and output.
# Each test sources this file from its own directory; $ODORI is the program, $ODORI_DEMO the demo.
set -u
: "${ODORI:?must be the path of the program}"
: "${ODORI_DEMO:?must be the directory of the demo}"
# shellcheck disable=SC2034  # the directory of the tests, used by the scripts that source this
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
cd "$work" || exit 1
passed=0 failed=0 skipped=0
unset CI NO_COLOR ODORI_SANDBOX
export LC_ALL=C

fail() { # MESSAGE...
    failed=$((failed + 1))
    echo "FAILED: $*"
    [ ! -s out ] || { echo "  stdout:" && head -c 600 out | sed 's/^/    /'; }
    [ ! -s err ] || { echo "  stderr:" && head -c 1200 err | sed 's/^/    /'; }
}

pass() { passed=$((passed + 1)); }

skip() { # REASON
    skipped=$((skipped + 1))
    echo "skipped: $*"
}

# expect_json NAME FILE: FILE has what `odori schema NAME` says
expect_json() {
    if [ ! -x "${JSON_CHECK-}" ]; then
        [ -n "${json_skipped-}" ] || skip 'JSON_CHECK is not set: no JSON is compared with its schema'
        json_skipped=1
        return
    fi
    if [ ! -e "$work/.schemas/$1" ]; then
        mkdir -p "$work/.schemas"
        "$ODORI" schema "$1" >"$work/.schemas/$1" 2>&1
    fi
    if [ ! -s "$2" ] || faults=$("$JSON_CHECK" "$work/.schemas/$1" "$2"); then
        pass
    else
        fail "$2: not as odori schema $1 says: $faults"
    fi
}

# check_json VERB ARGUMENT...: what a verb printed as JSON is as its schema says
check_json() {
    described=${1-} # the loops of tests have a variable verb
    case $described in job | */* | *.*) described=result ;; esac # schema job is of the file; render may be omitted
    case "$* " in
    *' --help '* | *' -h '* | *' --format openpose '*) ;;
    'batch '*' --json '*) expect_json batch-result out ;;
    'pose '* | *' --json '* | *' --format json '*) expect_json "$described" out ;;
    esac
    case "$* " in *' --progress json '*) expect_json progress err ;; esac
}

# run STATUS ARGUMENT...: runs odori, expects the exit status, writes stdout to `out`, stderr to `err`
run() {
    expected=$1
    shift
    "$ODORI" "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" = "$expected" ]; then pass; else fail "odori $*: exit status $got, expected $expected"; fi
    check_json "$@"
}

# expect_text FILE TEXT: FILE contains TEXT
expect_text() {
    if grep -qF -- "$2" "$1"; then pass; else fail "$1 does not contain '$2'"; fi
}

# expect_content FILE <<EOF: FILE equals standard input
expect_content() {
    cat >expected
    if cmp -s "$1" expected; then pass; else fail "$1 differs: $(diff expected "$1" | head -n 20)"; fi
}

# expect_empty FILE: FILE exists and is empty, or does not exist
expect_empty() {
    if [ -s "$1" ]; then fail "$1 is not empty"; else pass; fi
}

# expect_file FILE: FILE exists and is not empty
expect_file() {
    if [ -s "$1" ]; then pass; else fail "$1 is missing or empty"; fi
}

# expect_no_file FILE: FILE does not exist
expect_no_file() {
    if [ -e "$1" ]; then fail "$1 exists"; else pass; fi
}

# expect_same FILE FILE: both files are equal
expect_same() {
    if cmp -s "$1" "$2"; then pass; else fail "$1 and $2 differ"; fi
}

# expect_one_error: `err` has exactly one error message
expect_one_error() {
    if [ "$(grep -c 'error:' err)" = 1 ]; then pass; else fail "not exactly one error message"; fi
}

# remaining_temporaries DIRECTORY...: prints temporary files there that are not removed soon: a process that outlives main
# removes those of a main process that crashed
remaining_temporaries() {
    for _ in $(seq 300); do
        temporaries=$(find "$@" -name ".*.tmp" -o -name ".*.tmp.renamed" 2>/dev/null)
        [ -n "$temporaries" ] || return 0
        sleep 0.1
    done
    echo "$temporaries"
}

# expect_no_temporaries DIRECTORY...: no temporary files remain there
expect_no_temporaries() {
    rest=$(remaining_temporaries "$@")
    if [ -z "$rest" ]; then pass; else fail "temporary files remain: $rest"; fi
}

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
