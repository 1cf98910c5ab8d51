// SPDX-License-Identifier: MIT
/* What the full-screen passes of effects cost in the renderer, beside their draws alone.
 * usage: bench_effects JOB [FRAME]
 *
 * The draws alone: where the renderer draws a rectangle with an effect, a triangle around it is
 * drawn with everything that is bound, as a program would that has nothing but these shaders; the
 * least of some times.
 * The renderer: the same passes as --times measures them, with states, values and clears; and the
 * stage of effects, which uploads the scene and makes mip levels, too.  Least of some frames. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "effect/effect.h"
#include "evaluate/frame.h"
#include "film/film.h"
#include "render/gl/gl.h"
#include "render/model/deform.h"
#include "render/renderer.h"

enum { FRAMES = 7, DRAWS = 5, MAX_DRAWS = 512 };

/* What the hook below measured in the frame.  It has no argument of its own. */
static struct {
    const GlApi *gl;
    void(APIENTRY *draw_arrays)(GLenum, GLint, GLsizei);
    GLuint triangle; /* vertex array */
    bool measures;
    double s[MAX_DRAWS];
    int count;
} bare;

static double draw_triangle(void)
{
    double least = INFINITY;
    GLint bound = 0;

    bare.gl->GetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
    bare.gl->BindVertexArray(bare.triangle);
    for (int i = 0; i < DRAWS; i++) {
        bare.gl->Finish();
        const double start_s = clock_thread_cpu_s();
        bare.draw_arrays(GL_TRIANGLES, 0, 3);
        bare.gl->Finish();
        least = fmin(least, clock_thread_cpu_s() - start_s);
    }
    bare.gl->BindVertexArray((GLuint)bound);
    return least;
}

/* Takes the place of glDrawArrays, with which effects draw nothing but their rectangle. */
static void APIENTRY draw_arrays(GLenum mode, GLint first, GLsizei count)
{
    GLint program = 0;

    bare.gl->GetIntegerv(GL_CURRENT_PROGRAM, &program);
    if (bare.measures && bare.count < MAX_DRAWS &&
        bare.gl->GetUniformLocation((GLuint)program, "odori_viewport") >= 0)
        bare.s[bare.count++] = draw_triangle();
    bare.draw_arrays(mode, first, count);
}

static GlContext *create_context(const RenderOptions *options, Diag *diag)
{
    static const float VERTICES[3][4] = {{-1, 1, 0, 0}, {3, 1, 2, 0}, {-1, -3, 0, 2}};
    static const GLuint INPUTS[2] = {EFFECT_INPUT_POSITION, EFFECT_INPUT_TEXCOORD0};
    GlContext *context = gl_create(options->backend, diag);

    if (context == NULL)
        return NULL;
    GlApi *api = (GlApi *)(uintptr_t)gl_api(context);
    const GLuint buffer = gl_buffer(api, sizeof VERTICES, VERTICES, 0);
    api->CreateVertexArrays(1, &bare.triangle);
    api->VertexArrayVertexBuffer(bare.triangle, 0, buffer, 0, sizeof *VERTICES);
    for (int i = 0; i < 2; i++)
        deform_attribute(api, bare.triangle, INPUTS[i], 0, 2, 2 * (size_t)i * sizeof(float));
    bare.gl = api;
    bare.draw_arrays = api->DrawArrays;
    api->DrawArrays = draw_arrays;
    return context;
}

typedef struct Bench {
    Renderer *renderer;
    const FrameState *state;
    Image image;
    Diag *diag;
} Bench;

/* The least times of some frames after the first; false after an error. */
static bool measure(const Bench *b, double *stage_s, FxPassTime *passes, size_t count)
{
    *stage_s = INFINITY;
    for (int i = 0; i < FRAMES; i++) {
        FxPassTime *times = calloc(count + 1, sizeof *times);
        Image image = b->image;

        if (!render_frame(&image, b->renderer, b->state, b->diag))
            return false;
        if (passes != NULL)
            renderer_take_pass_times(times, b->renderer);
        *stage_s = fmin(*stage_s, renderer_times(b->renderer)->s[STAGE_EFFECTS]);
        for (size_t p = 0; passes != NULL && p < count; p++)
            if (times[p].frames > 0 && (passes[p].frames == 0 || times[p].s < passes[p].s))
                passes[p] = times[p];
        free(times);
    }
    return true;
}

static bool run(const Bench *b, const Film *film, Arena *arena)
{
    const size_t count = fx_pass_count(&film->scenes[0].scene.effects);
    FxPassTime *passes = arena_array(arena, FxPassTime, count);
    Image image = b->image;
    double stage_s, unused_s, passes_s = 0, bare_s = 0;

    renderer_time_stages(b->renderer, true);
    if (!render_frame(&image, b->renderer, b->state, b->diag) || /* compiles */
        !measure(b, &stage_s, NULL, 0))
        return false;
    renderer_time_passes(b->renderer);
    if (!measure(b, &unused_s, passes, count))
        return false;
    bare.measures = true;
    image = b->image;
    if (!render_frame(&image, b->renderer, b->state, b->diag))
        return false;
    for (size_t p = 0; p < count; p++)
        passes_s += passes[p].s;
    for (int i = 0; i < bare.count; i++)
        bare_s += bare.s[i];
    printf("%d draws alone %.1f ms; passes %.1f ms, ratio %.2f; stage %.1f ms, ratio %.2f\n",
           bare.count, bare_s * 1e3, passes_s * 1e3, passes_s / bare_s, stage_s * 1e3,
           stage_s / bare_s);
    return true;
}

int main(int argc, char **argv)
{
    const JobSource source = {.path = argc > 1 ? argv[1] : ""};
    const double frame = argc > 2 ? atof(argv[2]) : 0;
    Arena *arena = arena_create();
    Diag diag;
    Film film;
    Job job;

    diag_init(&diag, NULL, NULL);
    if (argc < 2) {
        fprintf(stderr, "usage: bench_effects JOB [FRAME]\n");
        return 2;
    }
    if (!job_load(&job, &source, arena, &diag) || !film_load(&film, &job, arena, &diag))
        return 1;
    FrameState *state = frame_state_create(&film.scenes[0].scene, arena);
    Evaluator *evaluator = evaluator_create_keyed(&film.scenes[0].scene);
    GlContext *context = create_context(&film.scenes[0].render, &diag);
    Renderer *renderer = context != NULL ? renderer_create_in(context, &film.scenes[0].scene,
                                                              &film.scenes[0].render, &diag)
                                         : NULL;
    const size_t pixels = (size_t)film.render.width * (size_t)film.render.height;
    const Bench bench = {renderer, state, {.pixels = arena_calloc(arena, pixels, 4)}, &diag};
    const bool ok = renderer != NULL &&
                    evaluate_frame(state, evaluator, &film.scenes[0].scene, frame) &&
                    run(&bench, &film, arena);
    evaluator_destroy(evaluator);
    renderer_destroy(renderer);
    arena_destroy(arena);
    return ok ? 0 : 1;
}
