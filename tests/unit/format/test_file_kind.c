// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/file_kind.h"
#include "scratch.h"
#include "unit_test.h"

/* First bytes as the specifications of the formats give them. */
static void test_first_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *path, *name; /* NULL: not known */
    } rows[] = {
        {"PK\x03\x04\x14", 5, "a.pmx", "a ZIP archive"},
        {"Rar!\x1A\x07", 6, "a", "a RAR archive"},
        {"7z\xBC\xAF\x27\x1C", 6, "a", "a 7z archive"},
        {"\x20\x30-lh5-", 7, "a", "an LZH archive"},
        {"Polygon Movie maker 0002", 24, "a.vmd", "a project of MikuMikuDance (.pmm)"},
        {"Kaydara FBX Binary  ", 20, "a", "an FBX motion (its mesh is not drawn)"},
        {"PK\x03\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.npy", 35, "a",
         "a motion of SMPL (.npz)"},
        {"PK\x03\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.pmx", 35, "a",
         "a ZIP archive"},
        {"\x80\x04\x95", 3, "a.npz", "a Python pickle, which can run code of its author"},
        {"\x28\xB5\x2F\xFD", 4, "a.BLEND", "a file of Blender"},
        {"glTF\x02", 5, "a.vrm", "a VRM avatar"},
        {"\0\0\0\x20"
         "ftypisom",
         12, "a.yaml", "a video"},
        {"\0\0\0\x20"
         "ftypM4A ",
         12, "a.m4a", "a sound file"},
        {"\x1A\x45\xDF\xA3", 4, "a", "a video"},
        {"RIFF\0\0\0\0AVI ", 12, "a", "a video"},
        {"RIFF\0\0\0\0WAVE", 12, "a", "a sound file"},
        {"FORM\0\0\0\0AIFF", 12, "a", "a sound file"},
        {"\x30\x26\xB2\x75\x8E", 5, "a.bin", "a sound file"},
        {"\x89PNG\r\n", 6, "a", "an image"},
        {"Pmx \0", 4, "a.vmd", "a PMX model"},
        {"Vocaloid Motion Data 0002", 25, "a.pmx", "a VMD motion"},
        {"Vocaloid Pose Data file", 23, "a", "a VPD pose"},
        {"xof ", 4, "a", "a DirectX model"},
        {"xof", 3, "a", NULL},
        {"version: 1", 10, "a.yaml", NULL},
        {"", 0, "a", NULL},
        {"PK", 2, "a", NULL},
        {"RIFF\0\0\0\0AVI", 11, "a", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Bytes head = {(const uint8_t *)rows[i].bytes, rows[i].size};
        const FileKind kind = file_kind_find(head, rows[i].path);
        const FileKindRow *row = &file_kinds[kind];
        if (!kind != !rows[i].name || (kind && strcmp(row->name, rows[i].name) != 0))
            fail_msg("row %zu: %s, not %s", i, kind ? row->name : "not known",
                     rows[i].name ? rows[i].name : "unknown");
        if (kind && strncmp(row->advice, "use ", 4) != 0)
            fail_msg("%s: the advice is not recognized as a hint", row->name);
    }
}

static void test_a_file_that_is_not_there(void **state)
{
    (void)state;
    assert_int_equal(file_kind_of_file("/nonexistent/a.zip"), FILE_UNKNOWN);
    assert_int_equal(file_kind_of_file("/"), FILE_UNKNOWN);
}

/* The kind of a file, by its bytes or by its extension; a directory or a FIFO has none. */
static void test_files(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *kind; /* NULL: not known */
    } rows[] = {
        {"a.pmx", "PK\x03\x04", "a ZIP archive"}, {"b.blend", "", "a file of Blender"},
        {"c.OBJ", "#", "an OBJ scene"},           {"d.yaml", "MThd", "a MIDI song"},
        {"e.yaml", "version: 1", NULL},           {"f", "", NULL},
    };
    Scratch scratch;
    scratch_make(&scratch);
    for (int closed = 0; closed < 2; closed++) { /* the standard input: then the file may be 0 */
        const int input = dup(STDIN_FILENO);
        if (closed)
            close(STDIN_FILENO);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const char *path = scratch_path(&scratch, rows[i].name);
            FILE *out = fopen(path, "wb");
            assert_non_null(out);
            fputs(rows[i].text, out);
            fclose(out);
            const FileKind kind = file_kind_of_file(path);
            const char *name = file_kinds[kind].name;
            if (!kind != !rows[i].kind || (kind && strcmp(name, rows[i].kind) != 0))
                fail_msg("%s: %s", rows[i].name, kind ? name : "unknown");
        }
        assert_int_equal(mkfifo(scratch_path(&scratch, closed ? "g.zip" : "h.zip"), 0666), 0);
        assert_int_equal(file_kind_of_file(scratch_path(&scratch, closed ? "g.zip" : "h.zip")),
                         FILE_UNKNOWN);
        if (closed)
            assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
        close(input);
    }
    scratch_remove(&scratch);
}

/* Motion capture: BVH may begin with a byte order mark or blanks, in any case. */
static void test_first_bytes_of_motion_capture(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        bool known;
    } heads[] = {{"HIERARCHY", 9, true},
                 {"HIERARCH", 8, false},
                 {" \r\n\thierarchy x", 15, true},
                 {"\xEF\xBB\xBFHierarchy", 12, true},
                 {"\xEF\xBB\xBF", 3, false},
                 {"\xEF\xBB", 2, false},
                 {"HIERARCHI", 9, false},
                 {"glTF", 4, true},
                 {"glT", 3, false},
                 {"glTf", 4, false},
                 {"  ", 2, false},
                 {"", 0, false},
                 {"Vocaloid Motion Data 0002", 25, false}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const Bytes head = {(const uint8_t *)heads[i].text, heads[i].size};
        const bool known = file_kinds[file_kind_of_bytes(head)].uses & FILE_AS_CAPTURE;
        if (known != heads[i].known)
            fail_msg("'%s'", heads[i].text);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        unsigned uses, not_uses;
    } rows[] = {
        {"a/b.PMX", FILE_AS_MODEL, FILE_AS_ACCESSORY | FILE_AS_FRAME},
        {"a.vac", FILE_AS_ACCESSORY, FILE_AS_MODEL},
        {"a.vmd", FILE_AS_MOTION, FILE_AS_CAPTURE},
        {"a.vmd", FILE_AS_CAMERA, FILE_AS_CAPTURE},
        {"a.bvh", FILE_AS_CAPTURE, FILE_AS_CAMERA},
        {"a.gif", FILE_AS_IMAGE, FILE_AS_VIDEO},
        {"a.webp", FILE_AS_FRAME, FILE_AS_VIDEO},
        {"a.dds", FILE_AS_FRAME, FILE_AS_SOUND},
        {"a.exr", FILE_AS_FRAME, FILE_AS_IMAGE},
        {"a.spa", FILE_AS_TEXTURE, FILE_AS_IMAGE},
        {"a.jpeg", FILE_AS_IMAGE, FILE_AS_SOUND},
        {"a.midi", FILE_AS_SOUND, FILE_AS_OPERAND & ~(unsigned)FILE_AS_SOUND},
        {"a.lha", FILE_AS_ARCHIVE, FILE_AS_JOB},
        {"a.yml", FILE_AS_JOB, FILE_AS_PROJECT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!file_kind_serves(rows[i].path, rows[i].uses) ||
            file_kind_serves(rows[i].path, rows[i].not_uses))
            fail_msg("%s", rows[i].path);
    static const char *const unknown[] = {"",       "a",   "pmx",   "a.",         "a.pm",
                                          "a.pmxx", "a.j", "a.peg", "a b.pmd pmx"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (file_kind_of_name(unknown[i]) != FILE_UNKNOWN)
            fail_msg("'%s' is known", unknown[i]);
    Arena *arena = arena_create();
    assert_string_equal(file_kind_extensions(FILE_AS_MODEL | FILE_AS_CAPTURE, ".", ", ", arena),
                        ".pmx, .pmd, .bvh, .fbx, .vrma, .npz, .vrm, .glb, .gltf");
    assert_string_equal(file_kind_extensions(0, ".", ", ", arena), "");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_bytes), cmocka_unit_test(test_a_file_that_is_not_there),
        cmocka_unit_test(test_files),       cmocka_unit_test(test_first_bytes_of_motion_capture),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
