// SPDX-License-Identifier: MIT
#include "render/lens.h"

#include <math.h>

void lens_apply(View *view, const RenderLens *lens, int width, int height)
{
    const bool orthographic = view->fixed_distance > 0.0f;
    const float *axes[2] = {view->axes.right, view->axes.up};
    const float sizes[2] = {(float)width, (float)height}, down[2] = {1.0f, -1.0f};

    for (int i = 0; i < 2; i++) {
        const float offset = orthographic ? 0.0f : lens->offset[i];
        const float scale = 1.0f / view->half_extent[i];
        const float shift =
            scale * offset / lens->focus + 2.0f * lens->pixel[i] * down[i] / sizes[i];

        for (int column = 0; column < 4; column++)
            view->clip[column][i] += shift * view->clip[column][3];
        view->clip[3][i] -= scale * offset;
        for (int k = 0; k < 3; k++)
            view->axes.eye[k] += axes[i][k] * offset;
        view->half_extent[i] *=
            1.0f + fabsf(shift); /* the image is no longer centered on the view */
    }
}
