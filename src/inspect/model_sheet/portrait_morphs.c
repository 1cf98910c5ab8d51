// SPDX-License-Identifier: MIT
#include <string.h>

#include "inspect/model_sheet/canvas.h"
#include "inspect/model_sheet/portrait.h"

enum {
    MAX_MORPHS = 240,
    COLUMNS = 8,
    CELL = 200,
    LABEL = 34, /* height below a cell */
    GAP = 14,
    MARGIN = 28,
    HEAD = 74 /* height above the cells */
};

typedef struct MorphList {
    int32_t items[MAX_MORPHS]; /* -1: the face at rest */
    size_t count, omitted;
} MorphList;

/* First the face at rest, then the morphs of the panels 1 brows, 2 eyes, 3 mouth, 4 other that
 * change the picture when their weight is 1. */
static MorphList list_morphs(const PmxModel *pmx)
{
    MorphList list = {.items = {-1}, .count = 1};
    for (unsigned panel = 1; panel <= 4; panel++)
        for (uint32_t i = 0; i < pmx->morph_count; i++) {
            const PmxMorph *morph = &pmx->morphs[i];
            if (morph->panel != panel || !morph->count || morph->type == PMX_MORPH_IMPULSE)
                continue;
            if (list.count < MAX_MORPHS)
                list.items[list.count++] = (int32_t)i;
            else
                list.omitted++;
        }
    return list;
}

/* ---- keys ---- */

/* Weight 1 at one frame, and 0 at its neighbours. */
static void set_keys(MorphTrack *track, uint32_t frame, Arena *arena)
{
    VmdMorphKey *keys = arena_array(arena, VmdMorphKey, 3);
    *track = (MorphTrack){.time = {0, 1},
                          .keys = arena_array(arena, const void *, 3),
                          .frames = arena_array(arena, double, 3),
                          .key_count = 3};
    for (uint32_t i = 0; i < 3; i++) {
        keys[i].frame = frame + i - 1;
        track->frames[i] = keys[i].frame;
        keys[i].weight = i == 1;
        track->keys[i] = &keys[i];
    }
}

/* Frame i of the film has item i of the list; frame 0 is at rest. */
static void animate(PreviewSession *session, const MorphList *list)
{
    ModelMotion *motion = &session->film.scenes[0].scene.models[0].motion;
    for (uint32_t i = 1; i < list->count; i++)
        set_keys(&motion->morphs[list->items[i]], i, session->arena);
    session->film.scenes[0].scene.last_frame = (double)list->count;
    session->job.render.fps = (Rational){30, 1}; /* a frame of the film is one of the motion */
}

/* ---- the sheet ---- */

static const char *label_of(const PmxModel *pmx, int32_t morph)
{
    return morph < 0 ? "rest" : pmx->morphs[morph].name;
}

static bool draw_cell(Canvas *canvas, const PreviewSession *session, size_t index,
                      const char *label, Diag *diag)
{
    const int x = MARGIN + (int)(index % COLUMNS) * (CELL + GAP),
              y = HEAD + (int)(index / COLUMNS) * (CELL + LABEL + GAP);
    Arena *scratch = arena_create();
    const Image image = preview_session_image(session, (int64_t)index, scratch);
    canvas_blit(canvas, x, y, &image);
    arena_destroy(scratch);
    return canvas_text(canvas, x + 2, y + CELL + 24, CELL - 4, 18, INK_TEXT, label, diag);
}

static bool draw_sheet(const char *file, const PreviewSession *session, const MorphList *list,
                       Diag *diag)
{
    const PmxModel *pmx = &preview_session_model(session)->pmx;
    const int rows = (int)((list->count + COLUMNS - 1) / COLUMNS),
              columns = list->count < COLUMNS ? (int)list->count : COLUMNS;
    Arena *arena = arena_create();
    const char *text = pmx->name, *title;
    Canvas canvas;
    for (size_t i = 0; i < list->count; i++)
        text = arena_printf(arena, "%s%s", text, label_of(pmx, list->items[i]));
    title = arena_printf(arena, "%s: %zu morphs at weight 1", pmx->name, list->count - 1);
    if (list->omitted)
        title = arena_printf(arena, "%s, %zu more are not shown", title, list->omitted);

    bool good = canvas_init(&canvas, 2 * MARGIN + columns * (CELL + GAP) - GAP,
                            HEAD + rows * (CELL + LABEL + GAP) - GAP + MARGIN, text, arena, diag) &&
                canvas_text(&canvas, MARGIN, HEAD - 26, canvas.image.width - 2 * MARGIN, 30,
                            INK_TEXT, title, diag);
    for (size_t i = 0; good && i < list->count; i++)
        good = draw_cell(&canvas, session, i, label_of(pmx, list->items[i]), diag);
    good = good && canvas_save(&canvas, file, diag);
    arena_destroy(arena);
    return good;
}

bool portrait_write_morphs(const char *file, PreviewSession *session, Diag *diag)
{
    const Model *model = preview_session_model(session);
    const MorphList list = list_morphs(&model->pmx);
    const bool head = preview_session_has_head(session);
    const PreviewSessionView view = {
        head ? SHOT_FACE : SHOT_FULL, 0, CELL, CELL, head ? 0.72f : 1, NULL};
    if (list.count < 2)
        return diag_error(diag, "--morphs: '%s' has no morphs to show", model->file);
    if (!preview_session_set_view(session, &view, diag))
        return false;
    animate(session, &list);
    return preview_session_render(session, (int64_t)list.count, diag) &&
           draw_sheet(file, session, &list, diag);
}
