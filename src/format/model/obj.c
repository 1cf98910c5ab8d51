// SPDX-License-Identifier: MIT
#include "format/model/obj.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/encoding.h"
#include "base/parser_entry.h"
#include "base/text.h"
#include "format/model/mesh_builder.h"
#include "math/rotation.h"
#include "math/srgb.h"

/* ---- faces of more than three corners ---- */

typedef struct FlatPoint {
    double x, y;
} FlatPoint;

/* Corners that are left, each with its neighbors around the polygon, counterclockwise. */
typedef struct Ring {
    const FlatPoint *points;
    uint32_t *before, *after;
} Ring;

/* Twice the area of a triangle; positive if it is counterclockwise. */
static double turn(FlatPoint a, FlatPoint b, FlatPoint c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Seen along the axis to which the polygon (by Newell's normal) is nearest to perpendicular. */
static FlatPoint *project(const Vec3 *corners, uint32_t count, Arena *scratch)
{
    FlatPoint *points = arena_array(scratch, FlatPoint, count);
    double n[3] = {0, 0, 0};
    int axis = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Vec3 a = vec3_sub(corners[i], corners[0]);
        const Vec3 b = vec3_sub(corners[(i + 1) % count], corners[0]);
        for (int k = 0; k < 3; k++)
            n[k] += vec3_component(vec3_cross(a, b), k);
    }
    for (int k = 1; k < 3; k++)
        axis = fabs(n[k]) > fabs(n[axis]) ? k : axis;
    for (uint32_t i = 0; i < count; i++) {
        const double x = vec3_component(corners[i], (axis + 1) % 3);
        const double y = vec3_component(corners[i], (axis + 2) % 3);
        points[i] = n[axis] < 0 ? (FlatPoint){-x, y} : (FlatPoint){x, y};
    }
    return points;
}

static bool is_convex(const FlatPoint *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (turn(points[i], points[(i + 1) % count], points[(i + 2) % count]) < 0)
            return false;
    return true;
}

static bool same(FlatPoint a, FlatPoint b)
{
    return a.x == b.x && a.y == b.y;
}

/* Whether the triangle at a corner is inside of the polygon, and no other corner is in it. */
static bool is_ear(const Ring *ring, uint32_t at)
{
    const FlatPoint a = ring->points[ring->before[at]], b = ring->points[at];
    const FlatPoint c = ring->points[ring->after[at]];
    if (!(turn(a, b, c) > 0))
        return false;
    for (uint32_t i = ring->after[ring->after[at]]; i != ring->before[at]; i = ring->after[i]) {
        const FlatPoint p = ring->points[i];
        if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 && !same(p, a) &&
            !same(p, b) && !same(p, c))
            return false;
    }
    return true;
}

/*
 * Triangles of a polygon by ear clipping (Meisters 1975): convex ones become a fan about their
 * first corner, and so does what is left of one that meets itself.
 *
 * out      [3 * (count - 2)] indices of corners, in their order around the polygon
 * corners  [count] at least 3
 * work     what the call may still do, and what is left afterwards: concave polygons need up to the
 *          cube of their corners; without any, the rest is a fan, too
 */
static void polygon_triangles(uint32_t *out, const Vec3 *corners, uint32_t count, uint64_t *work,
                              Arena *scratch)
{
    assert(count >= 3);
    const FlatPoint *points = project(corners, count, scratch);
    const bool convex = is_convex(points, count);
    Ring ring = {points, arena_array(scratch, uint32_t, count),
                 arena_array(scratch, uint32_t, count)};
    uint32_t at = 1, left = count, tried = 0;
    for (uint32_t i = 0; i < count; i++) {
        ring.before[i] = (i + count - 1) % count;
        ring.after[i] = (i + 1) % count;
    }
    while (left > 2) {
        const bool tests = !convex && *work > left;
        *work -= tests ? left : 0;
        if (tests && tried < left && !is_ear(&ring, at)) {
            at = ring.after[at];
            tried++;
            continue;
        }
        const uint32_t before = ring.before[at], after = ring.after[at];
        *out++ = before;
        *out++ = at;
        *out++ = after;
        ring.after[before] = after;
        ring.before[after] = before;
        at = after;
        left--;
        tried = 0;
    }
}

enum {
    WORD_SIZE = 64,
    MAX_TESTS = 1 << 28 /* of corners of concave polygons in a file: seconds */
};

typedef struct Triple { /* indices of position, texture coordinates and normal; -1: none */
    int32_t index[3];
} Triple;

typedef struct Point {
    float xyz[3], rgb[3];
} Point;

typedef struct Uv {
    float uv[2];
} Uv;

typedef struct Normal {
    float xyz[3];
} Normal;

typedef struct Slot { /* of the table of corners that are vertices already */
    Triple triple;
    uint32_t vertex; /* + 1; 0: free */
} Slot;

typedef struct Obj {
    MeshBuilder b;
    ARENA_LIST(Point) points;
    ARENA_LIST(Uv) uvs;
    ARENA_LIST(Normal) normals;
    ARENA_LIST(MeshMaterial) materials; /* the first one is that of faces without */
    Slot *slots;
    uint32_t slot_count;     /* a power of two */
    uint32_t material;       /* of the faces that follow */
    ARENA_LIST(Triple) face; /* corners of the one that is read */
    uint64_t tests_left;
    Arena *polygon;      /* of one face */
    uint32_t left_out;   /* points and lines */
    const char *comment; /* what wrote the file, by the first one before all data; or NULL */
    bool has_colors;
    Arena *arena; /* of names */
    const SideFiles *side;
    Diag *diag;
} Obj;

/* ---- lines and words ---- */

typedef struct Text {
    const char *at, *end;
    unsigned line;
} Text;

static Text text_start(Bytes bytes)
{
    const char *at = (const char *)bytes.data;
    const bool marked = bytes.size >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3);
    return (Text){marked ? at + 3 : at, at + bytes.size, 0};
}

/* Whether a backslash joins its line to the next one. */
static bool joins(const char *at, const char *end)
{
    return *at == '\\' && at + 1 < end &&
           (at[1] == '\n' || (at[1] == '\r' && at + 2 < end && at[2] == '\n'));
}

/* The next line without its end and without blanks around it, perhaps with others that backslashes
 * join to it. */
static bool next_line(const char **start, const char **end, Text *t)
{
    if (t->at == t->end)
        return false;
    t->line++;
    *start = t->at;
    while (t->at < t->end && *t->at != '\n') {
        const bool joined = joins(t->at, t->end);
        t->at += joined ? 2 + (t->at[1] == '\r') : 1;
        t->line += joined;
    }
    *end = t->at;
    t->at += t->at < t->end;
    while (*start < *end && (unsigned char)**start <= ' ')
        ++*start;
    while (*end > *start && (unsigned char)(*end)[-1] <= ' ')
        --*end;
    return true;
}

static bool is_blank(const char *at, const char *end)
{
    return (unsigned char)*at <= ' ' || joins(at, end);
}

/* The next word of a line, "" at its end; one that is too long is cut. */
static bool next_word(char word[WORD_SIZE], const char **at, const char *end)
{
    size_t size = 0;
    while (*at < end && is_blank(*at, end))
        ++*at;
    for (; *at < end && !is_blank(*at, end); ++*at)
        if (size + 1 < WORD_SIZE)
            word[size++] = **at;
    word[size] = '\0';
    return size > 0;
}

/* Names are in UTF-8 or in the encoding of their author's Windows. */
static const char *text_of(const Obj *o, const char *at, const char *end)
{
    return encoding_decode_text(at, (size_t)(end - at), o->arena);
}

/* Reads up to `count` numbers; returns how many there are. */
static size_t read_numbers(float *out, size_t count, const char **at, const char *end)
{
    char word[WORD_SIZE];
    size_t i = 0;
    for (double value; i < count && next_word(word, at, end) && text_to_double(&value, word); i++)
        out[i] = (float)fmin(fmax(value, -PMX_MAX_VALUE), PMX_MAX_VALUE);
    return i;
}

static bool bad_line(const Obj *o, const char *what)
{
    return diag_error(o->diag, "%s", what);
}

/* ---- materials ---- */

static uint32_t find_material(const Obj *o, const char *name)
{
    for (size_t i = 1; i < o->materials.count; i++)
        if (!strcmp(o->materials.items[i].pmx.name, name))
            return (uint32_t)i;
    return 0;
}

static const char *rest_of_line(const Obj *o, const char *at, const char *end)
{
    while (at < end && (unsigned char)*at <= ' ')
        at++;
    return text_of(o, at, end);
}

/* The file of map_Kd after its options, of which each has a known number of values. */
static const char *map_file(const Obj *o, const char *at, const char *end)
{
    static const struct {
        const char *name;
        int values;
    } options[] = {{"-o", 3},      {"-s", 3},      {"-t", 3},     {"-mm", 2},
                   {"-blendu", 1}, {"-blendv", 1}, {"-clamp", 1}, {"-texres", 1},
                   {"-boost", 1},  {"-bm", 1},     {"-cc", 1},    {"-imfchan", 1}};
    for (;;) {
        const char *before = at;
        char word[WORD_SIZE];
        size_t i = 0;
        next_word(word, &at, end);
        while (i < sizeof options / sizeof *options && strcmp(word, options[i].name) != 0)
            i++;
        if (i == sizeof options / sizeof *options)
            return rest_of_line(o, before, end);
        const bool several = options[i].values == 3; /* one to three numbers */
        for (int k = 0; k < options[i].values; k++) {
            const char *kept = at;
            double value;
            next_word(word, &at, end);
            if (several && k && !text_to_double(&value, word)) {
                at = kept;
                break;
            }
        }
    }
}

static void read_map(Obj *o, MeshMaterial *m, const char *at, const char *end)
{
    const char *name = map_file(o, at, end);
    if (*name)
        m->pmx.texture = mesh_add_texture(&o->b, (PmxTexture){.name = name});
}

static void read_material_line(Obj *o, const char *at, const char *end)
{
    char word[WORD_SIZE];
    float value;
    next_word(word, &at, end);
    if (!strcmp(word, "newmtl")) {
        const char *name = rest_of_line(o, at, end);
        *arena_push(o->b.scratch, &o->materials) =
            (MeshMaterial){.pmx = mesh_material_default(name)};
        return;
    }
    MeshMaterial *m = &o->materials.items[o->materials.count - 1];
    if (o->materials.count == 1)
        return; /* before the first newmtl */
    if (!strcmp(word, "Kd"))
        read_numbers(m->pmx.diffuse, 3, &at, end);
    else if (!strcmp(word, "Ke"))
        read_numbers(m->pmx.ambient, 3, &at, end);
    else if (!strcmp(word, "d") && read_numbers(&value, 1, &at, end))
        m->pmx.diffuse[3] = value;
    else if (!strcmp(word, "Tr") && read_numbers(&value, 1, &at, end))
        m->pmx.diffuse[3] = 1 - value;
    else if (!strcmp(word, "map_Kd"))
        read_map(o, m, at, end);
}

/* Until here, `diffuse` is the color and `ambient` what it emits. */
static void finish_material(MeshMaterial *m)
{
    float emission[3];
    m->pmx.diffuse[3] = fminf(fmaxf(m->pmx.diffuse[3], 0), 1);
    m->order = m->pmx.diffuse[3] < 1;
    m->pmx.flags |= PMX_DOUBLE_SIDED;
    for (int k = 0; k < 3; k++) {
        m->pmx.diffuse[k] = fminf(fmaxf(m->pmx.diffuse[k], 0), 1);
        emission[k] = srgb_linear(fminf(fmaxf(m->pmx.ambient[k], 0), 1));
    }
    mesh_set_light(&m->pmx, MESH_LAMBERT, m->pmx.diffuse);
    mesh_set_emission(&m->pmx, emission);
}

/* Reads a file of materials.  Without it faces are white. */
static bool read_library(bool *found, Obj *o, const char *name)
{
    Bytes bytes;
    const char *start, *end;
    *found = !o->side->load;
    if (*found)
        return true;
    if (!o->side->load(o->side->user, &bytes, name, true, o->b.scratch, o->diag))
        return false;
    *found = bytes.data != NULL;
    Text text = text_start(bytes);
    while (*found && next_line(&start, &end, &text))
        read_material_line(o, start, end);
    return o->materials.count <= MESH_MAX_MATERIALS ||
           diag_error(o->diag, "%zu materials (at most %d)", o->materials.count,
                      MESH_MAX_MATERIALS);
}

/* One name, which may have blanks, or several. */
static bool read_libraries(Obj *o, const char *at, const char *end)
{
    const char *whole = rest_of_line(o, at, end);
    bool found = !*whole, any = false;
    if (!found && !read_library(&found, o, whole))
        return false;
    while (!found && at < end) {
        bool one = false;
        const char *start;
        while (at < end && is_blank(at, end))
            at++;
        for (start = at; at < end && !is_blank(at, end); at++) {
        }
        const char *name = text_of(o, start, at);
        if (*name && strcmp(name, whole) != 0 && !read_library(&one, o, name))
            return false;
        any |= one;
    }
    if (!found && !any)
        diag_warn(o->diag, WARN_BAD_REFERENCE,
                  "its file '%s' is missing below its directory; faces are white", whole);
    return true;
}

/* ---- faces ---- */

static uint32_t hash_triple(const Triple *t)
{
    uint32_t hash = 2166136261u;
    for (int k = 0; k < 3; k++)
        hash = (hash ^ (uint32_t)t->index[k]) * 16777619u ^ hash >> 15;
    return hash;
}

static Slot *find_slot(Slot *slots, uint32_t count, const Triple *t)
{
    uint32_t at = hash_triple(t) & (count - 1);
    while (slots[at].vertex && memcmp(&slots[at].triple, t, sizeof *t) != 0)
        at = (at + 1) & (count - 1);
    return &slots[at];
}

static void grow_slots(Obj *o)
{
    const uint32_t count = o->slot_count ? 2 * o->slot_count : 1024;
    Slot *slots = arena_array(o->b.scratch, Slot, count);
    for (uint32_t i = 0; i < o->slot_count; i++)
        if (o->slots[i].vertex)
            *find_slot(slots, count, &o->slots[i].triple) = o->slots[i];
    o->slots = slots;
    o->slot_count = count;
}

/* The z axis is mirrored: OBJ is right-handed.  Texture rows are counted from the bottom. */
static uint32_t vertex_of(Obj *o, const Triple *t, const float *flat)
{
    if (o->b.vertices.count * 2 >= o->slot_count)
        grow_slots(o);
    Slot *slot = flat ? NULL : find_slot(o->slots, o->slot_count, t);
    if (slot && slot->vertex)
        return slot->vertex - 1;
    const Point *p = &o->points.items[t->index[0]];
    const float *n = flat ? flat : o->normals.items[t->index[2]].xyz;
    const float s = (float)MESH_UNITS_PER_METRE;
    PmxVertex v = {.position = {s * p->xyz[0], s * p->xyz[1], -s * p->xyz[2]},
                   .normal = {n[0], n[1], -n[2]},
                   .edge_scale = 1};
    if (t->index[1] >= 0) {
        v.uv[0] = o->uvs.items[t->index[1]].uv[0];
        v.uv[1] = 1 - o->uvs.items[t->index[1]].uv[1];
    }
    const float color[4] = {p->rgb[0], p->rgb[1], p->rgb[2], 1};
    mesh_add_vertex(&o->b, &v, o->has_colors ? color : NULL, NULL);
    if (slot)
        *slot = (Slot){*t, (uint32_t)o->b.vertices.count};
    return (uint32_t)o->b.vertices.count - 1;
}

/* "3", "3/4", "3//5" or "3/4/5": from 1; negative from the last one, which is -1. */
static bool read_corner(Triple *out, const Obj *o, const char *word)
{
    const size_t counts[] = {o->points.count, o->uvs.count, o->normals.count};
    *out = (Triple){{-1, -1, -1}};
    for (int k = 0; k < 3 && word; k++) {
        char part[WORD_SIZE];
        int64_t value;
        const size_t size = strcspn(word, "/");
        memcpy(part, word, size);
        part[size] = '\0';
        if (size) {
            if (!text_to_int64(&value, part))
                return bad_line(o, "a corner of a face is no number");
            value = value < 0 ? value + (int64_t)counts[k] : value - 1;
            const bool exists = value >= 0 && value < (int64_t)counts[k];
            if (!exists && k == 0)
                return bad_line(o, "a corner of a face is out of range");
            if (!exists)
                diag_warn(o->diag, WARN_BAD_REFERENCE,
                          "a corner of a face has %s that do not exist; they are ignored",
                          k == 1 ? "texture coordinates" : "normals");
            out->index[k] = exists ? (int32_t)value : -1;
        }
        word = word[size] ? word + size + 1 : NULL;
    }
    return out->index[0] >= 0 || bad_line(o, "a corner of a face has no position");
}

static void flat_normal(float out[3], const Obj *o, const Triple corners[3])
{
    double e[2][3], n[3], length = 0;
    for (int k = 0; k < 3; k++) {
        const double first = (double)o->points.items[corners[0].index[0]].xyz[k];
        e[0][k] = (double)o->points.items[corners[1].index[0]].xyz[k] - first;
        e[1][k] = (double)o->points.items[corners[2].index[0]].xyz[k] - first;
    }
    for (int k = 0; k < 3; k++) {
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
        length += n[k] * n[k];
    }
    for (int k = 0; k < 3; k++)
        out[k] = length > 0 ? (float)(n[k] / sqrt(length)) : 0;
}

static void add_triangle(Obj *o, const Triple corners[3])
{
    float flat[3];
    uint32_t v[3];
    const bool smooth =
        corners[0].index[2] >= 0 && corners[1].index[2] >= 0 && corners[2].index[2] >= 0;
    flat_normal(flat, o, corners);
    for (int k = 0; k < 3; k++)
        v[k] = vertex_of(o, &corners[k], smooth ? NULL : flat);
    mesh_add_triangle(&o->b, o->material, (uint32_t[]){v[0], v[2], v[1]});
}

static bool read_face(Obj *o, const char *at, const char *end)
{
    char word[WORD_SIZE];
    o->b.materials = o->materials.items;
    o->b.material_count = (uint32_t)o->materials.count;
    o->face.count = 0;
    while (next_word(word, &at, end)) {
        Triple corner;
        if (!read_corner(&corner, o, word) ||
            !mesh_check_size(&o->b, 3 * o->face.count, 3 * o->face.count, o->diag))
            return false;
        *arena_push(o->b.scratch, &o->face) = corner;
    }
    const Triple *face = o->face.items;
    const uint32_t count = (uint32_t)o->face.count;
    if (count == 3)
        add_triangle(o, face);
    if (count <= 3)
        return true;
    arena_reset(o->polygon);
    Vec3 *corners = arena_array(o->polygon, Vec3, count);
    uint32_t *triangles = arena_array(o->polygon, uint32_t, 3 * (size_t)(count - 2));
    for (uint32_t i = 0; i < count; i++)
        corners[i] = vec3_load(o->points.items[face[i].index[0]].xyz);
    polygon_triangles(triangles, corners, count, &o->tests_left, o->polygon);
    for (uint32_t i = 0; i < count - 2; i++) {
        const uint32_t *t = &triangles[3 * (size_t)i];
        add_triangle(o, (Triple[]){face[t[0]], face[t[1]], face[t[2]]});
    }
    return true;
}

/* ---- the file ---- */

static bool read_point(Obj *o, const char *at, const char *end)
{
    float values[7] = {0, 0, 0, 1, 1, 1, 1};
    const size_t count = read_numbers(values, 7, &at, end);
    const bool has_color = count == 6;
    if (count < 3)
        return bad_line(o, "a vertex has fewer than 3 coordinates");
    Point *p = arena_push(o->b.scratch, &o->points);
    *p = (Point){{values[0], values[1], values[2]}, {1, 1, 1}};
    for (int k = 0; k < 3 && has_color; k++)
        p->rgb[k] = fminf(fmaxf(values[3 + k], 0), 1);
    o->has_colors |= has_color;
    return true;
}

static void read_comment(Obj *o, const char *at, const char *end)
{
    static const char program[] = "Metasequoia"; /* whose files need other keys than others */
    while (at < end && (*at == '#' || (unsigned char)*at <= ' '))
        at++;
    if (at == end || o->points.count)
        return;
    if (!o->comment || memmem(at, (size_t)(end - at), program, sizeof program - 1))
        o->comment = rest_of_line(o, at, end);
}

static bool read_line(Obj *o, const char *at, const char *end)
{
    char word[WORD_SIZE];
    if (at < end && *at == '#') {
        read_comment(o, at, end);
        return true;
    }
    next_word(word, &at, end);
    if (!strcmp(word, "v"))
        return read_point(o, at, end);
    if (!strcmp(word, "f"))
        return read_face(o, at, end);
    if (!strcmp(word, "mtllib"))
        return read_libraries(o, at, end);
    if (!strcmp(word, "usemtl"))
        o->material = find_material(o, rest_of_line(o, at, end));
    else if (!strcmp(word, "vt")) {
        Uv *uv = arena_push(o->b.scratch, &o->uvs);
        *uv = (Uv){{0, 0}};
        read_numbers(uv->uv, 2, &at, end);
    } else if (!strcmp(word, "vn")) {
        Normal *n = arena_push(o->b.scratch, &o->normals);
        *n = (Normal){{0, 0, 0}};
        read_numbers(n->xyz, 3, &at, end);
    } else {
        o->left_out += !strcmp(word, "l") || !strcmp(word, "p");
    }
    return true;
}

static bool read_lines(Obj *o, Bytes bytes)
{
    const char *start, *end;
    Text text = text_start(bytes);
    bool good = true;
    while (good && next_line(&start, &end, &text)) {
        diag_line(o->diag, text.line, 1);
        good = read_line(o, start, end);
    }
    diag_line(o->diag, 0, 0);
    return good;
}

bool obj_load(PmxModel *model, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag)
{
    parser_enter("obj");
    Obj o = {.b.scratch = arena_create(),
             .tests_left = MAX_TESTS,
             .polygon = arena_create(),
             .arena = arena,
             .side = side,
             .diag = diag};
    *arena_push(o.b.scratch, &o.materials) = (MeshMaterial){.pmx = mesh_material_default("")};
    const bool good = read_lines(&o, bytes);
    o.b.materials = o.materials.items;
    o.b.material_count = (uint32_t)o.materials.count;
    if (good) {
        for (uint32_t i = 0; i < o.b.material_count; i++) {
            finish_material(&o.b.materials[i]);
            if (o.has_colors)
                o.b.materials[i].pmx.flags |= PMX_VERTEX_COLOR;
        }
        mesh_finish_scene(model, &o.b, arena, diag);
        model->comment = o.comment ? o.comment : "";
        if (o.left_out)
            model->ignored = arena_printf(arena, "%" PRIu32 " points or lines", o.left_out);
    }
    arena_destroy(o.polygon);
    arena_destroy(o.b.scratch);
    return good;
}
