#!/bin/sh
# SPDX-License-Identifier: MIT
# The same film in unusual surroundings: locales, no home, full or read-only directories, masks of rights, few descriptors and
# processes, a clock that jumps, inputs that were replaced.  A row: surroundings, exit status, whether the frames are the same, first message.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$(cd "$here/../cli" && pwd)
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
tiny_job
sed -i 's/0-19/0-2/' tiny.yaml
"$ODORI" render tiny.yaml -q -y -o expected.sha256 || fail 'without anything unusual'
printf '%-44s %6s %7s  %s\n' surroundings status frames message

# around NAME STATUSES COMMAND...: runs COMMAND with the words of a render at its end; status 0 means equal frames
around() {
    name=$1 allowed=$2
    shift 2
    rm -rf .got.sha256.odori* got.sha256
    timeout -k 5 120 "$@" "$ODORI" render tiny.yaml -q -y -o got.sha256 >out 2>err </dev/null
    status=$?
    frames=none
    [ ! -s got.sha256 ] || frames=$(cmp -s got.sha256 expected.sha256 && echo same || echo OTHER)
    printf '%-44s %6s %7s  %.100s\n' "$name" "$status" "$frames" "$(grep -m 1 'error:' err || head -n 1 err)"
    case " $allowed " in *" $status "*) pass ;; *) fail "$name: status $status, expected $allowed" ;; esac
    if [ "$status" != 0 ] || [ "$frames" = same ]; then pass; else fail "$name: other frames"; fi
    expect_no_temporaries .
}

for locale in C POSIX C.UTF-8 tr_TR.UTF-8 ja_JP.UTF-8 ja_JP.SJIS de_DE.UTF-8 ar_SA.UTF-8 none; do
    around "LC_ALL=$locale" 0 env LC_ALL=$locale LANG=$locale LC_NUMERIC=$locale
done
mkdir sealed && chmod 555 sealed
: >file
around 'HOME is missing' 0 env -u HOME -u XDG_CACHE_HOME -u MESA_SHADER_CACHE_DIR
around 'HOME does not exist' 0 env -u XDG_CACHE_HOME -u MESA_SHADER_CACHE_DIR HOME=/nonexistent
around 'HOME is a file' 0 env -u XDG_CACHE_HOME -u MESA_SHADER_CACHE_DIR HOME="$PWD/file"
around 'HOME is read-only' 0 env -u XDG_CACHE_HOME -u MESA_SHADER_CACHE_DIR HOME="$PWD/sealed"
around 'TMPDIR does not exist' 0 env TMPDIR=/nonexistent
around 'TMPDIR is /dev/full' 0 env TMPDIR=/dev/full
around 'no environment' 0 env -i PATH="$PATH"
for mask in 000 077 0277 0777; do
    # shellcheck disable=SC2016  # the inner shell expands it
    around "umask $mask" '0 73 74' sh -c 'umask "$0" && exec "$@"' $mask
done
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
    program=$ODORI
    cp "$ODORI" program && ODORI=$PWD/program
    chmod 755 . program
    chmod -R a+rX .
    mkdir nobody && chmod 777 nobody . && cp tiny.yaml board.x camera.vmd noise.wav nobody
    around 'another user' 0 env -u XDG_CACHE_HOME -u MESA_SHADER_CACHE_DIR HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups
    for mask in 077 0777; do
        # shellcheck disable=SC2016
        around "another user, umask $mask" '0 73 74' env -u XDG_CACHE_HOME -u MESA_SHADER_CACHE_DIR HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups sh -c 'umask "$0" && exec "$@"' $mask
    done
    for count in 1 4 8; do
        around "another user, $count processes" '0 69 75' env -u XDG_CACHE_HOME -u MESA_SHADER_CACHE_DIR HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups prlimit --nproc=$count
    done
    ODORI=$program
fi
if command -v prlimit >/dev/null; then
    for count in 4 8 12 16 20 24 32 48 64; do around "$count descriptors" '0 69 73 74 75 127' prlimit --nofile=$count; done
    around 'files of 4096 bytes at most' '0 74' prlimit --fsize=4096
    around 'no core, a stack of 256 KiB' '0 69' prlimit --core=0 --stack=262144
fi
if command -v faketime >/dev/null; then
    around 'a clock in 1970' 0 faketime '1970-01-02 00:00:00'
    around 'a clock in 2099' 0 faketime '2099-01-01 00:00:00'
    around 'a clock 1000 times as fast' '0 75' faketime -f '+0 x1000'
    around 'a clock that goes back' 0 faketime -f '-10d i-1.0'
fi
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
    around "closed: $closed" 0 sh -c "exec \"\$@\" $closed" sh
done

# An input that is replaced between two runs by one of equal size and date: the film is another one, not a resumed one.
rm -rf .got.mkv.odori got.mkv
"$ODORI" render tiny.yaml -q -o got.mkv || fail 'the first run'
cp -p board.x board.kept
sed 's/0.9;0.4;0.2/0.2;0.4;0.9/' board.kept >board.x
touch -r board.kept board.x
run 0 render tiny.yaml -q -o got.mkv
"$ODORI" render tiny.yaml -q -y -o fresh.mkv
if cmp -s got.mkv fresh.mkv; then state=new; pass; else state=OLD; fail 'an input of equal size and date was not noticed'; fi
printf '%-44s %6s %7s\n' 'an input replaced with equal size and date' 0 "$state"
finish
