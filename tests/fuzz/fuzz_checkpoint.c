/* Any bytes as job.json of a state folder: a film with frames, pieces and outputs, or refused with
 * words. */
#include <stdlib.h>
#include <string.h>

#include "checkpoint/checkpoint_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

static void check(const CheckpointContent *look)
{
    const Film *film = &look->film;
    const int64_t last = film->frame_count - 1;
    if (film->frame_count < 1 || film->segment_frames < 1 || !film->output_count ||
        !look->job.name || film_index_of(film, film_frame_at(film, last)) != last ||
        film_segment(film, film_segment_count(film) - 1).end != film->frame_count)
        abort();
    for (size_t i = 0; i < film->output_count; i++)
        if (!film->outputs[i].kind || !film->outputs[i].options.file)
            abort();
    for (size_t i = 0; i < look->job.credit_count; i++)
        if (!look->job.credits[i])
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create();
    CheckpointContent look = {0};
    Diag diag;
    diag_init(&diag, ignore, NULL);
    const bool good = checkpoint_read_parse(&look, (Bytes){data, size}, arena, &diag);
    if (good != (diag.errors == 0))
        abort();
    if (good)
        check(&look);
    arena_destroy(arena);
    return 0;
}
