// SPDX-License-Identifier: MIT
/*
 * zip_fixture.h - zip archives, also damaged and hostile ones, written from their specification
 * (APPNOTE.TXT 6.3)
 */
#ifndef SUPPORT_ZIP_FIXTURE_H
#define SUPPORT_ZIP_FIXTURE_H

#include "base/file.h"

typedef struct ZipEntry {
    const char *name; /* bytes as they are stored */
    const void *data;
    size_t size;
    bool deflated;
    unsigned flags;     /* general purpose bits: 1 encrypted, 0x800 the name is UTF-8 */
    unsigned unix_mode; /* such as 0120777 of a link; 0: none */
    bool wrong_crc;
} ZipEntry;

enum { ZIP_ENCRYPTED = 1, ZIP_UTF8 = 0x800 };

Bytes zip_fixture(const ZipEntry *entries, size_t count, Arena *arena);

#endif
