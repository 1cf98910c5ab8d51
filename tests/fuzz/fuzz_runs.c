// SPDX-License-Identifier: MIT
/* Arbitrary bytes as runs.json of a checkpoint directory: rejected, or runs whose numbers are in
 * their ranges, and whose texts can be written; only those of the job. */
#include <string.h>

#include "film/film.h"
#include "fuzz.h"
#include "run/checkpoint/run_record.h"

static void check(const RunRecord *run, Arena *arena)
{
    fuzz_require(run->drawn >= 0 && run->drawn <= run->frames && run->picture_pixels >= 0 &&
                 run->ranges.count <= RUN_RECORD_RANGES &&
                 run->changed_ranges.count <= RUN_RECORD_RANGES &&
                 run->compared_count <= RUN_RECORD_COMPARED && run->shown_count <= RUN_PICTURES);
    for (size_t i = 0; i < run->compared_count; i++)
        fuzz_require(run->compared[i].frame >= 0 && run->compared[i].pixels >= 0 &&
                     run->compared[i].pixels <= run->picture_pixels);
    fuzz_require(run_record_drawn_text(run, arena) && run_record_why_text(run, arena) &&
                 run_record_pixels_text(run, arena));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char key[] = "\"digest\":\"";
    Arena *arena = arena_create();
    RunRecords runs;
    Digest job = {{0}};
    const char *digest = size ? memmem(data, size, key, sizeof key - 1) : NULL;
    const size_t left = digest ? size - (size_t)(digest - (const char *)data) : 0;
    if (left >= sizeof key - 1 + DIGEST_TEXT_SIZE)
        (void)!digest_parse(&job,
                            arena_strndup(arena, digest + sizeof key - 1, DIGEST_TEXT_SIZE - 1));
    const bool good = run_records_parse(&runs, (Bytes){data, size}, &job, arena);
    fuzz_require(runs.count <= RUN_RECORDS && (good || !runs.count) &&
                 (!runs.count || digest_equal(&runs.items[0].digest, &job)));
    for (size_t i = 0; i < runs.count; i++)
        check(&runs.items[i], arena);
    arena_destroy(arena);
    return 0;
}
