// SPDX-License-Identifier: MIT
#include "shared_data.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"

const char *shared_data_directory(void)
{
    const char *directory = getenv("ODORI_TEST_DATA");
    return directory ? directory : "../shared/data/";
}

bool shared_data_load(Bytes *out, const char *name, Arena *arena)
{
    const char *path = path_join(shared_data_directory(), name, arena);
    Diag diag;
    if (!path_is_file(path)) {
        fprintf(stderr, "skipped: no %s\n", path);
        return false;
    }
    diag_init(&diag, NULL, NULL);
    diag_file(&diag, path);
    return file_load(out, path, FILE_MAX_SIZE, arena, &diag);
}
