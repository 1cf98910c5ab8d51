#!/bin/sh
# SPDX-License-Identifier: MIT
# Finds the packages that building and testing need.
#
# usage: setup.sh check|install|complete|list GROUP...      GROUP: build, test, lint, fuzz
#
# check     reports missing packages and the command that installs them; exit status 1 if a required one is missing
# install   installs them with apt-get (as root or by sudo), reports optional ones that are still missing, each with the
#           reason, then does the same as check.  A missing one is tried again by the next run, unless the release lacks it.
# complete  does the same as install; exit status 1 also if an optional one is missing that the release has
# list      prints the names of all packages of Debian and Ubuntu
#
# SETUP_WAIT is how long to wait for another package manager to end, in seconds (300).
#
# On Debian and Ubuntu dpkg reports what is installed, because a package can lack a pkg-config file.  On other
# systems pkg-config decides, and the command is printed for dnf, pacman or apk.
set -eu
action=${1:?usage: setup.sh check|install|complete|list GROUP...}
shift

# ---- what each group needs: names on Debian and Ubuntu; pkg-config modules ----
names_of() {
    case $1 in
    build) echo "gcc g++ pkg-config libegl-dev libgl-dev libegl1 libgl1-mesa-dri libpng-dev libavformat-dev" \
        "libavcodec-dev libavutil-dev libswscale-dev libswresample-dev libcglm-dev libfyaml-dev libutf8proc-dev" \
        "libwebp-dev libfreetype-dev libzstd-dev nettle-dev libbullet-dev zlib1g-dev" ;;
    test) echo libcmocka-dev ;;
    lint) echo "clang-format-14 clang-tidy-14 shellcheck mandoc mypy" ;;
    fuzz) echo clang ;;
    esac
}
# Installed where the release has them: OSMesa is gone after Mesa 25.0, tools have other versions elsewhere.  The
# libraries of text can be missing: then characters are not shaped, no font is found, no subtitles are drawn; so can OpenEXR, and what reads
# compressed meshes of glTF files.
optional_of() {
    case $1 in
    build) echo "libosmesa6 libegl-mesa0 libarchive-dev libharfbuzz-dev libfontconfig-dev libass-dev libopenexr-dev libdraco-dev libmeshoptimizer-dev" ;;
    test) echo "glslang-tools spirv-cross strace mandoc ffmpeg openexr zsh fish faketime shellcheck espeak-ng fonts-vlgothic python3-numpy nodejs node-ajv node-js-yaml" ;;
    lint) echo "clang-format-14 clang-tidy-14 shellcheck mandoc mypy" ;;
    esac
}
modules_of() {
    case $1 in
    build) echo "libpng libavformat libavcodec libavutil libswscale libswresample cglm libfyaml libutf8proc" \
        "libwebp libwebpmux libwebpdemux freetype2 libzstd nettle bullet zlib egl" ;;
    test) echo cmocka ;;
    esac
}

is_in() { case " $1 " in *" $2 "*) return 0 ;; *) return 1 ;; esac; }

missing_packages() { # GROUP...: what dpkg does not list, one name a line; optional ones after a '?'
    for group; do
        optional=$(optional_of "$group")
        for name in $optional; do echo "? $name"; done
        for name in $(names_of "$group"); do is_in "$optional" "$name" || echo "! $name"; done
    done >"$temporary/names"
    # shellcheck disable=SC2046  # one word a name
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' $(cut -c 3- "$temporary/names") 2>/dev/null |
        sed -n 's/ installed$//p' >"$temporary/installed"
    # The program pkg-config is also that of pkgconf.
    ! command -v pkg-config >/dev/null || echo pkg-config >>"$temporary/installed"
    awk 'FILENAME == ARGV[1] { installed[$1] = 1; next } !($2 in installed) && !seen[$2]++ { print ($1 == "?" ? "?" : "") $2 }' \
        "$temporary/installed" "$temporary/names"
}

missing_modules() {
    for group; do
        for module in $(modules_of "$group"); do pkg-config --exists "$module" 2>/dev/null || echo "$module"; done
    done
}

# 5.1 is the first version with AVChannelLayout.
check_versions() {
    ! pkg-config --exists libavutil 2>/dev/null || pkg-config --exists 'libavutil >= 57.28' || {
        echo "odori: the FFmpeg of this system, with libavutil $(pkg-config --modversion libavutil), is too old: 5.1 or newer is needed," \
            "as in Debian 12 and Ubuntu 24.04; the bundle (configs/packaging/README.md) runs on older systems" >&2
        exit 1
    }
}

# ---- Debian and Ubuntu ----
# Optional packages that the release lacks, as its lists said; forgotten when this file or the sources of apt change.
LACKED=out/build/not-in-release

as_root() { # COMMAND...
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}
can_install() { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
has_candidate() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'; }
is_lacked() { grep -qxF -- "$1" "$LACKED" 2>/dev/null; }
first_error() { grep -m 1 '^[EW]: ' "$temporary/log" | cut -c 4- | grep . || tail -n 1 "$temporary/log"; }

# Waits while another package manager holds a lock, as after a start of the machine; apt's own option for that does not
# cover the lists.
apt() { # ARGUMENT OF apt-get...
    waited=0
    until as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >/dev/null 2>"$temporary/log" </dev/null; do
        grep -q 'Could not get lock\|locked by another process' "$temporary/log" && [ "$waited" -lt "${SETUP_WAIT:-300}" ] || return 1
        [ "$waited" != 0 ] || echo "odori: waiting at most ${SETUP_WAIT:-300} s for another package manager: $(first_error)" >&2
        sleep 2
        waited=$((waited + 2))
    done
}
apt_install() { echo "installing: $*" && apt install -y --no-install-recommends "$@"; }

# Installs what it can.  Writes names and reasons of missing packages to $temporary/reasons.
install_packages() { # NAME...: optional ones with a '?'
    listed=1 required='' optional=''
    apt update -o APT::Update::Error-Mode=any || { listed=0 && echo "odori: apt-get update: $(first_error)" >&2; }
    for name; do
        case $name in
        \?*) name=${name#\?}
            if has_candidate "$name"; then
                optional="$optional $name"
            elif [ "$listed" = 1 ]; then
                mkdir -p "${LACKED%/*}" && echo "$name" >>"$LACKED"
            else
                echo "$name apt-get update: $(first_error)" >>"$temporary/reasons"
            fi ;;
        *) required="$required $name" ;;
        esac
    done
    # shellcheck disable=SC2086  # one word a name
    [ -n "$required$optional" ] && ! apt_install $required $optional || return 0
    # One of them cannot be installed, or none.
    # shellcheck disable=SC2086
    [ -z "$required" ] || apt_install $required || { cat "$temporary/log" >&2 && return 1; }
    for name in $optional; do apt_install "$name" || echo "$name $(first_error)" >>"$temporary/reasons"; done
}

debian() { # GROUP...
    if [ -n "$(find "$0" /etc/apt/sources.list /etc/apt/sources.list.d -maxdepth 0 -newer "$LACKED" 2>/dev/null)" ]; then
        rm -f "$LACKED"
    fi
    missing=$(missing_packages "$@")
    if [ "$action" != check ]; then
        wanted=$(for name in $missing; do is_lacked "${name#\?}" || echo "$name"; done)
        if [ -n "$wanted" ] && can_install; then
            # shellcheck disable=SC2086  # one word a name
            install_packages $wanted || exit 1
            missing=$(missing_packages "$@")
        fi
    fi
    required=$(echo "$missing" | grep -v '^?' || true)
    optional=$(echo "$missing" | sed -n 's/^?//p')
    [ -z "$required" ] || {
        echo "odori: missing packages; install them, for example by 'make setup' as root, or with:" >&2
        echo "  sudo apt-get install $(echo "$required" | tr '\n' ' ')" >&2
        exit 1
    }
    [ "$action" != check ] && [ -n "$optional" ] || return 0
    status=0
    echo "odori: not installed, so that parts of the program or of the tests are left out:" >&2
    for name in $optional; do
        if is_lacked "$name"; then
            reason='this release does not have it'
        else
            reason=$(sed -n "s/^$name //p" "$temporary/reasons")
            [ "$action" = install ] || status=1
        fi
        echo "  $name: ${reason:-only root, or a user with sudo that asks for no password, can install it}" >&2
    done
    return "$status"
}

# ---- other systems ----
other() { # GROUP...
    missing=$(missing_modules "$@")
    [ -n "$missing" ] || return 0
    echo "odori: pkg-config does not find: $(echo "$missing" | tr '\n' ' ')" >&2
    id=
    # shellcheck source=/dev/null
    [ ! -r /etc/os-release ] || id=" $(. /etc/os-release && echo "${ID:-} ${ID_LIKE:-}") "
    case $id in
    *" fedora "* | *" rhel "*)
        echo "  sudo dnf install gcc gcc-c++ make pkgconf-pkg-config mesa-libEGL-devel mesa-dri-drivers libpng-devel" \
            "ffmpeg-free-devel cglm-devel libfyaml-devel utf8proc-devel libwebp-devel freetype-devel libzstd-devel" \
            "nettle-devel bullet-devel zlib-devel harfbuzz-devel fontconfig-devel libass-devel openexr-devel draco-devel meshoptimizer-devel libcmocka-devel" >&2 ;;
    *" arch "*)
        echo "  sudo pacman -S base-devel mesa libpng ffmpeg cglm libfyaml libutf8proc libwebp freetype2 zstd nettle" \
            "bullet zlib harfbuzz fontconfig libass openexr draco meshoptimizer cmocka" >&2 ;;
    *" alpine "*)
        echo "  sudo apk add build-base pkgconf mesa-dev mesa-egl mesa-dri-gallium libpng-dev ffmpeg-dev cglm-dev" \
            "libfyaml-dev utf8proc-dev libwebp-dev freetype-dev zstd-dev nettle-dev bullet-dev zlib-dev" \
            "harfbuzz-dev fontconfig-dev libass-dev openexr-dev draco-dev cmocka-dev" >&2 ;;
    *) echo "  install the development files of these libraries" >&2 ;;
    esac
    exit 1
}

if [ "$action" = list ]; then
    for group; do echo "$(names_of "$group") $(optional_of "$group")"; done
    exit 0
fi
temporary=$(mktemp -d)
: >"$temporary/reasons"
trap 'rm -rf "$temporary"' EXIT
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then debian "$@"; else other "$@"; fi
check_versions
