// SPDX-License-Identifier: MIT
/* Arbitrary bytes as an archive: an error message, or files with names that stay inside. */
#include "base/archive.h"

#include <string.h>

#include "base/text.h"
#include "fuzz.h"
#include "fuzz_memory_file.h"

static void check(const Archive *archive)
{
    fuzz_require(archive->count <= ARCHIVE_MAX_FILES);
    for (size_t i = 0; i < archive->count; i++) {
        const ArchiveFile *file = &archive->files[i];
        const size_t size = strlen(file->name);
        fuzz_require(size && text_is_utf8(file->name, size) && file->name[0] != '/');
        fuzz_require(!strstr(file->name, "/../") && strncmp(file->name, "../", 3) != 0);
        fuzz_require(!i || strcmp(archive->files[i - 1].name, file->name) < 0);
        fuzz_require(archive_find(archive, file->name) == file);
        fuzz_require((file->data != NULL) != (file->problem != NULL));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create();
    Diag diag = fuzz_diag();
    MemoryFile file;
    Archive archive;
    memory_file_open(&file, data, size);
    const bool loaded = archive_load(&archive, file.fd, size, arena, &diag);
    fuzz_require(loaded == (diag.errors == 0));
    if (loaded)
        check(&archive);
    memory_file_close(&file);
    arena_destroy(arena);
    return 0;
}
