#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds a container image from the package in out/deb, on a base made by debootstrap, and prints its size.
# No image is pulled.  Needs root, debootstrap and buildah.
#
# usage: configs/packaging/image.sh [TAG]      default: odori:VERSION; out/image.tar is an archive of it for docker and podman
#
#   RELEASE=bookworm   Debian release of the base; the package must have been built for it (this system's by default)
set -eu
cd "$(dirname "$0")/../.."
for tool in debootstrap buildah; do
    command -v "$tool" >/dev/null || { echo "image: $tool is missing: apt-get install $tool" >&2; exit 1; }
done
package=$(find out/deb -maxdepth 1 -name 'odori_*.deb' | head -n 1)
[ -n "$package" ] || { echo "image: no package in out/deb: make deb" >&2; exit 1; }
# shellcheck source=/dev/null
: "${RELEASE:=$(. /etc/os-release && echo "$VERSION_CODENAME")}"
version=$(dpkg-deb -f "$package" Version)
version=${version%-*} # without the revision of the package
tag=${1:-odori:$version}
# shellcheck disable=SC2016  # apt-get expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep 'debian/*$' | head -n 1)
root=out/image/root
rm -rf out/image
mkdir -p out/image

# The package and its libraries, without documents, locales and what only a full system needs.
debootstrap --variant=minbase "$RELEASE" "$root" "$mirror" >out/image/debootstrap.log
printf 'path-exclude=/usr/share/%s/*\n' doc man locale info lintian >"$root/etc/dpkg/dpkg.cfg.d/small"
cp "$package" "$root/odori.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
chroot "$root" sh -ec '
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends /odori.deb
    apt-get install -y -qq --no-install-recommends libosmesa6 || true
    useradd --uid 1000 --create-home odori
    install -d -o odori -g odori /data /run/odori /var/cache/odori
    rm -rf /odori.deb /var/lib/apt/lists/* /var/cache/apt/* /var/log/* /usr/share/doc/* /usr/share/man/* \
        /usr/share/locale/* /usr/share/info/*
    apt-get purge -y -qq --allow-remove-essential --auto-remove apt >/dev/null 2>&1 || true' >out/image/install.log

set -- title=odori "description=$(dpkg-deb -f "$package" Description | head -n 1)" "version=$version" licenses='MIT AND GPL-2.0-or-later' \
    "revision=$(chroot "$root" odori version | sed -n 's/^revision //p')"
for label; do
    set -- "$@" --label "org.opencontainers.image.$label" --annotation "org.opencontainers.image.$label"
    shift
done

container=$(buildah from scratch)
buildah add -q "$container" "$root" / >/dev/null
buildah config --user 1000:1000 --workingdir /work --entrypoint '["odori"]' --env HOME=/tmp \
    "$@" "$container"
buildah commit -q "$container" "$tag" >/dev/null
buildah rm "$container" >/dev/null
buildah push -q "$tag" "docker-archive:out/image.tar:$tag" # docker before 25 reads no OCI archive
rm -rf out/image
echo "$tag: $(du -m out/image.tar | cut -f 1) MiB compressed, $(buildah images --format '{{.Size}}' "$tag") unpacked"
