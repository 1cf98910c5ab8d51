// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive_fixture.h"
#include "base/archive.h"
#include "base/archive_path.h"
#include "base/file.h"
#include "base/path.h"
#include "diag_log.h"
#include "scratch.h"
#include "unit_test.h"
#include "zip_fixture.h"

static bool load(Archive *archive, Bytes bytes, Arena *arena, Diag *diag)
{
    const int fd = memfd_create("test", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes.data, bytes.size) != (ssize_t)bytes.size)
        fail_msg("no memory file");
    const bool good = archive_load(archive, fd, bytes.size, arena, diag);
    close(fd);
    return good;
}

static void expect_content(const Archive *archive, const char *name, const char *content)
{
    const ArchiveFile *file = archive_find(archive, name);
    if (!file || file->problem || file->size != strlen(content) ||
        memcmp(file->data, content, file->size) != 0)
        fail_msg("'%s'", name);
}

#define TEXT(text) .data = text, .size = sizeof(text) - 1

static void test_names(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {
        {.name = "\x83\x82\x83\x66\x83\x8B/\x95\x5C.txt", TEXT("cp932")}, /* モデル/表.txt */
        {.name = "モデル/裏.txt", TEXT("utf8"), .flags = ZIP_UTF8, .deflated = true},
        {.name = "瞳.txt", TEXT("no flag")},
        {.name = "a\\b\\.\\c.txt", TEXT("windows")},
        {.name = "./d//e.txt", TEXT("dots")},
        {.name = "../../etc/passwd", TEXT("up")},
        {.name = "x/../../y.txt", TEXT("up")},
        {.name = "/etc/passwd", TEXT("absolute")},
        {.name = "C:\\f.txt", TEXT("drive")},
        {.name = "..\\g.txt", TEXT("up")},
        {.name = "link.txt", TEXT("/etc/passwd"), .unix_mode = 0120777},
        {.name = "directory/", .unix_mode = 040755},
        {.name = "twice.txt", TEXT("first")},
        {.name = "twice.txt", TEXT("second")},
    };
    Arena *arena = arena_create();
    DiagLog log;
    Archive archive;
    diag_log_init(&log);
    const Bytes zip = zip_fixture(entries, sizeof entries / sizeof *entries, arena);
    assert_true(archive_has_signature(zip.data, zip.size));
    if (!load(&archive, zip, arena, &log.diag))
        fail_msg("%s", log.text);
    expect_content(&archive, "モデル/表.txt", "cp932");
    expect_content(&archive, "モデル/裏.txt", "utf8");
    expect_content(&archive, "瞳.txt", "no flag");
    expect_content(&archive, "a/b/c.txt", "windows");
    expect_content(&archive, "d/e.txt", "dots");
    expect_content(&archive, "twice.txt", "second");
    assert_int_equal(archive.count, 6);
    assert_int_equal(archive.omitted, 5);
    for (size_t i = 1; i < archive.count; i++)
        assert_true(strcmp(archive.files[i - 1].name, archive.files[i].name) < 0);
    assert_null(archive_find(&archive, "passwd"));
    arena_destroy(arena);
}

/* A file that cannot be read leaves the others. */
static void test_problems(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {
        {.name = "secret.txt", TEXT("0123456789012345"), .flags = ZIP_ENCRYPTED},
        {.name = "crc.txt", TEXT("checksum"), .wrong_crc = true},
        {.name = "good.txt", TEXT("good")},
    };
    Arena *arena = arena_create();
    DiagLog log;
    Archive archive;
    diag_log_init(&log);
    if (!load(&archive, zip_fixture(entries, 3, arena), arena, &log.diag))
        fail_msg("%s", log.text);
    expect_content(&archive, "good.txt", "good");
    assert_non_null(strstr(archive_find(&archive, "secret.txt")->problem, "encrypted"));
    assert_non_null(archive_find(&archive, "crc.txt")->problem);
    arena_destroy(arena);
}

static void expect_refused(Bytes zip, const char *message)
{
    Arena *arena = arena_create();
    DiagLog log;
    Archive archive;
    diag_log_init(&log);
    if (load(&archive, zip, arena, &log.diag) || !strstr(log.text, message))
        fail_msg("'%s' instead of '%s'", log.text, message);
    assert_true(arena_bytes(arena) < (size_t)160 << 20);
    arena_destroy(arena);
}

static void test_bombs(void **state)
{
    (void)state;
    enum { ZEROS = 100 << 20 };
    Arena *arena = arena_create();
    const ZipEntry zeros = {
        .name = "z", .data = arena_alloc(arena, ZEROS), .size = ZEROS, .deflated = true};
    expect_refused(zip_fixture(&zeros, 1, arena), "the files in the archive exceed");
    ZipEntry *many = arena_array(arena, ZipEntry, ARCHIVE_MAX_FILES + 1);
    for (size_t i = 0; i <= ARCHIVE_MAX_FILES; i++)
        many[i] = (ZipEntry){.name = arena_printf(arena, "%zu", i), .data = ""};
    expect_refused(zip_fixture(many, ARCHIVE_MAX_FILES + 1, arena), "more than 16384 files");
    for (size_t i = 0; i <= ARCHIVE_MAX_FILES; i++)
        many[i].name = arena_printf(arena, "../%zu", i);
    expect_refused(zip_fixture(many, ARCHIVE_MAX_FILES + 1, arena), "more than 16384 files");
    arena_destroy(arena);
}

/* Cut at each length and with each byte changed: loaded or refused with a message. */
static void test_damage(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {
        {.name = "a.txt", TEXT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), .deflated = true},
        {.name = "b.txt", TEXT("b"), .flags = ZIP_UTF8}};
    Arena *arena = arena_create();
    const Bytes zip = zip_fixture(entries, 2, arena);
    uint8_t *bytes = arena_copy(arena, zip.data, zip.size);
    for (size_t i = 0; i < 2 * zip.size; i++) {
        Arena *own = arena_create();
        DiagLog log;
        Archive archive;
        diag_log_init(&log);
        if (i < zip.size)
            bytes[i] ^= 0xFF;
        if (!load(&archive, (Bytes){bytes, i < zip.size ? zip.size : i - zip.size}, own, &log.diag))
            assert_int_equal(log.diag.errors, 1);
        if (i < zip.size)
            bytes[i] ^= 0xFF;
        arena_destroy(own);
    }
    arena_destroy(arena);
}

/* Written by 7-Zip 16: names are UTF-16, the header is compressed. */
static void test_7z(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0x00, 0x04, 0x1C, 0x22, 0x4F, 0x29, 0x5E, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xD8, 0x50,
        0xAA, 0x79, 0x01, 0x00, 0x02, 0x61, 0x62, 0x63, 0x00, 0x00, 0x00, 0x81, 0x33, 0x07, 0xAE,
        0x0F, 0xCE, 0x25, 0x7E, 0x51, 0x42, 0xCA, 0x73, 0x48, 0x19, 0x9A, 0xA8, 0x51, 0x94, 0xE7,
        0x58, 0x22, 0xFD, 0xA8, 0xBC, 0x25, 0x0D, 0x8E, 0x79, 0x0B, 0xCB, 0x2E, 0x53, 0x14, 0x1A,
        0xEE, 0x89, 0x7C, 0x39, 0x9D, 0x6F, 0x6D, 0x63, 0x85, 0xA7, 0xA1, 0xD1, 0xBA, 0xAD, 0x28,
        0xF2, 0x52, 0x94, 0x0D, 0x19, 0xA4, 0xCE, 0xB0, 0x73, 0xBD, 0x37, 0x32, 0x5E, 0xAF, 0xA1,
        0xB5, 0x34, 0xED, 0xC6, 0x15, 0x9D, 0x08, 0xB8, 0x43, 0x23, 0xA9, 0xD8, 0x69, 0x67, 0x9E,
        0xDF, 0x31, 0xA0, 0x00, 0x00, 0x00, 0x17, 0x06, 0x07, 0x01, 0x09, 0x57, 0x00, 0x07, 0x0B,
        0x01, 0x00, 0x01, 0x23, 0x03, 0x01, 0x01, 0x05, 0x5D, 0x00, 0x10, 0x00, 0x00, 0x0C, 0x66,
        0x0A, 0x01, 0x3E, 0x21, 0x3B, 0x43, 0x00, 0x00,
    };
    Arena *arena = arena_create();
    DiagLog log;
    Archive archive;
    diag_log_init(&log);
    if (!load(&archive, (Bytes){bytes, sizeof bytes}, arena, &log.diag))
        fail_msg("%s", log.text);
    assert_int_equal(archive.count, 1);
    expect_content(&archive, "表/裏.txt", "abc");
    arena_destroy(arena);
}

static void expect_stored(Bytes bytes, const char *first, Arena *arena)
{
    DiagLog log;
    Archive archive;
    diag_log_init(&log);
    assert_true(archive_has_signature(bytes.data, bytes.size));
    if (!load(&archive, bytes, arena, &log.diag))
        fail_msg("%s: %s", first, log.text);
    assert_int_equal(archive.count, 2);
    expect_content(&archive, first, "model");
    expect_content(&archive, "b/c.txt", "text");
    assert_int_equal(archive.omitted, 1); /* the one above the archive */
}

/* Names in CP932 in RAR 4 and LZH, in UTF-8 in RAR 5.  In RAR 4 libarchive takes each byte 5C for a
 * separator, also the second one of 表, which LZH keeps. */
static void test_rar_and_lzh(void **state)
{
    (void)state;
    static const StoredFile rar4[] = {{"\x83\x82\x83\x66\x83\x8B\\\x97\xA0.pmx", "model"},
                                      {"b\\c.txt", "text"},
                                      {"..\\d.txt", "up"}};
    static const StoredFile rar5[] = {
        {"モデル/表.pmx", "model"}, {"b/c.txt", "text"}, {"../d.txt", "up"}};
    static const StoredFile lzh[] = {{"\x83\x82\x83\x66\x83\x8B\\\x95\x5C.pmx", "model"},
                                     {"b\\c.txt", "text"},
                                     {"..\\d.txt", "up"}};
    Arena *arena = arena_create();
    expect_stored(rar4_fixture(rar4, 3, arena), "モデル/裏.pmx", arena);
    expect_stored(rar5_fixture(rar5, 3, arena), "モデル/表.pmx", arena);
    expect_stored(lzh_fixture(lzh, 3, arena), "モデル/表.pmx", arena);
    arena_destroy(arena);
}

/* The texture that a model names decides: C1 B3 is 脸 in GBK, also half-width katakana in CP932, a
 * Hangul syllable in CP949 and an ideograph in Big5.  Without a model it is Japanese. */
static void test_names_of_models(void **state)
{
    (void)state;
    static const struct {
        const char *texture, *utf8; /* of the model, in UTF-16 */
        size_t size;
    } rows[] = {
        {"\x0E\0\0\0t\0\\\0\x38\x81.\0p\0n\0g\0", "脸.png", 18},
        {"\x0C\0\0\0\x81\xFF\x73\xFF.\0p\0n\0g\0", "ﾁｳ.png", 16},
        {"\x0A\0\0\0\x4C\xC8.\0p\0n\0g\0", "졌.png", 14},
        {"", "ﾁｳ.png", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ZipEntry entries[] = {
            {.name = "m/m.pmx", .data = rows[i].texture, .size = rows[i].size},
            {.name = "m/t/\xC1\xB3.png", TEXT("face")},
        };
        Arena *arena = arena_create();
        DiagLog log;
        Archive archive;
        diag_log_init(&log);
        if (!load(&archive, zip_fixture(entries, 2, arena), arena, &log.diag))
            fail_msg("%s", log.text);
        if (strcmp(path_name(archive.files[1].name), rows[i].utf8) != 0)
            fail_msg("%s: %s", rows[i].utf8, archive.files[1].name);
        arena_destroy(arena);
    }
}

/* ---- paths ---- */

static void save_pack(Scratch *scratch, const char *name, Arena *arena)
{
    static const ZipEntry entries[] = {
        {.name = "model/m.pmx", TEXT("model")},
        {.name = "model/Tex/\x8A\xE7.png", TEXT("face")}, /* 顔.png */
        {.name = "shared/toon.bmp", TEXT("toon")},
        {.name = "secret.txt", TEXT("?"), .flags = ZIP_ENCRYPTED},
    };
    DiagLog log;
    diag_log_init(&log);
    const Bytes zip = zip_fixture(entries, sizeof entries / sizeof *entries, arena);
    if (!file_save(scratch_path(scratch, name), zip.data, zip.size, &log.diag))
        fail_msg("%s", log.text);
}

static void test_paths(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        ArchivePathKind kind;
    } rows[] = {
        {"pack.zip/model/m.pmx", ARCHIVE_PATH_FILE},
        {"pack.zip//model/./x/../m.pmx", ARCHIVE_PATH_FILE},
        {"pack.zip/", ARCHIVE_PATH_DIRECTORY},
        {"pack.zip/model", ARCHIVE_PATH_DIRECTORY},
        {"pack.zip/model/Tex/", ARCHIVE_PATH_DIRECTORY},
        {"pack.zip/mod", ARCHIVE_PATH_NONE},
        {"pack.zip/../pack.zip", ARCHIVE_PATH_NONE},
        {"pack.zip/model/../../other", ARCHIVE_PATH_NONE},
        {"pack.zip", ARCHIVE_PATH_NONE}, /* an ordinary file */
        {"text.txt/model/m.pmx", ARCHIVE_PATH_NONE},
        {"missing.zip/model/m.pmx", ARCHIVE_PATH_NONE},
    };
    Scratch scratch;
    Arena *arena = arena_create();
    DiagLog log;
    Bytes bytes;
    diag_log_init(&log);
    scratch_make(&scratch);
    save_pack(&scratch, "pack.zip", arena);
    assert_true(file_save(scratch_path(&scratch, "text.txt"), "text", 4, &log.diag));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (archive_path_kind(scratch_path(&scratch, rows[i].path)) != rows[i].kind)
            fail_msg("'%s'", rows[i].path);
    assert_true(path_is_file(scratch_path(&scratch, "pack.zip/model/m.pmx")));
    assert_true(
        file_load(&bytes, scratch_path(&scratch, "pack.zip/model/m.pmx"), 99, arena, &log.diag));
    assert_int_equal(bytes.size, 5);
    assert_memory_equal(bytes.data, "model", 5);
    assert_false(
        file_load(&bytes, scratch_path(&scratch, "pack.zip/secret.txt"), 99, arena, &log.diag));
    assert_non_null(strstr(log.text, "encrypted"));
    assert_false(file_load(&bytes, scratch_path(&scratch, "pack.zip/no"), 99, arena, &log.diag));
    assert_non_null(strstr(log.text, "the archive has no such file"));
    archive_path_clear();
    scratch_remove(&scratch);
    arena_destroy(arena);
}

/* References of models are found without case, and do not leave the archive. */
static void test_references(void **state)
{
    (void)state;
    static const struct {
        const char *reference, *found;
    } rows[] = {
        {"tex\\顔.PNG", "pack.zip/model/Tex/顔.png"},
        {"m.pmx", "pack.zip/model/m.pmx"},
        {"..\\shared\\toon.bmp", NULL}, /* above the directory of the model */
        {"../../outside.png", NULL},
        {"C:\\Users\\a\\Tex\\顔.png", "pack.zip/model/Tex/顔.png"},
    };
    Scratch scratch;
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    scratch_make(&scratch);
    save_pack(&scratch, "pack.zip", arena);
    assert_true(file_save(scratch_path(&scratch, "outside.png"), "x", 1, &log.diag));
    const char *directory = arena_strdup(arena, scratch_path(&scratch, "pack.zip/model/"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *found;
        path_resolve(&found, directory, NULL, rows[i].reference, true, arena);
        if (!rows[i].found ? found != NULL
                           : !found || strcmp(found, scratch_path(&scratch, rows[i].found)) != 0)
            fail_msg("'%s': '%s'", rows[i].reference, found ? found : "none");
    }
    const char *root = arena_strdup(arena, scratch_path(&scratch, "pack.zip/")), *found;
    path_resolve(&found, directory, root, "..\\shared\\toon.bmp", true, arena);
    assert_non_null(found);
    assert_string_equal(path_name(found), "toon.bmp");
    const char *input =
        path_resolve_input(scratch_path(&scratch, ""), "PACK.zip/model/M.pmx", arena);
    assert_string_equal(input, scratch_path(&scratch, "pack.zip/model/m.pmx"));
    assert_string_equal(archive_path_container(input, arena), scratch_path(&scratch, "pack.zip"));
    archive_path_clear();
    scratch_remove(&scratch);
    arena_destroy(arena);
}

/* A file that was replaced is read again. */
static void test_changed(void **state)
{
    (void)state;
    static const ZipEntry other[] = {{.name = "model/n.pmx", TEXT("new")}};
    Scratch scratch;
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    scratch_make(&scratch);
    save_pack(&scratch, "pack.zip", arena);
    assert_true(path_is_file(scratch_path(&scratch, "pack.zip/model/m.pmx")));
    const Bytes zip = zip_fixture(other, 1, arena);
    assert_true(file_save(scratch_path(&scratch, "pack.zip"), zip.data, zip.size, &log.diag));
    assert_false(path_is_file(scratch_path(&scratch, "pack.zip/model/m.pmx")));
    assert_true(path_is_file(scratch_path(&scratch, "pack.zip/model/n.pmx")));
    archive_path_clear();
    scratch_remove(&scratch);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_problems),
        cmocka_unit_test(test_bombs),       cmocka_unit_test(test_damage),
        cmocka_unit_test(test_7z),          cmocka_unit_test(test_paths),
        cmocka_unit_test(test_references),  cmocka_unit_test(test_changed),
        cmocka_unit_test(test_rar_and_lzh), cmocka_unit_test(test_names_of_models),
    };
    if (!archive_is_supported())
        return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
