#!/bin/sh
# SPDX-License-Identifier: MIT
# report: one well-formed page without outside references, with hostile names; the film; before and after.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/tiny.sh
. "$here/tiny.sh"
silent_job

# check_page FILE: well-formed, and nothing in it is loaded from elsewhere
check_page() {
    if ! command -v python3 >/dev/null; then
        skip "python3 is not installed: $1 is not parsed"
    elif python3 "$here/page_check.py" "$1" >err 2>&1; then
        pass
    else
        fail "$1"
    fi
    if grep -oE '(src|href|poster|data|action)="[^"]{0,12}' "$1" | grep -vE '="(#|data:)'; then
        fail "$1 has an outside reference"
    else
        pass
    fi
    if grep -oiE 'url\(|@import|<script|javascript:|<iframe|<object' "$1"; then fail "$1 loads or runs something"; else pass; fi
}

run 0 report tiny.yaml -o page.html
expect_text err 'wrote page.html'
check_page page.html
expect_text page.html '<title>tiny</title>'
expect_text page.html 'film.mp4 is not rendered yet. Shown: 0.0 to 4.0 s, at a small size.'
if [ "$(grep -c '<li><figure>' page.html)" = 20 ]; then pass; else fail "not 20 frames"; fi
expect_text page.html 'CPU time of 19 frames of the contact sheet'
expect_text page.html 'render.fps'
expect_text page.html 'ffmpeg'
expect_no_file film.mp4
expect_no_file .film.mp4.odori

# A summary says the same of the film.
run 0 preview tiny.yaml -o p.png --summary p.md -q
sed -n '/^| Length /,/^| Sound /s/^| \([A-Za-z]*\) | \(.*\) |$/\2/p' p.md >facts
if [ "$(grep -c . facts)" -ge 7 ]; then pass; else fail "the summary has other rows: $(cat p.md)"; fi
while IFS= read -r fact; do
    expect_text page.html "<dd>$fact</dd>"
done <facts

# The part that an animated preview of the job shows; a film with the look and without a video.
run 0 report tiny.yaml -o part.html -q --set 'previews=[{type: webp, file: p.webp, width: 16, fps: 5, range_s: [1, 3]}]'
expect_text part.html 'Shown: 1.0 to 3.0 s, at a small size.'
expect_no_file p.webp
run 0 report tiny.yaml -o look.html -q --set 'outputs=["null:"]' --set 'look={accumulate: {samples: 2}}' -f 0-3
check_page look.html
expect_text look.html 'The job writes no film that a browser plays.'
expect_text look.html '</i>Look</li>'

# To standard output; an older page is replaced, nothing else.
run 0 report tiny.yaml --embed-limit 0 -q
cp out piped.html
check_page piped.html
if grep -q '<video' piped.html; then fail "a film in spite of --embed-limit 0"; else pass; fi
run 0 report tiny.yaml --embed-limit 0 -o page.html -q
expect_empty err
echo precious >other.html
run 73 report tiny.yaml -o other.html
expect_text err "'other.html' exists"
if [ "$(cat other.html)" = precious ]; then pass; else fail "other.html was changed"; fi
run 2 report tiny.yaml -o camera.vmd -y
run 2 report tiny.yaml --embed-limit 20X
expect_text err "--embed-limit: '20X' is not a size such as 20M, 500K or 0 (at most 1G)"
run 2 report
run 66 report none.yaml

# What is wrong with --base is reported before anything is drawn.
: >empty.mp4
sed 's/board.x/none.x/' tiny.yaml >incomplete.yaml
"$ODORI" render tiny.yaml -q -o small.mp4 --size 32x32 2>err
sed 's/frames: 0-19/frames: 100-120/' tiny.yaml >later.yaml
refuse_base() { # STATUS BASE TEXT
    run "$1" report tiny.yaml --base "$2" --embed-limit 0 --progress json
    expect_text err "$3"
    if grep -qF '"stage":"render"' err; then fail "--base $2: frames were drawn"; else pass; fi
    expect_empty out
}
refuse_base 66 none.mp4 "none.mp4: cannot open: No such file or directory"
refuse_base 65 empty.mp4 'empty.mp4: '
refuse_base 66 incomplete.yaml "models.0.file: cannot open '"
refuse_base 1 small.mp4 "--base: 'small.mp4': the sizes differ: 32x32 and 16x16"
refuse_base 2 later.yaml "--base: 'later.yaml' has none of the frames of the report"

# The film itself, and the times that its render recorded.
run 0 render tiny.yaml -q --times
if [ "$(grep -c '"evaluate":' .film.mp4.odori/times.jsonl)" = 20 ]; then pass; else fail "not 20 lines of times"; fi
cp -r .film.mp4.odori before
run 0 report tiny.yaml -o page.html -q
check_page page.html
expect_text page.html 'complete. </figcaption>'
expect_text page.html 'src="data:video/mp4;base64,'
expect_text page.html 'CPU time of 20 frames, recorded when rendered.'
if diff -r before .film.mp4.odori >/dev/null; then pass; else fail "the checkpoint was changed"; fi
run 0 report tiny.yaml -o page.html -q --set 'light.color=[1,0,0]'
expect_text page.html 'Its checkpoint does not confirm it'
run 0 report tiny.yaml -o page.html -q --embed-limit 1K
expect_text page.html 'complete. Shown: '

# Before and after: a film, a directory, a job.
run 0 report tiny.yaml -o page.html -q --base film.mp4 --embed-limit 0
expect_text page.html 'All compared frames are equal.'
expect_text page.html '<dt>Frames compared</dt><dd>20</dd>'
run 0 render tiny.yaml -q -o 'f/%03d.png' -f 3-8
run 0 report tiny.yaml -o page.html -q --base f --embed-limit 0 --set 'background.color="#203040"'
check_page page.html
expect_text page.html '<dt>Frames compared</dt><dd>6</dd>'
expect_text page.html '<dt>Different frames</dt><dd>6</dd>'
expect_text page.html '<h3>Frame '
expect_text page.html 'alt="Difference"'
mkdir e && cp f/003.png e/003.exr
for color in '"#ffffff"' '"#203040"'; do # the film is current, or is not
    run 2 report tiny.yaml -o exr.html -q --base e --embed-limit 0 --set "background.color=$color"
    expect_text err '.exr files can only be compared with .exr files'
    run 2 report tiny.yaml -o exr.html -q --base e/003.exr --embed-limit 0 --set "background.color=$color"
    expect_text err '.exr files can only be compared with .exr files'
done
if [ ! -e exr.html ]; then pass; else fail "a page was written"; fi
sed 's/frames: 0-19/frames: 10-29/' tiny.yaml >late.yaml
run 0 report tiny.yaml -o page.html -q --base late.yaml --embed-limit 0
expect_text page.html '<dt>Before</dt><dd>late.yaml</dd>'
expect_text page.html '<dt>Frames compared</dt><dd>10</dd>'
run 1 report tiny.yaml -q --base f --embed-limit 0 --size 32x32
expect_text err 'the sizes differ'
sed 's/frames: 0-19/frames: 0-5/' tiny.yaml >early.yaml
run 2 report early.yaml -q --base late.yaml --embed-limit 0
expect_text err "--base: 'late.yaml' has none of the frames of the report"

# Hostile names are text.
cat >evil.yaml <<'END'
version: 1
name: "</title><script>alert(1)</script>\u202E\u0007"
models: ["a&<b>\"'.x"]
camera: { motion: "a\"onerror=\"x.vmd" }
shadows: { ground: false, self: false, map_size: 256 }
render: { size: [16, 16], samples: 1, fps: 5, frames: 0-3 }
outputs: [ "]]><img src=x>.mp4" ]
credits: [ "<a href=\"javascript:alert(1)\">x</a>" ]
END
cp board.x "a&<b>\"'.x"
cp camera.vmd 'a"onerror="x.vmd'
run 0 report evil.yaml -o evil.html -q
if grep -qE '<script|<img src=x|<a href="j|onerror="x"' evil.html; then fail "a name is markup"; else pass; fi
expect_text evil.html '&lt;script&gt;alert(1)&lt;/script&gt;\u202E\x07</h1>'
sed -i 's/javascript:alert//g' evil.html # shown as text
check_page evil.html
expect_no_temporaries .

finish
