// SPDX-License-Identifier: MIT
/*
 * archive.h - the files in an archive: zip, 7z, rar, lzh, tar
 *
 * Read by libarchive, in memory: nothing is unpacked to disk.  Without the library
 * (HAVE_LIBARCHIVE) every archive is refused.  Names are UTF-8 with '/' between their parts,
 * decoded from UTF-8 or an encoding of Windows (base/README.md 4); entries whose name is absolute
 * or has ".." are omitted, and so are links and directories.
 *
 * An archive is a stranger's: at most ARCHIVE_MAX_FILES files, ARCHIVE_MAX_BYTES in total, and
 * ARCHIVE_FREE_BYTES plus ARCHIVE_MAX_RATIO times the size of the archive.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

enum {
    ARCHIVE_MAX_FILES = 1 << 14,
    ARCHIVE_MAX_BYTES = 1 << 30,
    ARCHIVE_FREE_BYTES = 64 << 20,
    ARCHIVE_MAX_RATIO = 200,
    ARCHIVE_MAX_NAME = 1024 /* bytes */
};

typedef struct ArchiveFile {
    const char *name; /* "pack/tex/face.png" */
    const uint8_t *data;
    size_t size;
    const char *problem; /* why its bytes cannot be read, such as a password; NULL if they can */
} ArchiveFile;

typedef struct Archive {
    ArchiveFile *files; /* sorted by name, each name once: of several the last in the archive */
    size_t count;
    size_t omitted; /* entries with names that lead out of the archive, or are too long */
} Archive;

/* Whether the program can read archives; the version of the library, or NULL. */
bool archive_is_supported(void);
const char *archive_library_version(void);

/* Whether these first bytes (ARCHIVE_HEAD are enough) begin an archive.  A zip of NumPy's arrays is
 * a file, not an archive: its first entry is an .npy. */
enum { ARCHIVE_HEAD = 64 };
bool archive_has_signature(const uint8_t *head, size_t size);

/* Reads all files of an archive of `size` bytes from the start of an open file. */
bool archive_load(Archive *archive, int fd, uint64_t size, Arena *arena, Diag *diag);

/* The same of an archive in memory. */
bool archive_load_bytes(Archive *archive, const uint8_t *data, size_t size, Arena *arena,
                        Diag *diag);

/* Whether a file is a readme or a licence that can be read; of an archive the first ones count. */
enum { ARCHIVE_MAX_TEXTS = 16 };
bool archive_is_text(const ArchiveFile *file);

/* Its start, at most 64 KiB, from UTF-8, UTF-16 or an encoding of Windows. */
char *archive_text(const ArchiveFile *file, Arena *arena);

/* The file with a name, or NULL. */
const ArchiveFile *archive_find(const Archive *archive, const char *name);
