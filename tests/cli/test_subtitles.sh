#!/bin/sh
# SPDX-License-Identifier: MIT
# Subtitles: the same frames in any order, in shards and after a stop; messages of check.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"

tiny_job
cat >lines.srt <<'END_OF_LINES'
1
00:00:00,400 --> 00:00:02,000
Hello <i>there</i>

2
00:00:01,000 --> 00:00:03,600
second
END_OF_LINES
sed -i 's/size: \[16, 16\]/size: [64, 36]/; s/audio: noise.wav/subtitles: lines.srt/' tiny.yaml

run 0 version
if ! grep -q 'libass [0-9]' out; then
    run 69 check tiny.yaml
    expect_text err 'subtitles need libass; this program was built without it'
    skip "built without libass"
    finish
    exit
fi
run 0 check tiny.yaml
if grep -q 'no font is installed' err; then
    skip "no font is installed"
    finish
    exit
fi
expect_empty err

run 0 render tiny.yaml -o 'whole/%02d.png' -j 2
run 0 render tiny.yaml -o 'plain/%02d.png' --set subtitles=null
for frame in 00 01 18 19; do # before 0.4 s and after 3.6 s, at 5 frames a second
    expect_same whole/$frame.png plain/$frame.png
done
for frame in 02 09 17; do
    if cmp -s whole/$frame.png plain/$frame.png; then fail "frame $frame has no subtitle"; else pass; fi
done
for frame in 4 7 12; do # in the middle, without the frames before
    run 0 render tiny.yaml -f $frame -o "alone/%02d.png"
    name=$(printf %02d.png $frame)
    expect_same "alone/$name" "whole/$name"
done
run 0 render tiny.yaml -o films/whole.sha256
for shard in 2 1 3; do
    run 0 render tiny.yaml -o films/parts.sha256 --shard $shard/3
done
run 0 join tiny.yaml -o films/parts.sha256
expect_same films/whole.sha256 films/parts.sha256

# Time and size.
run 0 render tiny.yaml -f 3 -o early.png --set subtitles.offset_s=1.8 # begins at frame 11
expect_same early.png plain/03.png
run 0 render tiny.yaml -f 10-11 -o 'moved/%02d.png' --set subtitles.offset_s=1.8
expect_same moved/10.png plain/10.png
if cmp -s moved/11.png plain/11.png; then fail "the offset is later than 1.8 s"; else pass; fi
run 0 render tiny.yaml -f 3 -o large.png --set subtitles.scale=2
if cmp -s large.png whole/03.png; then fail "subtitles.scale has no effect"; else pass; fi

# A line of a few bytes whose bitmaps would take gigabytes, and many that are blurred: refused before anything is drawn.
script() { # FILE COUNT TEXT
    { printf '[Script Info]\nPlayResX: 640\nPlayResY: 360\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: D,Arial,30\n'
      printf '[Events]\nFormat: Layer, Start, End, Style, Text\n'
      yes "Dialogue: 0,0:00:00.00,0:00:10.00,D,$3" | head -n "$2"; } >"$1"
}
script large.ass 1 '{\fs9999\bord999}WWWWWWWW'
script blurred.ass 1000 '{\blur100\fs200}WWW'
script usual.ass 20 '{\fs30\blur3\bord2\t(0,100,\fscx120)}a line of a song'
for file in large blurred; do
    run 69 check tiny.yaml --set "subtitles=$file.ass" --set 'render.size=[1280,720]'
    expect_text err "$file.ass: subtitle "
    expect_text err 'subtitles_mib: '
    expect_text err 'MiB exceeds the limit of 512 MiB (default)'
done
run 0 check tiny.yaml --set subtitles=usual.ass --set 'render.size=[1280,720]' --limits untrusted
echo 'subtitles_mib: 1' >subtitles.yaml
run 69 check tiny.yaml --set subtitles=usual.ass --set 'render.size=[1280,720]' --limits subtitles.yaml

# The fingerprint covers the bytes of the file.
digest() { # FILE ARGUMENT...
    file=$1
    shift
    run 0 plan tiny.yaml --json "$@"
    sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' out | head -n 1 >"$file"
    expect_file "$file"
}
digest a
sed 's/second/Second/' lines.srt >other.srt
digest b --set subtitles.file=other.srt
digest c --set subtitles.offset_s=1
for other in b c; do
    if cmp -s a $other; then fail "the digests a and $other are equal"; else pass; fi
done

# In a tall film, a line with ideographs is broken, a long word is reported.
printf '00:00:00,000 --> 00:00:05,000\n%s\n' 君が笑うたびに、世界が少しずつ変わっていく気がしたんだ >tall.srt
printf '00:00:00,000 --> 00:00:05,000\n%s\n' Donaudampfschifffahrtsgesellschaftskapitaenswitwe >word.srt
run 0 check tiny.yaml --set subtitles=tall.srt --set 'render.size=[90,160]' --set render.frames=0
if grep -q 'out of the frame' err; then fail "a line is wider than the frame"; else pass; fi
run 0 check tiny.yaml --set subtitles=word.srt --set 'render.size=[90,160]' --set render.frames=0
expect_text err 'subtitles.file: 1 line reaches out of the frame, first at 0.00 s (subtitle 0: '
run 0 check tiny.yaml --set subtitles=word.srt --set 'render.size=[160,90]' --set render.frames=0
if grep -q 'out of the frame' err; then fail "a line that fits is reported"; else pass; fi
run 0 check tiny.yaml
expect_text out '  fonts of subtitles: '

# Messages.
run 66 check tiny.yaml --set subtitles=none.ass
expect_text err "subtitles.file: cannot open 'none.ass'"
run 65 check tiny.yaml --set subtitles=board.x
expect_text err 'board.x: neither Advanced SubStation Alpha (.ass) nor SubRip (.srt)'
printf '00:00:01,000 --> 00:01:09,000\nlate\n' >late.srt
run 0 check tiny.yaml --set subtitles=late.srt --set render.frames=all --set 'models=[{file: board.x}]'
expect_text err 'subtitles.file: the last subtitle ends'
printf '00:00:01,000 --> 00:00:02,000\n\201\n' >bad.srt
run 65 check tiny.yaml --set subtitles=bad.srt
expect_text err 'bad.srt: text is neither UTF-8 nor UTF-16 nor Shift-JIS'
printf '00:00:01,000 --> 00:00:02,000\n\227\170\202\350\n' >sjis.srt # 踊り
run 0 check tiny.yaml --set subtitles=sjis.srt
printf '00:00:01,000 --> 00:00:02,000\n\364\217\277\275\n' >missing.srt
run 0 check tiny.yaml --set subtitles=missing.srt
expect_text err "1 character is not in any installed font"
run 65 check tiny.yaml --set subtitles=missing.srt --strict=missing-glyph
run 65 check tiny.yaml --set subtitles.font=board.x
expect_text err 'board.x: not a TrueType or OpenType font'
{
    printf '[Script Info]\nScriptType: v4.00+\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: A,No Such Font,20\n'
    printf '[Events]\nFormat: Start, End, Style, Text\nDialogue: 0:00:01.00,0:00:02.00,A,text\n'
} >family.ass
run 0 check tiny.yaml --set subtitles=family.ass
expect_text err "subtitles.file: the font 'No Such Font' is not installed; '"
printf '[Script Info]\nScriptType: v4.00+\n[Events]\nFormat: Start, End, Text\n' >empty.ass
run 0 check tiny.yaml --set subtitles=empty.ass
expect_text err 'the file has no subtitles'
finish
