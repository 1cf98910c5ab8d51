# shellcheck shell=sh
# Helpers of the command-line tests: run the program, compare exit status and what it printed.
# Each test sources this from its own folder; $ODORI is the program.
set -u
: "${ODORI:?names the program to test}"
: "${ODORI_DEMO:?names the folder of its demo}"
# shellcheck disable=SC2034  # the folder of the tests, for who sources this
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM
cd "$work" || exit 1
passed=0 failed=0 skipped=0
unset CI NO_COLOR

fail() { # what, details...
    failed=$((failed + 1))
    echo "FAILED: $*"
    [ ! -s out ] || { echo "  stdout:" && head -c 600 out | sed 's/^/    /'; }
    [ ! -s err ] || { echo "  stderr:" && head -c 1200 err | sed 's/^/    /'; }
}

pass() { passed=$((passed + 1)); }

skip() { # why
    skipped=$((skipped + 1))
    echo "skipped: $*"
}

# run STATUS ARGUMENT...: keeps stdout in `out` and stderr in `err`
run() {
    wanted=$1
    shift
    "$ODORI" "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" = "$wanted" ]; then pass; else fail "odori $* ended with $got, not $wanted"; fi
}

# told FILE TEXT: the line stands in `out` or `err`
told() {
    if grep -qF -- "$2" "$1"; then pass; else fail "'$2' is not in $1"; fi
}

# exactly FILE <<EOF: nothing else stands there
exactly() {
    cat >wanted
    if cmp -s "$1" wanted; then pass; else fail "$1 is not as wanted: $(diff wanted "$1" | head -n 20)"; fi
}

silent() {
    if [ -s "$1" ]; then fail "$1 is not empty"; else pass; fi
}

there() {
    if [ -s "$1" ]; then pass; else fail "$1 is not there or empty"; fi
}

absent() {
    if [ -e "$1" ]; then fail "$1 is there"; else pass; fi
}

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
