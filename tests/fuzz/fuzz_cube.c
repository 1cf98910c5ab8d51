// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a table that can be evaluated anywhere. */
#include <math.h>

#include "format/cube.h"
#include "fuzz.h"
#include "picture/look/grade.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    static const float inputs[] = {-1e30f, 0.0f, 0.3f, 1.0f, 1e30f, NAN};
    Cube cube;
    if (!cube_load(&cube, bytes, arena, diag))
        return false;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const float in[3] = {inputs[i], inputs[(i + 1) % 6], inputs[(i + 2) % 6]};
        float out[3];
        lut_eval(out, &cube, in);
        for (int c = 0; c < 3; c++)
            fuzz_require(isfinite(out[c]));
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 4 * size);
}
