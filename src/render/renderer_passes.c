#include <string.h>

#include "render/renderer_state.h"

/* ---- geometry ---- */

static GeometryScene geometry_scene(const Renderer *r)
{
    return (GeometryScene){.actors = r->actors,
                           .actor_count = r->actor_count,
                           .view = &r->view,
                           .motion = &r->motion,
                           .samplers = &r->surfaces.samplers,
                           .shader_dir = r->options.shader_dir};
}

static bool check_passes(const Renderer *r, Diag *diag)
{
    return r->gl->GetError() == GL_NO_ERROR ||
           diag_fail(diag, DIAG_RESOURCE, "OpenGL reported an error while drawing passes");
}

bool render_geometry(GeometryImage *out, Renderer *r, unsigned wanted, Diag *diag)
{
    const GeometryScene scene = geometry_scene(r);

    Geometry *geometry = &r->geometry[0];
    if (geometry->wanted != 0 && geometry->wanted != wanted)
        geometry = &r->geometry[1];
    geometry->width = r->options.width;
    geometry->height = r->options.height;
    geometry->wanted = wanted;
    if (!geometry_draw(out, geometry, r->gl, &scene, diag))
        return false;
    return check_passes(r, diag);
}

bool render_labels(void *out, ImageRect *part, Renderer *r, int scale, Diag *diag)
{
    const GeometryScene scene = geometry_scene(r);

    r->labels.width = r->options.width * scale;
    r->labels.height = r->options.height * scale;
    r->labels.wanted = GEOMETRY_LABELS;
    if (!geometry_draw_labels(out, part, &r->labels, r->gl, &scene, scale, r->arena, diag))
        return false;
    return check_passes(r, diag);
}

void render_set_moments(Renderer *r, const FrameState *before, const FrameState *after)
{
    const FrameState *const moments[MOTION_MOMENTS] = {before, after};

    motion_update(&r->motion, r->gl, r->actors, r->actor_count, &r->skinning, moments, &r->view,
                  r->options.width * r->options.supersample,
                  r->options.height * r->options.supersample, r->arena);
}

/* The whole picture of the prepared frame: its depths, and its overlays. */
static bool draw_whole(Renderer *r, bool overlays, Diag *diag)
{
    const bool was_whole = r->whole && (r->has_overlays || !overlays);

    r->whole = true;
    r->has_overlays |= overlays;
    if (was_whole && (r->has_depths || (r->pictured && r->last.complete)))
        return true;
    r->has_depths = true;
    return renderer_draw(r, &r->shadow_state, diag);
}

static void read_overlays(Renderer *r)
{
    Image *image = &r->overlays;

    if (r->has_read_overlays)
        return;
    if (image->pixels == NULL) {
        image->width = r->options.width;
        image->height = r->options.height;
        image->pixels = arena_calloc(r->arena, (size_t)image->width * (size_t)image->height, 4);
    }
    target_read_overlays(image, &r->target, r->gl, r->drawn);
    r->has_read_overlays = true;
}

bool render_overlay(Image *image, Renderer *r, RenderOverlay overlay, Diag *diag)
{
    if (!draw_whole(r, true, diag))
        return false;
    read_overlays(r);
    target_copy_overlay(image, &r->overlays, r->drawn, overlay == RENDER_SHADOWS ? 0 : 1);
    return check_passes(r, diag);
}

bool render_emission(float (*out)[3], float weight, Renderer *r, Diag *diag)
{
    if (!emission_any(&r->emission, r->actors, r->actor_count))
        return true;
    if (!draw_whole(r, false, diag))
        return false;
    r->has_depths = true;
    r->last.complete = false; /* its colors are lost */
    const bool ok =
        emission_draw(out, weight, &r->emission, r->gl, &r->target, r->actors, r->actor_count,
                      &r->view, &r->surfaces.samplers, r->drawn, r->options.shader_dir, diag);
    return ok && (r->gl->GetError() == GL_NO_ERROR ||
                  diag_fail(diag, DIAG_RESOURCE, "OpenGL reported an error while drawing glow"));
}
