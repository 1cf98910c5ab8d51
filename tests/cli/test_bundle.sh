#!/bin/sh
# SPDX-License-Identifier: MIT
# configs/packaging/bundle.sh: the tree of a bundle runs elsewhere, with no library of the system, and draws the same frames.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! "$ODORI" version | grep -q '^build release'; then
    skip 'a build with sanitizers, coverage or without optimisation is not bundled'
    finish
    exit
fi
if [ "$(df -Pk . | awk 'NR == 2 {print $4}')" -lt 1500000 ]; then
    skip 'less than 1.5 GB free for temporary files'
    finish
    exit
fi
sh "$here/../../configs/packaging/bundle.sh" "$ODORI" tree >bundle.out 2>&1
got=$?
if [ "$got" = 69 ]; then
    skip "$(cat bundle.out)"
    finish
    exit
fi
if [ "$got" = 0 ]; then pass; else fail "bundle.sh: exit status $got: $(cat bundle.out)"; fi
"$ODORI" render "$ODORI_DEMO/demo.yaml" --frames 0-1 --set 'render.size=[64,36]' -q -o expected.sha256
"$ODORI" version >expected.txt
unset HOME XDG_CACHE_HOME # no cache of shaders for a bundle that is removed

# A directory with a space and Japanese characters, and a link to the launcher.
mkdir -p root/proc root/dev root/demo
mv tree 'root/踊り 1'
cp -R "$ODORI_DEMO/." root/demo/
ln -s 'root/踊り 1/odori' link
expect_text 'root/踊り 1/CONTENTS' 'From the system it takes'
program=$ODORI
ODORI=$work/link
run 0 version
expect_same expected.txt out
run 0 render root/demo/demo.yaml --frames 0-1 --set 'render.size=[64,36]' -q -o got.sha256
expect_same expected.sha256 got.sha256

# The runs that it starts, and the scripts for a scheduler, begin with the launcher.
cat >batch.yaml <<'EOF'
version: 1
base: root/demo/demo.yaml
include: [ { name: one, set: { render.frames: "0-1", render.size: [64, 36] } } ]
out: "{name}.sha256"
EOF
run 0 batch run batch.yaml
expect_same expected.sha256 one.sha256
run 0 submit --to slurm --shards 2 root/demo/demo.yaml -o film.mp4
expect_text out 'root/踊り 1/odori'
ODORI=$program

# The same where nothing but the bundle, /proc and /dev/null can be seen; without a shell, thus without the launcher.
# shellcheck disable=SC2016  # the inner shell expands it
inside='PATH=$PATH:/usr/sbin:/sbin
    : >root/dev/null
    mount --rbind /proc root/proc && mount --bind /dev/null root/dev/null && : >ready || exit
    lib="/踊り 1/lib"
    GCONV_PATH=$lib/gconv exec chroot root "$lib/odori-ld.so" --inhibit-cache --library-path "$lib" "$lib/odori" \
        render /demo/demo.yaml --frames 0-1 --set "render.size=[64,36]" -q --overwrite -o /alone.sha256'
unshare -rm sh -c "$inside" >out 2>err
got=$?
if [ ! -e ready ]; then
    skip 'no namespaces: unshare (util-linux), which containers may forbid'
else
    if [ "$got" = 0 ]; then pass; else fail "without the system's libraries: exit status $got"; fi
    expect_same expected.sha256 root/alone.sha256
fi

finish
