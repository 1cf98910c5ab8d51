#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints which lines and branches of src/ the tests of a VARIANT=coverage build have run, by directory; of the directories that
# read what strangers wrote, also by file, and whether they meet the goal.  Processes that were killed, and workers that
# end without exit(), leave no counts.
#
# A branch is one outcome of a condition, as `gcov -b` counts it ("taken at least once"): calls are not branches, && and
# || are conditions of their own, and assertions are compiled out.  C++ (Bullet) also counts exceptions.
#
# usage: tests/coverage.sh BUILD      GCOV: the program (default: the one of $CC)
#   COVERAGE_LINES=95 COVERAGE_BRANCHES=85   the goal, in percent
#   COVERAGE_STRICT=1                        exit status 1 if a directory misses the goal
set -eu
build=${1:?usage: tests/coverage.sh BUILD}
goal_directories=" format media checkpoint scene dynamics "
if [ -z "${GCOV:-}" ]; then
    GCOV=gcov
    # $CC may have a prefix (ccache); the number of the version finds llvm-cov-14
    version=$(${CC:-cc} --version | sed -n 's/.*clang version \([0-9]*\).*/\1/p')
    [ -z "$version" ] || GCOV="llvm-cov-$version gcov"
fi
command -v "${GCOV%% *}" >/dev/null || { echo "coverage: ${GCOV%% *} is not installed" >&2; exit 1; }

# gcov prints for each source file:   File 'src/base/arena.c'
#                                     Lines executed:98.50% of 67
#                                     Branches executed:100.00% of 40
#                                     Taken at least once:92.50% of 40
# shellcheck disable=SC2086  # GCOV may be two words
find "$build" -name '*.gcda' ! -path '*/test/objects/*' | sort | while read -r file; do
    $GCOV -b -n "$file" 2>/dev/null
done | awk -v directories="$goal_directories" -v min_lines="${COVERAGE_LINES:-95}" -v min_branches="${COVERAGE_BRANCHES:-85}" \
    -v strict="${COVERAGE_STRICT:-0}" '
    function percent(part, whole) { return whole ? 100 * part / whole : 100 }
    function row(name, lines_run, lines, taken, branches) {
        printf "%-44s %6.1f %% of %5d lines %6.1f %% of %5d branches", name, percent(lines_run, lines), lines, \
            percent(taken, branches), branches
    }
    # "98.50% of 67" after the colon: adds 66 and 67
    function add(part, whole, name,    words) {
        split($0, words, /[:% ]+/)
        whole[name] += words[length(words)]
        part[name] += int(words[length(words)] * words[length(words) - 2] / 100 + 0.5)
    }
    /^File / { file = substr($2, 2, length($2) - 2); used = file ~ /^src\/.*\.(c|cpp)$/ && !(file in seen); seen[file] = 1; next }
    used && file in lines && /^Lines executed/ { used = 0 } # of all files together
    used && /^Lines executed/ { split(file, path, "/"); directory = path[2]; add(lines_run, lines, file); add(lines_run, lines, directory) }
    used && /^Taken at least once/ { add(taken, branches, file); add(taken, branches, directory) }
    END {
        for (name in lines) {
            if (name !~ /\// || index(directories, " " substr(name, 5, index(substr(name, 5), "/") - 1) " "))
                names[++count] = name
        }
        for (i = 2; i <= count; i++) # files after their directory
            for (k = i; k > 1 && key(names[k]) < key(names[k - 1]); k--) { t = names[k]; names[k] = names[k - 1]; names[k - 1] = t }
        for (i = 1; i <= count; i++) {
            name = names[i]
            if (name ~ /\//)
                printf "  "
            row(name, lines_run[name], lines[name], taken[name], branches[name])
            if (index(directories, " " name " ")) {
                missed = percent(lines_run[name], lines[name]) < min_lines || percent(taken[name], branches[name]) < min_branches
                printf "   goal %d %% and %d %%: %s", min_lines, min_branches, missed ? "missed" : "met"
                status = status || missed
            }
            print ""
        }
        if (!count) { print "coverage: no program of this build was run"; exit 1 }
        exit strict && status
    }
    function key(name) { return name ~ /\// ? name : "src/" name "/" }'
