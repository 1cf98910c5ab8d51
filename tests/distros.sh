#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and tests the committed tree in a clean root of each Debian release, as a stranger would: nothing but git and
# make is installed before.  Prints a table; logs are in out/distros.  Needs root and debootstrap.
#
# usage: tests/distros.sh [RELEASE|arm64|bundle...]      default: bookworm trixie testing arm64
#
# bundle runs the archive of `make bundle` in bare roots of Debian and Ubuntu; its frames must be those of out/odori here.
# arm64 is a cross build in a root of Debian 13, whose unit tests and film run under qemu-user.  Ten frames of every
# release are compared with those of the first, so that differences between versions of Mesa are seen.
#
#   COMPILERS="gcc clang"   the compilers to build with; the tests run with the first
#   DISTROS=DIR             where roots and logs are kept (out/distros); a root that is there is used again
#   COMPARE=trixie          compares frames with those of this release, from an earlier run
#   KEEP=1                  keeps the root that the tests ran in
set -eu
[ "$(id -u)" = 0 ] || { echo "distros: needs root, for debootstrap and chroot" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "distros: debootstrap is not installed" >&2; exit 1; }
: "${COMPILERS:=gcc clang}" "${DISTROS:=$PWD/out/distros}"
# shellcheck disable=SC2016  # apt-get expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep 'debian/*$' | head -n 1)
mkdir -p "$DISTROS"

UBUNTU="focal jammy noble"

# A root with git and make, made once.  The release file of testing may have expired.  Debian has no keys of Ubuntu.
make_root() { # RELEASE
    [ ! -e "$DISTROS/$1.base/.complete" ] || return 0
    rm -rf "$DISTROS/$1.base"
    script='' from=$mirror
    [ "$1" != testing ] || script=/usr/share/debootstrap/scripts/sid
    case " $UBUNTU " in *" $1 "*) from=http://archive.ubuntu.com/ubuntu ;; esac
    # shellcheck disable=SC2086  # no script is no argument
    debootstrap --variant=minbase --include=git,make,ca-certificates "$1" "$DISTROS/$1.base" "$from" $script \
        >"$DISTROS/$1.debootstrap.log" 2>&1
    touch "$DISTROS/$1.base/.complete"
}

# Runs a shell command in the root, in namespaces of its own so that its mounts and processes end with it.
inside() { # ROOT COMMAND
    # shellcheck disable=SC2016  # the inner shell expands it
    unshare --mount --pid --ipc --fork sh -c '
        mount -t proc proc "$1/proc" && mkdir -p "$1/dev/shm" && mount -t tmpfs tmpfs "$1/dev/shm" &&
        exec chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            LANG=C.UTF-8 sh -c "cd /odori && $2"' sh "$1" "$2"
}

copy_tree() { # ROOT
    mkdir -p "$1/odori"
    git archive HEAD | tar -x -C "$1/odori"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
    printf 'Acquire::Check-Valid-Until "false";\nAcquire::Check-Date "false";\n' >"$1/etc/apt/apt.conf.d/90odori"
}

seconds() { date +%s; }
last_line() { tail -n 1 "$1" 2>/dev/null; }
row() { printf '%-10s %-8s %-26s %-9s %-46s %6s s\n' "$@"; }

try_step() { # NAME OF THE LOG, COMMAND: "ok" or "FAILED", and the count of warnings
    start=$(seconds)
    if inside "$root" "$2" >"$DISTROS/$release.$1.log" 2>&1; then result=ok; else result=FAILED; fi
    warnings=$(grep -c '^[^ ]*:[0-9]*:[0-9]*: warning:' "$DISTROS/$release.$1.log" || true)
    [ "$warnings" = 0 ] || result="$result, $warnings warnings"
    took=$(($(seconds) - start))
}

# Ten small frames of the demo; compared with those of the first release.  Without physics: after 20 s of simulation,
# other roundings in Bullet have moved the hair, and the comparison would not show Mesa's differences.
FRAMES='render out/demo/demo.yaml -y -q -f 600-609 -o out/frames/%03d.png --set render.size=[160,90] --set models.0.physics=false'
compare_frames() { # ROOT COMMAND-PREFIX: PSNR to the frames of the first release
    rm -rf "$DISTROS/$release.frames"
    cp -r "$1/odori/out/frames" "$DISTROS/$release.frames"
    if [ -z "$first" ]; then first=$release; fi
    rm -rf "$1/odori/out/first"
    cp -r "$DISTROS/$first.frames" "$1/odori/out/first"
    inside "$1" "$2 out/odori compare out/frames out/first --threshold 30dB" >"$DISTROS/$release.compare.log" 2>&1 || true
    row "$release" "" "frames, against $first" "" "$(grep -i -m 1 psnr "$DISTROS/$release.compare.log" | cut -c 1-46)" 0
}

arm64() {
    release=arm64 root=$DISTROS/arm64.run runner=qemu-aarch64
    make_root trixie
    rm -rf "$root"
    cp -a "$DISTROS/trixie.base" "$root"
    copy_tree "$root"
    libraries=$(sh configs/packaging/setup.sh list build test | tr ' ' '\n' | grep -vx -e gcc -e g++ -e pkg-config -e python3-numpy -e '' |
        sed 's/$/:arm64/' | tr '\n' ' ')
    try_step demo "dpkg --add-architecture arm64 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends crossbuild-essential-arm64 pkg-config qemu-user $libraries >/dev/null &&
        export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig &&
        make $CROSS out/odori && $runner out/odori demo -q -o out/demo.mp4 --frames 0-9 --set render.size=[160,90] $PATIENCE &&
        $runner out/odori verify out/demo.mp4 && $runner out/odori $FRAMES $PATIENCE"
    row arm64 cross "build, film of ten frames" "$result" \
        "$(inside "$root" "$runner out/odori version" 2>/dev/null | grep -i -m 1 mesa | cut -c 1-45)" "$took"
    [ "$result" = ok ] && compare_frames "$root" "$runner" || failed=1
    try_step test "export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig &&
        TEST_LIMIT=900 TEST_RUNNER=$runner make $CROSS unit"
    row arm64 cross "unit tests" "$result" "$(last_line "$DISTROS/arm64.test.log")" "$took"
    [ "$result" = ok ] || failed=1
    [ "${KEEP:-0}" = 1 ] || rm -rf "$root"
}
bundle() {
    film='demo -q --frames 600-603 --set render.size=[160,90] --demo-dir out/demo -o'
    # shellcheck disable=SC2086  # several words
    out/odori $film "$DISTROS/bundle.sha256" --overwrite
    for release in bullseye bookworm trixie testing $UBUNTU; do
        make_root "$release"
        root=$DISTROS/$release.run
        rm -rf "$root"
        cp -a "$DISTROS/$release.base" "$root"
        mkdir "$root/odori"
        tar -xJf out/bundle/odori-*.tar.xz --strip-components=1 -C "$root/odori"
        try_step bundle "./odori $film got.sha256"
        cmp "$DISTROS/bundle.sha256" "$root/odori/got.sha256" || result=FAILED
        row "$release" "" "bundle, four frames" "$result" "$(inside "$root" 'ldd --version' | head -n 1)" "$took"
        [ "$result" = ok ] || failed=1
        rm -rf "$root"
    done
}
PATIENCE="--set limits.frame_timeout_s=3600" # for an emulated processor
CROSS="SETUP=true CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ AR=aarch64-linux-gnu-ar"

first=${COMPARE:-}
[ $# -gt 0 ] || set -- bookworm trixie testing arm64
failed=0
for release; do
    case $release in
    arm64) arm64; continue ;;
    bundle) bundle; continue ;;
    esac
    make_root "$release"
    root=$DISTROS/$release.run
    rm -rf "$root"
    cp -a "$DISTROS/$release.base" "$root"
    copy_tree "$root"

    try_step demo 'make demo DEMO_FLAGS="--frames 0-29"'
    renderer=$(inside "$root" 'out/odori version' 2>/dev/null | grep -i -m 1 mesa | cut -c 1-45 || true)
    row "$release" gcc "make demo" "$result" "$renderer" "$took"
    [ "$result" = ok ] || failed=1
    inside "$root" "out/odori $FRAMES" >/dev/null 2>&1 && compare_frames "$root" '' || failed=1
    try_step test 'make test'
    row "$release" gcc "make test" "$result" "$(last_line "$DISTROS/$release.test.log")" "$took"
    [ "$result" = ok ] || failed=1

    for compiler in $COMPILERS; do
        [ "$compiler" != gcc ] || continue
        try_step "$compiler" "apt-get install -y -qq --no-install-recommends clang >/dev/null &&
            make clean && make CC=clang CXX=clang++ WERROR=-Werror demo DEMO_FLAGS=\"--frames 0-29\""
        row "$release" "$compiler" "make demo WERROR=-Werror" "$result" "" "$took"
        [ "$result" = ok ] || failed=1
    done

    if inside "$root" 'dpkg-query -W libosmesa6' >/dev/null 2>&1; then
        try_step no-osmesa 'make clean && apt-get remove -y -qq libosmesa6 >/dev/null && make && make cli-test unit'
        row "$release" gcc "tests without OSMesa" "$result" "$(last_line "$DISTROS/$release.no-osmesa.log")" "$took"
        [ "$result" = ok ] || failed=1
    fi
    [ "${KEEP:-0}" = 1 ] || rm -rf "$root"
done
exit "$failed"
