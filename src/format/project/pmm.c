#include "format/project/pmm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/project/pmm_loader.h"

enum { SIGNATURE_SIZE = 30, PANELS = 6 };

/* ---- values ---- */

bool pmm_fail_end(PmmLoader *l)
{
    return diag_error(l->diag, "file ends inside the project");
}

const char *pmm_read_fixed(PmmLoader *l, size_t size)
{
    const uint8_t *bytes = read_bytes(&l->r, size);
    return bytes && size && bytes[0] ? text_from_cp932(bytes, size, l->arena) : "";
}

const char *pmm_read_text(PmmLoader *l)
{
    return pmm_read_fixed(l, read_u8(&l->r));
}

bool pmm_read_bool(PmmLoader *l)
{
    return read_u8(&l->r) != 0;
}

void pmm_skip(PmmLoader *l, size_t count)
{
    (void)read_bytes(&l->r, count);
}

/* A count of records of at least `size` bytes each. */
bool pmm_read_count(uint32_t *out, PmmLoader *l, size_t size, const char *what)
{
    *out = read_u32(&l->r);
    if (l->r.failed)
        return pmm_fail_end(l);
    return *out <= reader_left(&l->r) / size ||
           diag_error(l->diag, "%s count %" PRIu32 " exceeds the file size (at most %zu)", what,
                      *out, reader_left(&l->r) / size);
}

bool pmm_check_floats(const float *values, size_t count, PmmLoader *l)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= VMD_MAX_VALUE))
            return diag_error(l->diag, "a value is not finite or exceeds %d", VMD_MAX_VALUE);
    return true;
}

bool pmm_read_vector(float *out, size_t count, PmmLoader *l)
{
    read_floats(out, count, &l->r);
    return pmm_check_floats(out, count, l);
}

/* ---- keys ---- */

PmmBase pmm_read_base(PmmLoader *l, bool numbered)
{
    PmmBase base = {0};
    if (numbered)
        base.index = read_u32(&l->r);
    base.frame = read_u32(&l->r) & INT32_MAX;
    (void)read_u32(&l->r); /* the key before it */
    base.next = read_u32(&l->r);
    return base;
}

Curve pmm_read_curve(PmmLoader *l)
{
    uint8_t v[4];
    for (size_t i = 0; i < 4; i++) {
        v[i] = read_u8(&l->r);
        if (v[i] > CURVE_ONE)
            v[i] = CURVE_ONE;
    }
    return (Curve){v[0], v[1], v[2], v[3]};
}

PmmParent pmm_read_parent(PmmLoader *l)
{
    PmmParent parent;
    parent.model = read_i32(&l->r);
    parent.bone = read_i32(&l->r);
    return parent.model < 0 ? (PmmParent){-1, -1} : parent;
}

static int compare_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void *pmm_sort_keys(const void *keys, size_t size, uint32_t *count, Arena *arena)
{
    uint64_t *order = arena_array(arena, uint64_t, *count);
    uint8_t *out = arena_calloc(arena, *count, size);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t frame;
        memcpy(&frame, (const uint8_t *)keys + i * size, sizeof frame);
        order[i] = (uint64_t)frame << 32 | i;
    }
    qsort(order, *count, sizeof *order, compare_order);
    for (uint32_t i = 0; i < *count; i++) {
        if (i + 1 < *count && order[i] >> 32 == order[i + 1] >> 32)
            continue;
        memcpy(out + kept++ * size, (const uint8_t *)keys + (order[i] & UINT32_MAX) * size, size);
    }
    *count = kept;
    return out;
}

/* ---- settings ---- */

static const char *path_if(const char *path, bool enabled)
{
    return enabled && *path ? path : NULL;
}

static bool read_place(PmmMedia *media, PmmLoader *l)
{
    media->x = read_i32(&l->r);
    media->y = read_i32(&l->r);
    return pmm_read_vector(&media->scale, 1, l);
}

static bool read_media(PmmLoader *l)
{
    PmmProject *p = l->project;
    const bool has_audio = pmm_read_bool(l);
    p->audio = path_if(pmm_read_fixed(l, PMM_PATH_SIZE), has_audio);
    if (!read_place(&p->video, l))
        return false;
    const char *video = pmm_read_fixed(l, PMM_PATH_SIZE);
    p->video.path = path_if(video, read_u32(&l->r) != 0);
    if (!read_place(&p->image, l))
        return false;
    const char *image = pmm_read_fixed(l, PMM_PATH_SIZE);
    p->image.path = path_if(image, pmm_read_bool(l));
    return true;
}

static void read_range(PmmLoader *l)
{
    PmmProject *p = l->project;
    pmm_skip(l, 4 * 4 + 2); /* the timeline, camera look mode, loop */
    const bool has_begin = pmm_read_bool(l), has_end = pmm_read_bool(l);
    const int32_t begin = read_i32(&l->r), end = read_i32(&l->r);
    p->begin = has_begin && begin >= 0 ? begin : -1;
    p->end = has_end && end >= 0 && end >= begin ? end : -1;
}

/* Only version 2 has these settings. */
static bool read_physics(PmmLoader *l)
{
    PmmProject *p = l->project;
    p->ground_translucent = pmm_read_bool(l);
    p->physics = read_u8(&l->r) != 0;
    if (!pmm_read_gravity(l) || !pmm_read_self_shadow(l))
        return false;
    for (size_t i = 0; i < 3; i++)
        p->edge_color[i] = (uint8_t)read_u32(&l->r);
    p->black_background = pmm_read_bool(l);
    return true;
}

static bool read_settings(PmmLoader *l)
{
    PmmProject *p = l->project;
    read_range(l);
    if (!read_media(l))
        return false;
    pmm_skip(l, 2); /* information, grid */
    p->ground_shadow = pmm_read_bool(l);
    if (!pmm_read_vector(&p->fps, 1, l))
        return false;
    pmm_skip(l, 4 + 4); /* capture mode, accessories after models */
    if (!pmm_read_vector(&p->ground_brightness, 1, l) || (l->version == 2 && !read_physics(l)))
        return false;
    return !l->r.failed || pmm_fail_end(l);
}

/* ---- the project ---- */

static PmmParent check_parent(const PmmProject *p, PmmParent parent)
{
    const bool valid = parent.model >= 0 && (uint32_t)parent.model < p->model_count &&
                       parent.bone >= 0 &&
                       (uint32_t)parent.bone < p->models[parent.model].bone_count;
    return valid ? parent : (PmmParent){-1, -1};
}

static void check_parents(PmmProject *p)
{
    for (uint32_t i = 0; i < p->model_count; i++)
        for (uint32_t k = 0; k < p->models[i].parent_count; k++)
            p->models[i].parents[k].parent = check_parent(p, p->models[i].parents[k].parent);
    for (uint32_t i = 0; i < p->accessory_count; i++)
        for (uint32_t k = 0; k < p->accessories[i].key_count; k++)
            p->accessories[i].keys[k].parent = check_parent(p, p->accessories[i].keys[k].parent);
    for (uint32_t k = 0; k < p->camera_parent_count; k++)
        p->camera_parents[k].parent = check_parent(p, p->camera_parents[k].parent);
}

static bool read_head(PmmLoader *l)
{
    const uint8_t *signature = read_bytes(&l->r, SIGNATURE_SIZE);
    if (!signature || memcmp(signature, "Polygon Movie maker ", 20) != 0)
        return diag_error(l->diag, "not a project of MikuMikuDance");
    const bool first = memcmp(signature + 20, "0001", 4) == 0;
    if (!first && memcmp(signature + 20, "0002", 4) != 0)
        return diag_error(l->diag, "unknown version '%.4s' (0001, 0002)",
                          (const char *)signature + 20);
    if (first && !l->names)
        return diag_error(l->diag, "version 1 needs the files of its models");
    l->version = l->project->version = first ? 1 : 2;
    l->project->width = read_u32(&l->r);
    l->project->height = read_u32(&l->r);
    pmm_skip(l, 4 + 4 + PANELS + (l->version == 2)); /* timeline, view angle */
    return !l->r.failed || pmm_fail_end(l);
}

bool pmm_load(PmmProject *project, Bytes bytes, const PmmModelNames *names, Arena *arena,
              Diag *diag)
{
    static PmmGravityKey earth = {.gravity = {0, -9.8f, 0}};
    PmmLoader l = {.r = reader_init(bytes.data, bytes.size),
                   .project = project,
                   .names = names,
                   .arena = arena,
                   .diag = diag};
    *project = (PmmProject){.begin = -1,
                            .end = -1,
                            .stage.model_name = "カメラ・照明",
                            .ground_translucent = true,
                            .self_shadow = true,
                            .physics = true,
                            .gravity = &earth,
                            .gravity_count = 1};
    if (!read_head(&l) || !pmm_read_models(&l) || !pmm_read_camera(&l) || !pmm_read_light(&l) ||
        !pmm_read_accessories(&l) || !read_settings(&l))
        return false;
    check_parents(project);
    return true;
}
