// SPDX-License-Identifier: MIT
/*
 * hall.c - writes the demo in a large hall (support/hall.h) into a directory
 *
 * usage: hall DIRECTORY; the job is DIRECTORY/hall.yaml
 */
#include <stdio.h>

#include "hall.h"

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: hall DIRECTORY\n");
        return 2;
    }
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, NULL, NULL);
    const bool written = hall_write(argv[1], arena, &diag);
    arena_destroy(arena);
    return written ? 0 : 1;
}
