#!/bin/sh
# Rules that a compiler does not check: the include table of the folders, stand-alone headers, file sizes, formatting,
# static analysis, shell scripts, manual pages and generated documents.
#
# usage: run from the top by `make lint`, which sets LINT_CC (a compiler with flags) and ODORI (the program).
# Tools that are not installed are named, and their checks are skipped.
set -u
bad=0
report() { echo "lint: $*"; bad=1; }
has() { command -v "$1" >/dev/null || { echo "lint: skipped: $1 is not installed"; return 1; }; }

# ---- the include table: what a folder may include besides itself; bottom first (src/README.md) ----
ASSETS="base sandbox progress math text format mocap media audio dynamics scene cloth evaluate follow gl texture look render passes exr comparison output chart demo"
allowed() {
    case $1 in
    base) echo "" ;;
    sandbox) echo "base" ;;
    progress) echo "base" ;;
    math) echo "base" ;;
    text) echo "base" ;;
    format) echo "base math" ;;
    media) echo "base" ;;
    audio) echo "base format media" ;;
    dynamics) echo "base math format" ;;
    mocap) echo "base math format" ;;
    scene) echo "base math format mocap media dynamics" ;;
    cloth) echo "base math dynamics scene" ;;
    evaluate) echo "base math format dynamics scene cloth" ;;
    follow) echo "base math scene evaluate" ;;
    gl) echo "base" ;;
    texture) echo "base gl" ;;
    look) echo "base format" ;;
    render) echo "base math format dynamics scene gl texture look/ground_light.h evaluate/frame_state.h" ;;
    passes) echo "base math format scene gl render evaluate/frame_state.h" ;;
    exr) echo "base" ;;
    comparison) echo "base media exr" ;;
    output) echo "base text exr" ;;
    chart) echo "base text output" ;;
    demo) echo "base math format" ;;
    job) echo "base sandbox format dynamics scene gl render" ;;
    spec) echo "job base math format dynamics scene" ;;
    reference) echo "base job" ;;
    workers) echo "base" ;;
    film) echo "job spec reference $ASSETS" ;;
    checkpoint) echo "base job film output evaluate gl render" ;;
    pipeline) echo "job spec workers film checkpoint $ASSETS" ;;
    inspect) echo "job spec film checkpoint pipeline $ASSETS" ;;
    report) echo "job spec film checkpoint pipeline inspect $ASSETS" ;;
    portrait) echo "job spec film checkpoint pipeline inspect $ASSETS" ;;
    export) echo "job spec film $ASSETS" ;;
    import) echo "base math format mocap" ;;
    dispatch) echo "base sandbox progress format job spec reference film checkpoint pipeline inspect" ;;
    cli) echo "job reference film checkpoint pipeline inspect report portrait export import dispatch $ASSETS" ;;
    *) echo "none" ;;
    esac
}

sources=$(find src -name '*.[ch]' -o -name '*.[ch]pp' | sort)
for file in $sources; do
    folder=${file#src/}
    folder=${folder%%/*}
    may=" $folder $(allowed "$folder") "
    # shellcheck disable=SC2013  # include lines hold no spaces
    for included in $(sed -n 's/^#include "\([a-z]*\/[a-z0-9_/]*\.hp*\)".*/\1/p' "$file"); do
        case "$may" in *" ${included%%/*} "* | *" $included "*) continue ;; esac
        report "$file includes $included, which the include table of $folder does not allow"
    done
done

# ---- sizes ----
for file in $sources; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 800 ] || report "$file has $lines lines (at most 800)"
done
for folder in src/*/; do
    case $folder in src/demo/ | src/format/) continue ;; esac
    lines=$(cat "$folder"*.[ch]* | wc -l)
    files=$(find "$folder" -name '*.c' -o -name '*.cpp' | wc -l)
    [ "$lines" -le 5500 ] || report "$folder has $lines lines (at most 5500)"
    [ "$files" -le 30 ] || report "$folder has $files source files (at most 30)"
done
for folder in src/*/; do
    [ -s "${folder}README.md" ] || report "$folder has no README.md"
done
limit() { [ "$(wc -l <"$1")" -le "$2" ] || report "$1 is longer than $2 lines"; }
limit README.md 250
limit src/README.md 150
limit Makefile 200

# ---- headers compile alone ----
for file in $sources; do
    case $file in
    *.h) ${LINT_CC:-cc -std=c17 -D_GNU_SOURCE -Isrc} -fsyntax-only -x c "$file" || report "$file does not compile alone" ;;
    esac
done

# ---- formatting: one pinned version, since others format differently ----
code=$(git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp' '*.hpp')
if has clang-format-14; then
    for file in $code; do
        clang-format-14 "$file" | cmp -s - "$file" || report "$file: not formatted (make format)"
    done
fi

# ---- scripts, manual pages, paths ----
! has shellcheck || find tests configs .ci \( -name '*.sh' -o -path '.ci/run' \) -exec shellcheck {} + || bad=1
if [ -x "${ODORI:-}" ] && has mandoc; then
    for page in "" job batch limits; do
        # shellcheck disable=SC2086  # no page is no argument
        "$ODORI" help --man $page | mandoc -Tlint -Wwarning >out/build/mandoc.log 2>&1 || {
            report "manual page ${page:-odori}:"
            head -n 20 out/build/mandoc.log
        }
    done
fi
git ls-files -zco --exclude-standard | xargs -0 grep -IlE '/(work|farm|root)/[a-z]' | grep -v '^tests/lint.sh$' | while read -r file; do
    echo "lint: $file holds a path of a machine"
done | grep . && bad=1

[ "$bad" = 0 ] && echo "lint: ok"
exit "$bad"
