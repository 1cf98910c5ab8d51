#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and tests the committed tree in a clean root of each release of Debian and Ubuntu, as a stranger would: by a user
# with sudo, and nothing but git and make is installed before.  Prints a table; logs are in out/distros.  Needs root and debootstrap.
#
# usage: tests/distros.sh [RELEASE|arm64|bundle...]      default: bookworm trixie testing noble resolute arm64
#
# bundle runs the archive of `make bundle` in bare roots of Debian and Ubuntu; its frames must be those of out/odori here.
# arm64 is a cross build in a root of Debian 13, whose unit tests and film run under qemu-user.  Ten frames of every
# release are compared with those of the first, so that differences between versions of Mesa are seen.
#
#   COMPILERS="gcc clang"   the compilers to build with; the tests run with the first
#   TEST="make test"        the command that tests; empty: none
#   OFFLINE=1               builds and tests once more from the beginning, without a network
#   DISTROS=DIR             where roots and logs are kept (out/distros); a root that is there is used again
#   UBUNTU_MIRROR=URL       an archive of Ubuntu (http://archive.ubuntu.com/ubuntu); that of Debian is apt's
#   COMPARE=trixie          compares frames with those of this release, from an earlier run
#   KEEP=1                  keeps the root that the tests ran in; that of a failed `make demo` stays
set -eu
[ "$(id -u)" = 0 ] || { echo "distros: needs root, for debootstrap and chroot" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "distros: debootstrap is not installed" >&2; exit 1; }
: "${COMPILERS:=gcc clang}" "${DISTROS:=$PWD/out/distros}" "${UBUNTU_MIRROR:=http://archive.ubuntu.com/ubuntu}" "${TEST=make test}"
# shellcheck disable=SC2016  # apt-get expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep 'debian/*$' | head -n 1)
mkdir -p "$DISTROS"

DEBIAN="bookworm trixie testing"
UBUNTU="noble resolute"

# A root with git, make and sudo, made once.  debootstrap may know a release by the script of another one only, and the release
# file of testing may have expired.  Debian has no keys of Ubuntu.
make_root() { # RELEASE
    [ ! -e "$DISTROS/$1.base/.complete" ] || return 0
    rm -rf "$DISTROS/$1.base"
    script=/usr/share/debootstrap/scripts/sid from=$mirror components=main
    case " focal jammy $UBUNTU " in
    *" $1 "*) script=/usr/share/debootstrap/scripts/gutsy from=$UBUNTU_MIRROR components=main,universe ;;
    esac
    debootstrap --variant=minbase --components="$components" --include=git,make,sudo,ca-certificates "$1" "$DISTROS/$1.base" \
        "$from" "$script" >"$DISTROS/$1.debootstrap.log" 2>&1
    touch "$DISTROS/$1.base/.complete"
}

# Runs a shell command in the root as a user with sudo, in namespaces of its own so that its mounts and processes end with it.
inside() { # ROOT COMMAND [OPTION OF UNSHARE]
    # shellcheck disable=SC2016  # the inner shell expands it
    unshare --mount --pid --ipc --fork ${3:+"$3"} sh -c '
        mount -t proc proc "$1/proc" && mkdir -p "$1/dev/shm" && mount -t tmpfs tmpfs "$1/dev/shm" &&
        mkdir -p "$1/dev/pts" && mount -t devpts devpts "$1/dev/pts" &&
        exec chroot --userspec=stranger:stranger "$1" /usr/bin/env -i HOME=/home/stranger USER=stranger LANG=C.UTF-8 \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -c "cd /odori && $2"' sh "$1" "$2"
}

# A copy of the root with the committed tree, which belongs to the user.
copy_root() { # BASE RELEASE
    root=$DISTROS/$2.run
    rm -rf "$root"
    cp -a "$DISTROS/$1.base" "$root"
    chroot "$root" useradd --create-home stranger
    echo 'stranger ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/stranger"
    mkdir "$root/odori"
    cp --remove-destination /etc/resolv.conf "$root/etc/resolv.conf"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/odori" # a root that is lost with the machine
    printf 'Acquire::Check-Valid-Until "false";\nAcquire::Check-Date "false";\n' >"$root/etc/apt/apt.conf.d/90odori"
}

copy_tree() { # BASE RELEASE
    copy_root "$@"
    git archive HEAD | tar -x -C "$root/odori"
    chroot "$root" chown -R stranger:stranger /odori
}

seconds() { date +%s; }
last_line() { tail -n 1 "$1" 2>/dev/null; }
row() { printf '%-10s %-8s %-26s %-9s %-46s %6s s\n' "$@"; }

try_step() { # NAME OF THE LOG, COMMAND [OPTION OF UNSHARE]: "ok" or "FAILED", and the count of warnings
    start=$(seconds)
    if inside "$root" "$2" ${3:+"$3"} >"$DISTROS/$release.$1.log" 2>&1; then result=ok; else result=FAILED; fi
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
    release=arm64 runner=qemu-aarch64
    make_root trixie
    copy_tree trixie arm64
    libraries=$(sh configs/packaging/setup.sh list build test | tr ' ' '\n' | grep -vx -e gcc -e g++ -e pkg-config -e python3-numpy -e '' |
        sed 's/$/:arm64/' | tr '\n' ' ')
    try_step demo "sudo dpkg --add-architecture arm64 && sudo apt-get update -qq && sudo env DEBIAN_FRONTEND=noninteractive \
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
    for release in bullseye $DEBIAN focal jammy $UBUNTU; do
        make_root "$release"
        copy_root "$release" "$release"
        tar -xJf out/bundle/odori-*.tar.xz --strip-components=1 -C "$root/odori"
        chroot "$root" chown -R stranger:stranger /odori
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
# shellcheck disable=SC2086  # one word a release
[ $# -gt 0 ] || set -- $DEBIAN $UBUNTU arm64
failed=0
for release; do
    case $release in
    arm64) arm64; continue ;;
    bundle) bundle; continue ;;
    esac
    make_root "$release"
    copy_tree "$release" "$release"

    try_step demo 'make demo DEMO_FLAGS="--frames 0-29"'
    renderer=$(inside "$root" 'out/odori version' 2>/dev/null | grep -i -m 1 mesa | cut -c 1-45 || true)
    row "$release" gcc "make demo" "$result" "$renderer" "$took"
    case $result in FAILED*) failed=1; continue ;; esac
    [ "$result" = ok ] || failed=1
    inside "$root" "out/odori $FRAMES" >/dev/null 2>&1 && compare_frames "$root" '' || failed=1
    if [ -n "$TEST" ]; then
        try_step test "$TEST"
        row "$release" gcc "$TEST" "$result" "$(last_line "$DISTROS/$release.test.log")" "$took"
        [ "$result" = ok ] || failed=1
    fi
    if [ "${OFFLINE:-0}" = 1 ]; then
        try_step offline "make clean && make demo DEMO_FLAGS='--frames 0-29 -y' ${TEST:+&& $TEST}" --net
        row "$release" gcc "both without a network" "$result" "$(last_line "$DISTROS/$release.offline.log")" "$took"
        [ "$result" = ok ] || failed=1
    fi

    for compiler in $COMPILERS; do
        [ "$compiler" != gcc ] || continue
        try_step "$compiler" "sudo apt-get install -y -qq --no-install-recommends clang >/dev/null &&
            make clean && make CC=clang CXX=clang++ WERROR=-Werror demo DEMO_FLAGS=\"--frames 0-29\""
        row "$release" "$compiler" "make demo WERROR=-Werror" "$result" "" "$took"
        [ "$result" = ok ] || failed=1
    done

    if inside "$root" 'dpkg-query -W libosmesa6' >/dev/null 2>&1; then
        try_step no-osmesa 'make clean && sudo apt-get remove -y -qq libosmesa6 >/dev/null && make && make cli-test unit'
        row "$release" gcc "tests without OSMesa" "$result" "$(last_line "$DISTROS/$release.no-osmesa.log")" "$took"
        [ "$result" = ok ] || failed=1
    fi
    [ "${KEEP:-0}" = 1 ] || rm -rf "$root"
done
exit "$failed"
