#include <inttypes.h>
#include <string.h>

#include "format/model/pmx_record.h"
#include "format/model/pmx_repair_internal.h"

/* Numbers of rules (6.n) are those of format/model/README.md. */

static bool is_zero3(const float v[3])
{
    return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f;
}

/* ---- vertices ---- */

/* Sets the weights of invalid bones and negative weights to 0; true if there were any. */
static bool fix_weights(PmxVertex *v, uint32_t bone_count)
{
    bool changed = false;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++) {
        const bool known = pmx_index_in_range(v->bones[k], bone_count);
        if (v->weights[k] < 0.0f || (!known && v->weights[k] > 0.0f)) {
            v->weights[k] = 0.0f;
            changed = true;
        }
        if (!known)
            v->bones[k] = 0;
    }
    return changed;
}

/* Makes the weights sum to 1; if all are 0, the first becomes 1 (6.14). */
static void normalise_weights(PmxVertex *v)
{
    double sum = 0.0;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
        sum += (double)v->weights[k];
    if (sum > 0.0) {
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
            v->weights[k] = (float)((double)v->weights[k] / sum);
    } else {
        v->weights[0] = 1.0f;
    }
}

/*
 * SDEF with C = R0 = R1 = 0, or values that are not finite, becomes BDEF2 (6.15).  With other equal
 * points SDEF still rotates around C.
 */
static unsigned fix_sdef(PmxVertex *v)
{
    const unsigned bad = pmx_repair_floats(v->sdef_c, 3) + pmx_repair_floats(v->sdef_r0, 3) +
                         pmx_repair_floats(v->sdef_r1, 3);
    if (bad || (is_zero3(v->sdef_c) && is_zero3(v->sdef_r0) && is_zero3(v->sdef_r1)))
        v->deform = PMX_BDEF2;
    return bad;
}

/* Returns true if bones or weights were invalid. */
static bool fix_vertex(PmxVertex *v, uint32_t index, uint32_t bone_count, Diag *diag)
{
    unsigned bad = pmx_repair_floats(v->position, 3) + pmx_repair_floats(v->normal, 3) +
                   pmx_repair_floats(v->uv, 2) + pmx_repair_floats(&v->edge_scale, 1) +
                   pmx_repair_floats(v->weights, PMX_MAX_WEIGHTS);
    if (v->deform == PMX_SDEF)
        bad += fix_sdef(v);
    pmx_warn_floats(bad, "vertex", index, diag);
    const bool changed = fix_weights(v, bone_count);
    const bool has_all_weights = v->deform == PMX_BDEF4 || v->deform == PMX_QDEF;
    if (changed || has_all_weights || bad)
        normalise_weights(v);
    return changed;
}

static void fix_vertices(PmxModel *model, Diag *diag)
{
    uint32_t unbound = 0, without_normal = 0;
    for (uint32_t i = 0; i < model->vertex_count; i++) {
        PmxVertex *v = &model->vertices[i];
        unbound += fix_vertex(v, i, model->bone_count, diag);
        if (is_zero3(v->normal)) { /* 6.17 */
            v->normal[1] = 1.0f;
            without_normal++;
        }
    }
    if (unbound)
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "%" PRIu32
                  " vertices have bones out of range or negative weights, which are ignored",
                  unbound);
    if (without_normal)
        diag_warn(diag, WARN_BAD_VALUE, "%" PRIu32 " vertices have a zero normal; +y is used",
                  without_normal);
    for (uint32_t k = 0; k < model->extra_uv_count && model->vertex_count; k++)
        if (pmx_repair_floats(model->extra_uv[k][0], 4 * (size_t)model->vertex_count))
            diag_warn(diag, WARN_BAD_VALUE,
                      "extra UV %" PRIu32
                      " has values that are not finite or too large; 0 or the limit is used",
                      k + 1);
}

/* ---- faces and materials ---- */

/* Each material uses the next range of the indices, limited to those that exist (6.5). */
static void fix_ranges(PmxModel *model, Diag *diag)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        PmxMaterial *m = &model->materials[i];
        if (m->index_count > model->index_count - at) {
            diag_item(diag, "material", i);
            diag_warn(diag, WARN_BAD_REFERENCE,
                      "face index count %" PRIu32 " exceeds the %" PRIu32 " left, which are used",
                      m->index_count, model->index_count - at);
            diag_item(diag, NULL, 0);
            m->index_count = model->index_count - at;
        }
        m->first_index = at;
        at += m->index_count;
    }
    if (at < model->index_count)
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "%" PRIu32 " face indices belong to no material and are not drawn",
                  model->index_count - at);
}

static bool faces_are_valid(const PmxModel *model)
{
    for (uint32_t i = 0; i < model->index_count; i++)
        if (model->indices[i] >= model->vertex_count)
            return false;
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].index_count % 3)
            return false;
    return model->index_count % 3 == 0;
}

/* Moves the valid triangles of a range to `to`; returns the index behind them. */
static uint32_t move_triangles(PmxModel *model, uint32_t from, uint32_t count, uint32_t to)
{
    for (uint32_t i = 0; i + 3 <= count; i += 3) {
        const uint32_t *t = &model->indices[from + i];
        const uint32_t a = t[0], b = t[1], c = t[2];
        if (a >= model->vertex_count || b >= model->vertex_count || c >= model->vertex_count)
            continue;
        model->indices[to++] = a;
        model->indices[to++] = b;
        model->indices[to++] = c;
    }
    return to;
}

/* Removes triangles with an index out of range and incomplete ones (6.4). */
static void fix_faces(PmxModel *model, Diag *diag)
{
    fix_ranges(model, diag);
    if (faces_are_valid(model))
        return;
    uint32_t from = 0, to = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        PmxMaterial *m = &model->materials[i];
        const uint32_t end = move_triangles(model, m->first_index, m->index_count, to);
        from = m->first_index + m->index_count;
        m->first_index = to;
        m->index_count = end - to;
        to = end;
    }
    to = move_triangles(model, from, model->index_count - from, to);
    diag_warn(diag, WARN_BAD_REFERENCE,
              "%" PRIu32 " of %" PRIu32 " face indices are out of range (0..%" PRId64
              ") or not a complete triangle and are ignored",
              model->index_count - to, model->index_count, (int64_t)model->vertex_count - 1);
    model->index_count = to;
}

/* Removes trailing spaces; a name that is only an extension becomes "" (6.26). */
static const char *clean_path(const char *path, Arena *arena)
{
    size_t size = strlen(path);
    while (size && path[size - 1] == ' ')
        size--;
    size_t name = size;
    while (name && path[name - 1] != '/' && path[name - 1] != '\\')
        name--;
    if (name == size || (path[name] == '.' && !memchr(path + name + 1, '.', size - name - 1)))
        return "";
    return path[size] ? arena_strndup(arena, path, size) : path;
}

static void fix_texture(int32_t *texture, const char *what, const PmxModel *model, Diag *diag)
{
    if (pmx_index_in_range(*texture, model->texture_count)) {
        if (!*model->textures[*texture])
            *texture = PMX_NONE;
        return;
    }
    if (*texture != PMX_NONE)
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "%s %" PRId32 " out of range (0..%" PRId64 "); none is used", what, *texture,
                  (int64_t)model->texture_count - 1);
    *texture = PMX_NONE;
}

static void fix_material(PmxMaterial *m, uint32_t index, const PmxModel *model, Diag *diag)
{
    PmxIo io = {.mode = PMX_REPAIR};
    pmx_sections[PMX_SECTION_MATERIALS].record(&io, m, index);
    pmx_warn_floats(io.repaired, "material", index, diag);
    diag_item(diag, "material", index);
    fix_texture(&m->texture, "texture", model, diag);
    fix_texture(&m->sphere_texture, "sphere texture", model, diag);
    if (m->sphere_mode > PMX_SPHERE_SUB_TEXTURE) /* 6.16; no warning, 255 is common */
        m->sphere_mode = PMX_SPHERE_OFF;
    if (!m->shared_toon) {
        fix_texture(&m->toon, "toon", model, diag);
    } else if (!pmx_index_in_range(m->toon, 10)) {
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "shared toon %" PRId32 " out of range (0..9); none is used", m->toon);
        m->shared_toon = false;
        m->toon = PMX_NONE;
    }
    diag_item(diag, NULL, 0);
}

void pmx_repair_geometry(PmxModel *model, Arena *arena, Diag *diag)
{
    fix_vertices(model, diag);
    fix_faces(model, diag);
    for (uint32_t i = 0; i < model->texture_count; i++)
        model->textures[i] = clean_path(model->textures[i], arena);
    for (uint32_t i = 0; i < model->material_count; i++)
        fix_material(&model->materials[i], i, model, diag);
}
