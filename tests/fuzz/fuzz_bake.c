// SPDX-License-Identifier: MIT
/* Arbitrary bytes as the bake of a job: an error message, or states of every frame that it has. */
#include <string.h>

#include "fuzz.h"
#include "fuzz_memory_file.h"
#include "run/pipeline/bake.h"

enum { STATE_BYTES = 22, LAST_FRAME = 60 }; /* as in corpus.c */

static unsigned sum;

/* Touches every byte, so that a sanitizer sees one that is not there. */
static void read_frames(Bake *bake)
{
    for (int64_t frame = 0; frame <= LAST_FRAME; frame++) {
        Diag diag = fuzz_diag();
        const uint8_t *state = bake_read_frame(bake, frame, &diag);
        fuzz_require((state != NULL) == (diag.errors == 0));
        for (size_t i = 0; state && i < STATE_BYTES; i++)
            sum += state[i];
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const BakeInfo info = {.fps = {60, 1}, .state_bytes = STATE_BYTES};
    Diag diag = fuzz_diag();
    MemoryFile file;
    memory_file_open(&file, data, size);
    Bake *bake = bake_open(file.path, &info, &diag);
    fuzz_require((bake != NULL) == (diag.errors == 0));
    if (bake)
        read_frames(bake);
    bake_close(bake);
    memory_file_close(&file);
    return 0;
}
