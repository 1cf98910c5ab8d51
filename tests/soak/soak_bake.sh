#!/bin/sh
# SPDX-License-Identifier: MIT
# A bake of cloth and physics, and the film rendered from it, killed N times.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$here/../cli
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
# shellcheck source=tests/cli/kill.sh
. "$here/kill.sh"

kill_job
sed -i 's|board.x|{ file: demo/figure.pmx, motions: [demo/dance.vmd] }|' tiny.yaml
ln -s "$ODORI_DEMO" demo
step() {
    number=$1
    shift
    case $number in
    1) exec "$@" "$ODORI" bake tiny.yaml --progress none ;;
    2) exec "$@" "$ODORI" render tiny.yaml --progress none ;;
    esac
}
kill_often 2 "${N:-100}"
finish
