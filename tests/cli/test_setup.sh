#!/bin/sh
# SPDX-License-Identifier: MIT
# configs/packaging/setup.sh with a package manager of our own: what cannot be installed is named with the reason and tried again.
# shellcheck source=tests/cli/lib.sh disable=SC2154  # which sets here and work
. "$(dirname "$0")/lib.sh"
setup=$(cd "$here/../.." && pwd)/configs/packaging/setup.sh

# Files: `installed` and `candidates` (names of packages), `broken` (those that cannot be installed), `locked` (how many more
# calls of apt-get find a lock), `offline`, `user` (a user without rights), `calls` (arguments of apt-get).
mkdir bin
cat >bin/dpkg-query <<'END'
#!/bin/sh
shift 3
for name; do ! grep -qxF -- "$name" installed || echo "$name installed"; done
END
cat >bin/apt-cache <<'END'
#!/bin/sh
! grep -qxF -- "$2" candidates || printf '%s:\n  Installed: (none)\n  Candidate: 1.0\n' "$2"
END
cat >bin/apt-get <<'END'
#!/bin/sh
echo "$*" >>calls
left=$(cat locked)
if [ "$left" -gt 0 ]; then
    echo $((left - 1)) >locked
    echo 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4321 (unattended-upgr)' >&2
    exit 100
fi
if [ -e offline ]; then
    echo "E: Failed to fetch http://example.org/Packages" >&2
    exit 100
fi
[ "$2" = install ] || exit 0
shift 4
for name; do
    if grep -qxF -- "$name" broken; then
        echo "E: $name : Depends: libnone but it is not installable" >&2
        exit 100
    fi
done
printf '%s\n' "$@" >>installed
END
printf '#!/bin/sh\nif [ -e user ]; then echo 1000; else echo 0; fi\n' >bin/id
printf '#!/bin/sh\nexit 1\n' >bin/sudo
printf '#!/bin/sh\n' >bin/sleep
chmod 755 bin/*

start() { # NAME...: all packages of the group of tests are installed but these
    rm -rf offline user out
    sh "$setup" list test | tr ' ' '\n' | sort >candidates
    cp candidates installed
    for name; do sed -i "/^$name\$/d" installed; done
    : >broken && : >calls && echo 0 >locked
}
setup() { # STATUS ACTION
    PATH="$work/bin:$PATH" SETUP_WAIT=4 sh "$setup" "$2" test >out.txt 2>err </dev/null
    got=$?
    if [ "$got" = "$1" ]; then pass; else fail "setup.sh $2: exit status $got, expected $1"; fi
}
expect_installed() { # NAME...
    for name; do expect_text installed "$name"; done
}
calls() { wc -l <calls; }

start
setup 0 complete
expect_empty err
expect_empty calls

start strace zsh
echo 2 >locked
setup 0 install
expect_text err 'waiting at most 4 s for another package manager: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4321'
expect_installed strace zsh

# The lock was held for too long: the next run tries again.
start strace zsh
echo 1000 >locked
setup 0 install
expect_text err '  strace: Could not get lock'
expect_text err '  zsh: Could not get lock'
setup 1 complete
echo 0 >locked
setup 0 complete
expect_installed strace zsh

start strace
touch offline
setup 0 install
expect_text err '  strace: Failed to fetch http://example.org/Packages'

# What the release lacks is no fault, and apt is asked once.
start strace zsh
sed -i '/^strace$/d' candidates
setup 0 complete
expect_text err '  strace: this release does not have it'
expect_installed zsh
before=$(calls)
setup 0 complete
expect_text err '  strace: this release does not have it'
if [ "$(calls)" = "$before" ]; then pass; else fail "apt-get was called again: $(cat calls)"; fi

# Lists that could not be read do not say what a release lacks.
start strace
touch offline
: >candidates
setup 1 complete
expect_text err '  strace: apt-get update: Failed to fetch'
rm offline
echo strace >candidates
setup 0 complete
expect_installed strace

# One that cannot be installed does not keep the others out, neither optional nor required ones.
start strace zsh libcmocka-dev
echo strace >broken
setup 0 install
expect_text err '  strace: strace : Depends: libnone but it is not installable'
expect_installed zsh libcmocka-dev
setup 1 complete

start libcmocka-dev zsh
echo libcmocka-dev >broken
setup 1 install
expect_text err 'libcmocka-dev : Depends: libnone but it is not installable'

start zsh libcmocka-dev
touch user
setup 1 install
expect_text err 'sudo apt-get install libcmocka-dev'
start zsh
touch user
setup 0 install
expect_text err '  zsh: only root'
setup 1 complete
expect_empty calls
setup 0 check
expect_empty err

finish
