// SPDX-License-Identifier: MIT
/* Arbitrary bytes as job.json of a checkpoint directory: an error message, or a film that has
 * frames, segments and outputs. */
#include "fuzz.h"
#include "run/checkpoint/checkpoint_read.h"

static void check(const CheckpointContent *content)
{
    const Film *film = &content->film;
    const int64_t last = film->frame_count - 1;
    fuzz_require(film->frame_count >= 1 && film->segment_frames >= 1 && film->output_count &&
                 content->job.name && film_index_of(film, film_frame_at(film, last)) == last &&
                 film_segment(film, film_segment_count(film) - 1).end == film->frame_count);
    for (size_t i = 0; i < film->output_count; i++)
        fuzz_require(film->outputs[i].kind && film->outputs[i].options.file);
    for (size_t i = 0; i < content->job.credits.line_count; i++)
        fuzz_require(content->job.credits.lines[i] != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create();
    CheckpointContent content = {0};
    Diag diag = fuzz_diag();
    const bool good = checkpoint_read_parse(&content, (Bytes){data, size}, arena, &diag);
    fuzz_require(good == (diag.errors == 0));
    if (good)
        check(&content);
    arena_destroy(arena);
    return 0;
}
