// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/path.h"
#include "inspect/model_sheet/canvas.h"
#include "inspect/model_sheet/interior.h"
#include "inspect/model_sheet/portrait.h"

enum {
    MARGIN = 36,
    GAP = 20,
    TALL = 1040, /* height of the views of the whole model */
    MIN_WIDTH = 380,
    MAX_WIDTH = 1040,
    FACE = 600,
    INSIDE = 900, /* width of the views from inside, one above the other */
    HEIGHT = 2 * MARGIN + TALL,
    LINE = 38 /* between two lines of facts */
};

static const double METRES = 0.08; /* length of an MMD unit in metres */

/* ---- views ---- */

/* The extent of all vertices along x, y and z, MMD units. */
static void measure(double size[3], const PmxModel *pmx)
{
    for (size_t k = 0; k < 3; k++) {
        double low = 0, high = 0;
        for (uint32_t i = 0; i < pmx->vertex_count; i++) {
            const double value = (double)pmx->vertices[i].position[k];
            low = i ? fmin(low, value) : value;
            high = i ? fmax(high, value) : value;
        }
        size[k] = high - low;
    }
}

/* Wide enough that the height decides the scale, so that both views have the same one. */
static int width_for(double across, double height)
{
    const double width = height > 0 ? TALL * across / height : MAX_WIDTH;
    return (int)fmax(MIN_WIDTH, fmin(MAX_WIDTH, width));
}

typedef struct Panel {
    PreviewSessionView view;
    int x, y;
} Panel;

typedef struct Panels {
    Panel items[3 + INTERIOR_VIEWS];
    size_t count;
    CameraState inside[INTERIOR_VIEWS];
    int facts_x; /* below the last panel */
} Panels;

/* Returns where the next column begins. */
static int add_panel(Panels *panels, int x, int y, PreviewSessionView view)
{
    panels->items[panels->count++] = (Panel){view, x, y};
    return x + view.width + GAP;
}

/* From left to right: front, side, the inside of a closed room, face. */
static void list_panels(Panels *panels, const PreviewSession *session, const double size[3])
{
    const int height = (TALL - (INTERIOR_VIEWS - 1) * GAP) / INTERIOR_VIEWS;
    PreviewSessionView view = {.shot = SHOT_FULL, .height = TALL};
    int x = MARGIN;
    view.width = width_for(size[0], size[1]);
    x = add_panel(panels, x, MARGIN, view);
    view.width = width_for(size[2], size[1]);
    view.turn_deg = 90;
    x = add_panel(panels, x, MARGIN, view);
    if (interior_find(panels->inside, preview_session_scene_model(session),
                      (double)INSIDE / height)) {
        const int left = x;
        for (int i = 0; i < INTERIOR_VIEWS; i++)
            x = add_panel(panels, left, MARGIN + i * (height + GAP),
                          (PreviewSessionView){
                              .camera = &panels->inside[i], .width = INSIDE, .height = height});
    }
    const bool head = preview_session_has_head(session);
    view = (PreviewSessionView){.shot = head ? SHOT_FACE : SHOT_FULL,
                                .turn_deg = head ? 0 : 35,
                                .width = FACE,
                                .height = FACE};
    add_panel(panels, x, MARGIN, view);
    panels->facts_x = x;
}

static bool draw_panel(Canvas *canvas, const Panel *panel, PreviewSession *session, Diag *diag)
{
    if (!preview_session_set_view(session, &panel->view, diag) ||
        !preview_session_render(session, 1, diag))
        return false;
    Arena *scratch = arena_create();
    const Image image = preview_session_image(session, 0, scratch);
    canvas_blit(canvas, panel->x, panel->y, &image);
    arena_destroy(scratch);
    return true;
}

/* ---- facts ---- */

/* "28,646" */
static const char *number(uint32_t value, Arena *arena)
{
    if (value < 1000)
        return arena_printf(arena, "%" PRIu32, value);
    return arena_printf(arena, "%s,%03" PRIu32, number(value / 1000, arena), value % 1000);
}

/* Textures that a material names and that were not loaded. */
static uint32_t count_missing(const Model *model)
{
    uint32_t count = 0;
    Arena *scratch = arena_create();
    PathTree tree = path_tree_init(path_directory(model->mesh_file, scratch), scratch);
    for (uint32_t i = 0; i < model->pmx.texture_count; i++) {
        const char *found;
        ArchiveNames same;
        count += !model->textures[i] && !pmx_texture_is_embedded(&model->pmx, i) &&
                 model_find_texture(&found, &same, &tree, model->pmx.textures[i]) == PATH_MISSING;
    }
    arena_destroy(scratch);
    return count;
}

typedef struct Facts {
    const char *name, *name_en, *file;
    const char *lines[8];
    size_t count;
} Facts;

static void add_line(Facts *facts, const char *line)
{
    facts->lines[facts->count++] = line;
}

static Facts list_facts(const Model *model, double height, Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    const uint32_t missing = count_missing(model);
    uint32_t ik = 0;
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        ik += (pmx->bones[i].flags & PMX_BONE_IK) != 0;
    Facts f = {.name = *pmx->name ? pmx->name : path_name(model->file),
               .name_en = strcmp(pmx->name_en, pmx->name) != 0 ? pmx->name_en : "",
               .file = path_name(model->file)};
    add_line(&f, arena_printf(arena, "%s vertices, %s triangles", number(pmx->vertex_count, arena),
                              number(pmx->index_count / 3, arena)));
    add_line(&f,
             arena_printf(arena, "%" PRIu32 " material%s, %" PRIu32 " texture%s%s",
                          pmx->material_count, pmx->material_count == 1 ? "" : "s",
                          pmx->texture_count, pmx->texture_count == 1 ? "" : "s",
                          missing ? arena_printf(arena, ", %" PRIu32 " missing", missing) : ""));
    add_line(&f, arena_printf(arena, "%s bone%s, %" PRIu32 " IK chain%s",
                              number(pmx->bone_count, arena), pmx->bone_count == 1 ? "" : "s", ik,
                              ik == 1 ? "" : "s"));
    add_line(&f, arena_printf(arena, "%s morphs", number(pmx->morph_count, arena)));
    add_line(&f, arena_printf(arena, "%s rigid bodies, %s joints", number(pmx->body_count, arena),
                              number(pmx->joint_count, arena)));
    add_line(&f, arena_printf(arena, "%.1f units high, about %.2f m", height, height * METRES));
    return f;
}

static bool draw_facts(Canvas *canvas, int left, const Facts *facts, Diag *diag)
{
    const int x = left + 4, width = FACE - 8;
    int y = MARGIN + FACE + 64;
    bool good = canvas_text(canvas, x, y, width, 44, INK_TEXT, facts->name, diag);
    y += 38;
    good = good && canvas_text(canvas, x, y, width, 22, INK_SOFT,
                               arena_printf(canvas->arena, "%s%s%s", facts->name_en,
                                            *facts->name_en ? "   " : "", facts->file),
                               diag);
    y += 56;
    for (size_t i = 0; good && i < facts->count; i++, y += LINE)
        good = canvas_text(canvas, x, y, width, 25, INK_TEXT, facts->lines[i], diag);
    return good;
}

bool portrait_write_views(const char *file, PreviewSession *session, Diag *diag)
{
    Arena *arena = arena_create();
    const Model *model = preview_session_model(session);
    Panels panels = {.count = 0};
    double size[3];
    Canvas canvas;
    measure(size, &model->pmx);
    const Facts facts = list_facts(model, size[1], arena);
    list_panels(&panels, session, size);
    bool good = canvas_init(&canvas, panels.facts_x + FACE + MARGIN, HEIGHT,
                            arena_printf(arena, "%s%s%s", facts.name, facts.name_en, facts.file),
                            arena, diag);
    for (size_t i = 0; good && i < panels.count; i++)
        good = draw_panel(&canvas, &panels.items[i], session, diag);
    good = good && draw_facts(&canvas, panels.facts_x, &facts, diag) &&
           canvas_save(&canvas, file, diag);
    arena_destroy(arena);
    return good;
}
