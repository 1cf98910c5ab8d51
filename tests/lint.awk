# SPDX-License-Identifier: MIT
# Rules of the source that a compiler does not check; tests/lint.sh runs it over the names of all files of the tree.
#
# usage: git ls-files | awk -f tests/lint.awk      from the top; prints one line a fault, exit status 1 if there is one
#
#  - a directory of src/ includes only what its row of the table in src/README.md allows, and rows look up, never down
#  - a source file includes its own header first, then <...>, then "..." (clang-format sorts each block)
#  - only render/ includes OpenGL, only evaluate/physics/*bullet* Bullet, only media/libav.h libav
#  - each module of src/ is named in the README.md of its directory, or of the nearest one above
#  - a section that a comment or a document cites ("render/README.md 2.4") exists; so does the target of each link,
#    and each file that a document or a comment names ("cli/stop.h")

function report(place, text) { print "lint: " place ": " text; faults++ }

function directory_of(path) { return match(path, /.*\//) ? substr(path, 1, RLENGTH - 1) : "." }
function stem_of(path) { sub(/.*\//, "", path); sub(/\.[a-z]+$/, "", path); return path }

# "./a/b/../c" -> "a/c"
function normal(path,    parts, n, i) {
    n = split(path, parts, "/")
    path = ""
    for (i = 1; i <= n; i++)
        if (parts[i] == ".." && path != "") { if (!sub(/\/[^\/]*$/, "", path)) path = "" }
        else if (parts[i] != "." && parts[i] != "") path = path (path == "" ? "" : "/") parts[i]
    return path
}

# The README.md of a directory or of the nearest one above it.
function readme_of(directory) {
    while (!((directory "/README.md") in exists) && sub(/\/[^\/]*$/, "", directory)) { }
    return directory "/README.md"
}

# ---- documents: their headings, the names between back-quotes, links and citations ----
function read_document(file,    line, number, section, code, rest, target, text) {
    while ((getline line < file) > 0) {
        number++
        if (line ~ /^ *```/) code = !code
        if (code) continue
        if (line ~ /^#+ /) {
            text = line
            sub(/^#+ */, "", text)
            section = match(text, /^[0-9]+(\.[0-9]+)*/) ? substr(text, 1, RLENGTH) : ""
            if (section != "") is_section[file, section] = 1
            text = tolower(text)
            gsub(/[^a-z0-9 _-]/, "", text)
            gsub(/ /, "-", text)
            is_anchor[file, text] = 1
        }
        if (match(line, /^ *[0-9]+\. /)) { # an item of a list counts as a section below its heading
            text = line
            sub(/^ */, "", text)
            sub(/\..*/, "", text)
            is_section[file, (section == "" ? "" : section ".") text] = 1
            if (section ~ /\./) is_section[file, substr(section, 1, index(section, ".")) text] = 1
        }
        if (match(line, /^ *([-|] *)?[0-9]+(\.[0-9]+)+[. ]/)) { # "- 4.1 Hinge: ...", "1.2. BMP: ...", "| 6.1 | ..."
            text = line
            sub(/^[^0-9]*/, "", text)
            match(text, /^[0-9]+(\.[0-9]+)+/)
            is_section[file, substr(text, 1, RLENGTH)] = 1
        }
        rest = line
        while (match(rest, /`[^`]+`/)) {
            text = substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            while (match(text, /[a-z0-9_]+/)) {
                is_named[file, substr(text, RSTART, RLENGTH)] = 1
                text = substr(text, RSTART + RLENGTH)
            }
        }
        rest = line
        while (match(rest, /\]\([^)]*\)/)) {
            target = substr(rest, RSTART + 2, RLENGTH - 3)
            rest = substr(rest, RSTART + RLENGTH)
            if (target !~ /^[a-z]+:/) { link_from[++links] = file; link_line[links] = number; link_to[links] = target }
        }
        cite(file, number, line)
        check_paths(file, number, line)
        gsub(/[\200-\277]/, "", line) # characters, not bytes
        gsub(/`[^`]*`/, "", line)      # they are not broken
        if (file ~ /^src\// && line !~ /^ *[|]/ && length(line) > 150) report(file ":" number, "a line of more than 150 characters")
    }
    close(file)
}

# Remembers citations such as "render/README.md 2.4", also at the end of one line and the start of the next.
function cite(file, number, line,    rest, path) {
    rest = line
    if (pending != "" && pending_file == file) {
        text = line
        sub(/^[ \t]*(\/\*|\*|\/\/|#)?[ \t]*/, "", text)
        cited(file, number, pending, text)
    }
    pending = ""
    while (match(rest, /[A-Za-z0-9_.\/]*README(\.md`?,?| [0-9])/)) {
        path = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (path ~ / [0-9]$/) { rest = substr(path, length(path) - 1) rest; path = substr(path, 1, length(path) - 2) ".md" }
        gsub(/[`,]/, "", path)
        if (rest ~ /^[ \t]*$/) { pending = path; pending_file = file }
        cited(file, number, path, rest)
    }
}

# Files that a text names, such as cli/shader_cache.h, exist below src/ or the top.
function check_paths(file, number, line,    path, room) {
    while (match(line, /[a-z][a-z0-9_\/]*\/[a-z0-9_]+\.(cpp|hpp|c|h|sh|awk|mk)/)) {
        path = substr(line, RSTART, RLENGTH)
        room = path
        sub(/\/.*/, "", room)
        if (substr(line, RSTART - 1, 1) !~ /[\/.$*<>_A-Z-]/ && substr(line, RSTART + RLENGTH, 1) !~ /[a-zA-Z*]/ &&
            (room in is_room || room in is_directory) && !(path in exists) && !(("src/" path) in exists))
            report(file ":" number, "names " path ", which does not exist")
        line = substr(line, RSTART + RLENGTH)
    }
}

function cited(file, number, path, rest) {
    citation[++citations] = path
    citation_at[citations] = file
    citation_line[citations] = number
    citation_section[citations] = ""
    sub(/^ section/, "", rest)
    while (match(rest, /^ ?[0-9]+(\.[0-9]+)*/)) {
        citation_section[citations] = citation_section[citations] " " substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RLENGTH + 1)
        if (!sub(/^(,| and| to| or) /, "", rest)) break
    }
}

function check_citations(    i, k, n, path, directory, sections) {
    for (i = 1; i <= citations; i++) {
        directory = directory_of(citation_at[i])
        path = citation[i]
        if (path == "README.md" && citation_at[i] !~ /\.md$/) { # of the module, or of what the test tests
            sub(/^tests\/unit\//, "src/", directory)
            path = readme_of(directory)
        } else if (path == "README.md") path = normal(directory "/" path)
        else if (("src/" path) in exists) path = "src/" path
        else if (!(path in exists)) path = normal(directory "/" path)
        if (!(path in exists)) {
            report(citation_at[i] ":" citation_line[i], "cites " citation[i] ", which does not exist")
            continue
        }
        n = split(citation_section[i], sections, " ")
        for (k = 1; k <= n; k++)
            if (!((path, sections[k]) in is_section))
                report(citation_at[i] ":" citation_line[i], "cites section " sections[k] " of " path ", which has none")
    }
}

function check_links(    i, path, anchor, place) {
    for (i = 1; i <= links; i++) {
        path = link_to[i]
        place = link_from[i] ":" link_line[i]
        anchor = ""
        if (match(path, /#/)) { anchor = substr(path, RSTART + 1); path = substr(path, 1, RSTART - 1) }
        path = path == "" ? link_from[i] : normal(directory_of(link_from[i]) "/" path)
        sub(/\/$/, "", path)
        if (!(path in exists) && !(path in is_directory)) report(place, "links to " link_to[i] ", which does not exist")
        else if (anchor != "" && !((path, anchor) in is_anchor)) report(place, "links to " link_to[i] ", which has no such heading")
    }
}

# ---- the table of layers in src/README.md: | `room` | contents | may include | ----
function read_layers(    file, line, cells, room, words, n, i, k) {
    file = "src/README.md"
    while ((getline line < file) > 0) {
        if (split(line, cells, "|") != 5 || cells[2] !~ /^ `[a-z]+` $/) continue
        room = cells[2]
        gsub(/[` ]/, "", room)
        if (!(("src/" room) in is_directory)) continue
        rooms[++room_count] = room
        is_room[room] = 1
        if (room == "demo") assets = room_count # "assets": all rows down to demo
        may[room, room] = 1
        gsub(/[`,]/, " ", cells[4])
        n = split(cells[4], words, " ")
        for (i = 1; i <= n; i++)
            if (words[i] == "all") for (k = 1; k < room_count; k++) may[room, rooms[k]] = 1
            else if (words[i] == "assets") for (k = 1; k <= assets; k++) may[room, rooms[k]] = 1
            else if (words[i] in is_room || words[i] ~ /\.h$/) may[room, words[i]] = 1
            else report(file, "the row of " room " names " words[i] ", which is not a row above it")
    }
    close(file)
}

# ---- sources ----
# A function that reads bytes of a file, or opens a decoder of a library, calls parser_enter first (src/base/parser_entry.h). These
# files call one that does; stages.c reads what a child of the program wrote.
function check_parser(file, line) {
    if (file !~ /^src\/.*\.c$/) return
    if (line ~ /parser_enter\(/) { enters_parser = 1; return }
    if (file ~ /\/(reader|mocap|model_file|motion_file|gltf_motion|smpl|fbx|vrm|gltf_scene|gltf_values|stages|stage_times|found_files|checkpoint_job|checkpoint_read|run_record)\.c$/) return
    if ((line ~ /^[a-zA-Z].*_(load|read|parse)[a-z0-9_]*\(/ && line ~ /[(, ]Bytes [a-z]+[,)]/ && line !~ /^static/) || line ~ /reader_init\(/ ||
        line ~ /(avformat_open_input|archive_read_open_[a-z]+|FT_New_Memory_Face|FT_New_Face|fluid_player_add_mem|exr_start_read|fy_parser_create|WebPAnimDecoderNew|ass_read_memory|inflateInit2?|png_create_read_struct)\(/)
        parses = 1
}

# System calls that create, open for writing, rename, remove or change files stand in the sources of the table in
# src/sandbox/README.md alone: everything else is written by base/file_calls.h. An open that does not say O_RDONLY or O_PATH may write.
function check_writer(file, number, line) {
    if (file !~ /^src\/.*\.(c|h|cpp|hpp)$/ || line ~ /^ \*|^ *\/\*/) return
    if (open_call != "") open_call = open_call line
    else if (line ~ /(^|[^a-zA-Z0-9_>.])(open|openat|open64|fopen|fdopen)\(/) { open_call = line; open_line = number }
    if (line ~ /(^|[^a-zA-Z0-9_>.])(creat|mkdir|mkdirat|mk[dso]+temps?|mkfifo|mkfifoat|mknod|mknodat|rename|renameat|renameat2|unlink|unlinkat|rmdir|remove|link|linkat|symlink|symlinkat|truncate|ftruncate|fallocate|tmpfile|freopen|avio_open2?|f?chmod|fchmodat|[fl]?chown|utimensat|futimens)\(/)
        writes_at[file] = writes_at[file] " " number
    if (open_call == "" || open_call !~ /;/) return
    if (open_call ~ /fdopen\(|fopen\(/ ? open_call ~ /fopen\([^;]*"([wa]|r[be]*\+)/ : open_call !~ /O_RDONLY|O_PATH|"\/dev\/null"/)
        writes_at[file] = writes_at[file] " " open_line
    open_call = ""
}

# The table: | `sandbox/file_grants.c` | what it changes |, below the heading "Calls that change files".
function check_writers(    file, line, cells, name, inside, place) {
    file = "src/sandbox/README.md"
    while ((getline line < file) > 0) {
        if (line ~ /^#/) inside = line ~ /Calls that change files/
        if (!inside || split(line, cells, "|") < 4 || cells[2] !~ /^ `[a-z_\/]+\.[a-z]+` $/) continue
        name = cells[2]
        gsub(/[` ]/, "", name)
        if (!(("src/" name) in writes_at)) report(file, name " changes no files: remove its row")
        may_write["src/" name] = 1
    }
    close(file)
    for (place in writes_at)
        if (!(place in may_write))
            report(place, "changes files (lines" writes_at[place] "): call base/file_calls.h, or add a row to src/sandbox/README.md")
}

function read_source(file,    line, number, included, room, own, first, was_project, in_src, depth) {
    in_src = file ~ /^src\//
    own = file
    sub(/^src\//, "", own)
    room = own
    sub(/\/.*/, "", room)
    sub(/\.(c|cpp)$/, ".h", own)
    if (own !~ /\.h$/ || !(("src/" own) in exists) || file ~ /\.h$/) own = ""
    first = 1
    if (in_src && !(room in is_room)) report(file, "its directory has no row in src/README.md")
    while ((getline line < file) > 0) {
        number++
        check_parser(file, line)
        check_writer(file, number, line)
        if (line ~ /README/ || pending != "") cite(file, number, line)
        if (line !~ /^#/) {
            if (line ~ /\*/ && line ~ /[a-z]\/[a-z0-9_]+\.[ch]/) check_paths(file, number, line)
            continue
        }
        if (line ~ /^#if/) depth++
        if (line ~ /^#endif/) depth--
        if (line !~ /^#include [<"]/) continue
        included = line
        sub(/^#include ./, "", included)
        sub(/[>"].*/, "", included)
        if (line ~ /^#include </) {
            if (included ~ /^(GL|EGL)\// && in_src && room != "render") report(file ":" number, "includes OpenGL outside of render/")
            if (included ~ /^(bt|Bullet|LinearMath)/ && in_src && file !~ /^src\/evaluate\/physics\/[a-z_]*bullet[a-z_]*\./)
                report(file ":" number, "includes Bullet outside of evaluate/physics/*bullet*")
            if (included ~ /^lib(av|sw)/ && in_src && file != "src/media/libav.h")
                report(file ":" number, "includes libav, which only media/libav.h does")
            if (was_project && !depth) report(file ":" number, "includes <" included "> after \"...\"")
        }
        if (first && own != "" && included != own) report(file ":" number, "does not include its own header first")
        if (line ~ /^#include "/ && !first && !depth) was_project = 1
        first = 0
        if (line ~ /^#include "/ && in_src && !((room, included) in may)) {
            sub(/\/.*/, "", included)
            if (included in is_room && !((room, included) in may))
                report(file ":" number, "includes " included "/, which the table in src/README.md does not allow")
        }
    }
    close(file)
    pending = ""
    if (parses && !enters_parser) report(file, "parses without parser_enter (src/base/parser_entry.h)")
    parses = enters_parser = 0
}

function check_named(file,    readme) {
    readme = readme_of(directory_of(file))
    if (!(readme in exists)) report(directory_of(file), "has no README.md")
    else if (!((readme, stem_of(file)) in is_named)) report(readme, "does not name " stem_of(file) " (" file ")")
}

{
    files[++count] = $0
    exists[$0] = 1
    for (path = $0; sub(/\/[^\/]*$/, "", path);) is_directory[path] = 1
}

END {
    read_layers()
    for (i = 1; i <= count; i++) if (files[i] ~ /\.md$/) read_document(files[i])
    for (i = 1; i <= count; i++) {
        if (files[i] ~ /^(src|tests)\/.*\.(c|h|cpp|hpp)$/) read_source(files[i])
        if (files[i] ~ /^src\/.*\.(c|h|cpp|hpp)$/ && !((directory_of(files[i]), stem_of(files[i])) in seen)) {
            seen[directory_of(files[i]), stem_of(files[i])] = 1
            check_named(files[i])
        }
    }
    check_citations()
    check_links()
    check_writers()
    exit faults > 0
}
