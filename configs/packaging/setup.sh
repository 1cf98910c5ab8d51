#!/bin/sh
# SPDX-License-Identifier: MIT
# Finds the packages that building and testing need.
#
# usage: setup.sh check|install|list GROUP...      GROUP: build, test, lint, fuzz
#
# check    reports missing packages and the command that installs them; exit status 1 if any is missing
# list     prints the names of all packages of Debian and Ubuntu
# install  installs them with apt-get (as root or by sudo), else does the same as check
#
# On Debian and Ubuntu dpkg reports what is installed, because a package can lack a pkg-config file.  On other
# systems pkg-config decides, and the command is printed for dnf, pacman or apk.
set -eu
action=${1:?usage: setup.sh check|install|list GROUP...}
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
# libraries of text can be missing: then characters are not shaped, no font is found, no subtitles are drawn; so can OpenEXR.
optional_of() {
    case $1 in
    build) echo "libosmesa6 libegl-mesa0 libarchive-dev libharfbuzz-dev libfontconfig-dev libass-dev libopenexr-dev" ;;
    test) echo "glslang-tools spirv-cross strace mandoc ffmpeg openexr zsh fish faketime fonts-vlgothic python3-numpy nodejs node-ajv node-js-yaml" ;;
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

is_installed() { # pkg-config is also the program of pkgconf
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ||
        { [ "$1" = pkg-config ] && command -v pkg-config >/dev/null; }
}
has_candidate() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'; }
is_in() { case " $1 " in *" $2 "*) return 0 ;; *) return 1 ;; esac; }

missing_packages() { # GROUP...: what dpkg does not list, one name a line; optional ones after a '?'
    for group; do
        for name in $(names_of "$group"); do
            is_in "$(optional_of "$group")" "$name" || is_installed "$name" || echo "$name"
        done
        for name in $(optional_of "$group"); do is_installed "$name" || echo "?$name"; done
    done
}

missing_modules() {
    for group; do
        for module in $(modules_of "$group"); do pkg-config --exists "$module" 2>/dev/null || echo "$module"; done
    done
}

# ---- Debian and Ubuntu ----
install_with_apt() { # PREFIX NAME...: optional names (with '?') are kept where apt knows them
    as=$1
    shift
    # shellcheck disable=SC2086  # $as is empty or "sudo -n"
    $as apt-get update -qq || { echo "odori: apt-get update failed" >&2; return 1; }
    wanted=
    for name; do
        case $name in
        \?*) ! has_candidate "${name#\?}" || wanted="$wanted ${name#\?}" ;;
        *) wanted="$wanted $name" ;;
        esac
    done
    [ -n "$wanted" ] || return 0
    echo "installing:$wanted"
    # shellcheck disable=SC2086
    $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $wanted >/dev/null
}

debian() { # GROUP...
    missing=$(missing_packages "$@")
    tried=out/build/optional-tried-$(echo "$*" | tr ' ' -)
    required=$(echo "$missing" | grep -v '^?' || true)
    if [ "$action" = install ] && [ -n "$missing" ]; then
        as=none
        if [ "$(id -u)" = 0 ]; then as=; elif sudo -n true 2>/dev/null; then as="sudo -n"; fi
        if [ "$as" != none ]; then
            # shellcheck disable=SC2086  # one word a name
            if [ -n "$required" ]; then
                install_with_apt "$as" $missing || exit 1
            elif [ ! -e "$tried" ]; then # only optional ones: asked for once
                install_with_apt "$as" $missing || true
            fi
            mkdir -p out/build && touch "$tried"
            required=$(missing_packages "$@" | grep -v '^?' || true)
        fi
    fi
    [ -z "$required" ] || {
        echo "odori: missing packages; install them, for example by 'make setup' as root, or with:" >&2
        echo "  sudo apt-get install $(echo "$required" | tr '\n' ' ')" >&2
        exit 1
    }
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
            "nettle-devel bullet-devel zlib-devel harfbuzz-devel fontconfig-devel libass-devel openexr-devel libcmocka-devel" >&2 ;;
    *" arch "*)
        echo "  sudo pacman -S base-devel mesa libpng ffmpeg cglm libfyaml libutf8proc libwebp freetype2 zstd nettle" \
            "bullet zlib harfbuzz fontconfig libass openexr cmocka" >&2 ;;
    *" alpine "*)
        echo "  sudo apk add build-base pkgconf mesa-dev mesa-egl mesa-dri-gallium libpng-dev ffmpeg-dev cglm-dev" \
            "libfyaml-dev utf8proc-dev libwebp-dev freetype-dev zstd-dev nettle-dev bullet-dev zlib-dev" \
            "harfbuzz-dev fontconfig-dev libass-dev openexr-dev cmocka-dev" >&2 ;;
    *) echo "  install the development files of these libraries" >&2 ;;
    esac
    exit 1
}

if [ "$action" = list ]; then
    for group; do echo "$(names_of "$group") $(optional_of "$group")"; done
    exit 0
fi
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then debian "$@"; else other "$@"; fi
