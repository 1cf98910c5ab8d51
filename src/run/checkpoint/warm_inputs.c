// SPDX-License-Identifier: MIT
#include "run/checkpoint/warm_inputs.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

typedef struct InputState {
    bool known; /* the rest tells whether it is the same */
    dev_t device;
    ino_t inode;
    off_t size;
    double modified_s, changed_s;
} InputState;

struct WarmInputs {
    const Fingerprint *fingerprint;
    InputState *states; /* [input_count] */
};

static double seconds(struct timespec t)
{
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static InputState state_of(const char *file)
{
    struct stat st;
    if (stat(file, &st) != 0 || !S_ISREG(st.st_mode))
        return (InputState){0};
    return (InputState){true,       st.st_dev,           st.st_ino,
                        st.st_size, seconds(st.st_mtim), seconds(st.st_ctim)};
}

static bool is_same(const InputState *a, const InputState *b)
{
    return a->known && b->known && a->device == b->device && a->inode == b->inode &&
           a->size == b->size && !(a->modified_s < b->modified_s) &&
           !(a->modified_s > b->modified_s) && !(a->changed_s < b->changed_s) &&
           !(a->changed_s > b->changed_s);
}

WarmInputs *warm_inputs_create(const Fingerprint *fingerprint, double start_s, Arena *arena)
{
    const double tick_s = 3; /* the coarsest times of file systems */
    WarmInputs *inputs = arena_array(arena, WarmInputs, 1);
    inputs->fingerprint = fingerprint;
    inputs->states = arena_array(arena, InputState, fingerprint->input_count);
    for (size_t i = 0; i < fingerprint->input_count; i++) {
        InputState *state = &inputs->states[i];
        *state = state_of(fingerprint->inputs[i].file);
        state->known &= state->changed_s < start_s - tick_s && state->modified_s < start_s - tick_s;
    }
    return inputs;
}

static bool is_unchanged(const WarmInputs *inputs, size_t index)
{
    const InputState now = state_of(inputs->fingerprint->inputs[index].file);
    return is_same(&inputs->states[index], &now);
}

static bool has_digest(const FingerprintInput *input, const volatile sig_atomic_t *stop)
{
    Diag quiet = diag_quiet();
    Digest digest;
    uint64_t bytes;
    return file_digest(&digest, &bytes, input->file, stop, &quiet) && bytes == input->bytes &&
           digest_equal(&digest, &input->digest);
}

bool warm_inputs_hold(const WarmInputs *inputs, const volatile sig_atomic_t *stop)
{
    const Fingerprint *fingerprint = inputs->fingerprint;
    for (size_t i = 0; i < fingerprint->input_count; i++)
        if (!is_unchanged(inputs, i) && !has_digest(&fingerprint->inputs[i], stop))
            return false;
    return true;
}

const FingerprintInput *warm_inputs_find(const WarmInputs *inputs, const char *file)
{
    const Fingerprint *fingerprint = inputs->fingerprint;
    for (size_t i = 0; i < fingerprint->input_count; i++)
        if (!strcmp(fingerprint->inputs[i].file, file))
            return is_unchanged(inputs, i) ? &fingerprint->inputs[i] : NULL;
    return NULL;
}
