// SPDX-License-Identifier: MIT
/* Which files of an archive can play a role. */
#include <string.h>

#include "job/job_archives.h"
#include "unit_test.h"

enum { MAX_FILES = 16 };

static void test_matches(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const char *files[MAX_FILES];
        FileUse use;
        const char *matches; /* joined by spaces */
    } rows[] = {
        {"a model", {"a/m.pmx", "a/tex.png", "readme.txt"}, FILE_AS_MODEL, "a/m.pmx"},
        {"any case", {"M.PMX"}, FILE_AS_MODEL, "M.PMX"},
        {"several models", {"a.pmx", "b.pmx"}, FILE_AS_MODEL, "a.pmx b.pmx"},
        {"both formats", {"a.pmd", "a.pmx", "a.x"}, FILE_AS_MODEL, "a.pmx"},
        {"the older format", {"a.pmd", "a.vac", "a.x"}, FILE_AS_MODEL, "a.pmd"},
        {"accessories", {"a.vac", "b.x"}, FILE_AS_MODEL, "a.vac b.x"},
        {"no model", {"a.vmd", "pmx", "a.pmx.txt"}, FILE_AS_MODEL, ""},
        {"files of macOS",
         {"__MACOSX/a.pmx", "a/._a.pmx", "b/__MACOSX/c.pmx", "a/a.pmx"},
         FILE_AS_MODEL,
         "a/a.pmx"},
        {"a name that begins with a dot", {"a/.a.pmx"}, FILE_AS_MODEL, "a/.a.pmx"},
        {"motions", {"a.vmd", "b.vpd", "c.pmx"}, FILE_AS_MOTION, "a.vmd b.vpd"},
        {"no other motions", {"a.pmd", "a.x"}, FILE_AS_MOTION, ""},
        {"sounds",
         {"a.wav", "b.flac", "c.ogg", "d.oga", "e.opus", "f.mp3", "g.m4a", "h.aac", "i.mid",
          "j.midi", "k.mp4"},
         FILE_AS_SOUND,
         "a.wav b.flac c.ogg d.oga e.opus f.mp3 g.m4a h.aac i.mid j.midi"},
        {"the sound of a video, without another", {"a.mp4", "b.png"}, FILE_AS_SOUND, "a.mp4"},
        {"images",
         {"a.png", "b.jpg", "c.jpeg", "d.bmp", "e.tga", "f.dds", "g.webp", "h.gif", "i.sph"},
         FILE_AS_IMAGE,
         "a.png b.jpg c.jpeg d.bmp e.tga f.dds g.webp h.gif"},
        {"videos",
         {"a.mp4", "b.m4v", "c.mov", "d.mkv", "e.webm", "f.avi", "g.wav"},
         FILE_AS_VIDEO,
         "a.mp4 b.m4v c.mov d.mkv e.webm f.avi"},
        {"an empty archive", {NULL}, FILE_AS_MODEL, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        ArchiveFile files[MAX_FILES];
        Archive archive = {.files = files};
        while (archive.count < MAX_FILES && rows[i].files[archive.count]) {
            files[archive.count] = (ArchiveFile){.name = rows[i].files[archive.count]};
            archive.count++;
        }
        const ArchiveMatches matches = archive_matches(&archive, rows[i].use, arena);
        const char *text = "";
        for (size_t k = 0; k < matches.count; k++)
            text = arena_printf(arena, "%s%s%s", text, k ? " " : "", matches.items[k]);
        if (strcmp(text, rows[i].matches) != 0)
            fail_msg("%s: '%s'", rows[i].what, text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
