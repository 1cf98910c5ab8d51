// SPDX-License-Identifier: MIT
#include "assets.h"

#include <dirent.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/path.h"

static void add_file(Assets *assets, const char *path, Arena *arena)
{
    Diag diag;
    diag_init(&diag, NULL, NULL);
    Arena *scratch = arena_create();
    Bytes bytes;
    if (file_load(&bytes, path, FILE_MAX_SIZE, scratch, &diag)) {
        const Digest digest = hash_bytes(bytes.data, bytes.size);
        Asset *asset = arena_push(arena, assets);
        *asset = (Asset){.path = path, .name = path_name(path)};
        digest_text(asset->digest, &digest);
    }
    arena_destroy(scratch);
}

void assets_add(Assets *assets, const char *directory, Arena *arena)
{
    DIR *dir = opendir(directory);
    if (!dir)
        return;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        const char *path = arena_printf(arena, "%s/%s", directory, entry->d_name);
        if (path_is_file(path))
            add_file(assets, path, arena);
        else
            assets_add(assets, path, arena);
    }
    closedir(dir);
}

const char *assets_find(const Assets *assets, const char *digest_or_name)
{
    for (size_t i = 0; i < assets->count; i++)
        if (!strcmp(assets->items[i].digest, digest_or_name) ||
            !strcmp(assets->items[i].name, digest_or_name))
            return assets->items[i].path;
    return NULL;
}
