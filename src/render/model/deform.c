// SPDX-License-Identifier: MIT
#include "render/model/deform.h"

#include <string.h>

#include "render/gl/shader.h"
#include "render/same_bytes.h"

enum { BLOCK_VERTICES = 64 };

/* Attribute locations in skin.vert. */
enum {
    LOCATION_POSITION,
    LOCATION_NORMAL,
    LOCATION_BONES,
    LOCATION_WEIGHTS,
    LOCATION_CENTER,
    LOCATION_C0,
    LOCATION_C1
};
enum { BINDING_POSITIONS, BINDING_REST, BINDING_SDEF }; /* vertex buffer bindings */

/* ---- set-up ---- */

bool deform_programs_add(DeformPrograms *programs, const Mesh *mesh, const char *shader_dir,
                         Diag *diag)
{
    static const char *const OUTPUTS[] = {"skinned_position", "skinned_normal"};

    for (int d = 0; d < MESH_DEFORMS; d++) {
        const ShaderDefine define = {"DEFORM", d};
        const ShaderSpec spec = {.vertex = "skin.vert",
                                 .defines = &define,
                                 .define_count = 1,
                                 .feedback = OUTPUTS,
                                 .feedback_count = 2};

        if (mesh->deform_first[d] == mesh->deform_first[d + 1] || programs->skin[d] != 0)
            continue;
        programs->skin[d] = shader_build(mesh->gl, &spec, shader_dir, diag);
        if (programs->skin[d] == 0)
            return false;
    }
    return true;
}

static void init_channel(DeformChannel *channel, const Mesh *mesh, const float *rest,
                         uint32_t width, PmxMorphType type, Arena *arena)
{
    const PmxModel *pmx = mesh->pmx;
    const size_t size = (size_t)pmx->vertex_count * width * sizeof *rest;

    channel->rest = rest;
    channel->width = width;
    channel->buffer = gl_buffer(mesh->gl, size, rest, GL_DYNAMIC_STORAGE_BIT);
    for (uint32_t i = 0; i < pmx->morph_count && channel->live == NULL; i++)
        if (pmx->morphs[i].type == type)
            channel->live = arena_copy(arena, rest, size);
}

void deform_attribute(const GlApi *gl, GLuint array, GLuint location, GLuint binding, GLint width,
                      size_t offset)
{
    gl->EnableVertexArrayAttrib(array, location);
    gl->VertexArrayAttribFormat(array, location, width, GL_FLOAT, GL_FALSE, (GLuint)offset);
    gl->VertexArrayAttribBinding(array, location, binding);
}

/* Vertex array over the vertices of one kind; its vertex 0 is the first of that kind. */
static GLuint source_array(const Deform *deform, int kind)
{
    const Mesh *mesh = deform->mesh;
    const GlApi *gl = mesh->gl;
    const GLintptr first = (GLintptr)mesh->deform_first[kind];
    GLuint array = 0;

    gl->CreateVertexArrays(1, &array);
    gl->VertexArrayVertexBuffer(array, BINDING_POSITIONS, deform->positions.buffer,
                                first * (GLintptr)sizeof(float[3]), sizeof(float[3]));
    gl->VertexArrayVertexBuffer(array, BINDING_REST, mesh->rest, first * (GLintptr)sizeof(MeshRest),
                                sizeof(MeshRest));
    deform_attribute(gl, array, LOCATION_POSITION, BINDING_POSITIONS, 3, 0);
    deform_attribute(gl, array, LOCATION_NORMAL, BINDING_REST, 3, offsetof(MeshRest, normal));
    deform_attribute(gl, array, LOCATION_WEIGHTS, BINDING_REST, 4, offsetof(MeshRest, weights));
    gl->EnableVertexArrayAttrib(array, LOCATION_BONES);
    gl->VertexArrayAttribIFormat(array, LOCATION_BONES, 4, GL_UNSIGNED_INT,
                                 offsetof(MeshRest, bones));
    gl->VertexArrayAttribBinding(array, LOCATION_BONES, BINDING_REST);
    if (kind == PMX_SDEF) {
        gl->VertexArrayVertexBuffer(array, BINDING_SDEF, mesh->sdef, 0, sizeof(MeshSdef));
        deform_attribute(gl, array, LOCATION_CENTER, BINDING_SDEF, 3, offsetof(MeshSdef, center));
        deform_attribute(gl, array, LOCATION_C0, BINDING_SDEF, 3, offsetof(MeshSdef, c0));
        deform_attribute(gl, array, LOCATION_C1, BINDING_SDEF, 3, offsetof(MeshSdef, c1));
    }
    return array;
}

GLuint deform_buffer(const Deform *deform)
{
    return deform->shapes[deform->own].buffer;
}

const float *deform_uvs(const Deform *deform)
{
    const DeformChannel *uvs = &deform->uvs;

    return uvs->live != NULL ? uvs->live : uvs->rest;
}

GLuint deform_vertex_array(const Deform *deform)
{
    enum { UV = DEFORM_SKINNED + 1, EDGE_SCALE, EXTRA, MAP_UV };
    const Mesh *mesh = deform->mesh;
    const GlApi *gl = mesh->gl;
    GLuint array = 0;

    gl->CreateVertexArrays(1, &array);
    gl->VertexArrayVertexBuffer(array, DEFORM_SKINNED, deform_buffer(deform), 0,
                                sizeof(DeformVertex));
    gl->VertexArrayVertexBuffer(array, UV, deform->uvs.buffer, 0, sizeof(float[2]));
    gl->VertexArrayVertexBuffer(array, EDGE_SCALE, mesh->edge_scales, 0, sizeof(float));
    deform_attribute(gl, array, DEFORM_POSITION, DEFORM_SKINNED, 3,
                     offsetof(DeformVertex, position));
    deform_attribute(gl, array, DEFORM_NORMAL, DEFORM_SKINNED, 3, offsetof(DeformVertex, normal));
    deform_attribute(gl, array, DEFORM_UV, UV, 2, 0);
    deform_attribute(gl, array, DEFORM_EDGE_SCALE, EDGE_SCALE, 1, 0);
    if (mesh->extra != NULL) {
        gl->VertexArrayVertexBuffer(array, EXTRA, deform->extra.buffer, 0, sizeof(float[4]));
        deform_attribute(gl, array, DEFORM_EXTRA, EXTRA, 4, 0);
    }
    if (mesh->map_uvs != 0) {
        gl->VertexArrayVertexBuffer(array, MAP_UV, mesh->map_uvs, 0, sizeof *mesh->pmx->map_uv);
        deform_attribute(gl, array, DEFORM_MAP_UV, MAP_UV, 2 * PMX_MAPS, 0);
    }
    gl->VertexArrayElementBuffer(array, mesh->indices);
    return array;
}

/* Creates the buffer of the own shape. */
static void create_buffer(Deform *deform)
{
    DeformShape *shape = &deform->shapes[deform->own];

    if (shape->buffer == 0)
        shape->buffer =
            gl_buffer(deform->mesh->gl, deform->mesh->pmx->vertex_count * sizeof(DeformVertex),
                      NULL, GL_MAP_READ_BIT | GL_MAP_WRITE_BIT);
}

void deform_init(Deform *deform, const Mesh *mesh, bool in_parts, Arena *arena)
{
    const GlApi *gl = mesh->gl;
    const PmxModel *pmx = mesh->pmx;
    const uint32_t bone_count = pmx->bone_count > 0 ? pmx->bone_count : 1;

    *deform = (Deform){.mesh = mesh};
    init_channel(&deform->positions, mesh, mesh->positions[0], 3, PMX_MORPH_VERTEX, arena);
    init_channel(&deform->uvs, mesh, mesh->uvs[0], 2, PMX_MORPH_UV, arena);
    if (mesh->extra != NULL)
        init_channel(&deform->extra, mesh, mesh->extra[0], 4, PMX_MORPH_UV1, arena);
    deform->was_active = arena_array(arena, bool, pmx->morph_count);

    /* Bones at rest.  A model without bones gets one identity bone. */
    deform->bones = arena_calloc(arena, bone_count, sizeof *deform->bones);
    deform->bones[0][3] = 1.0f;
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        memcpy(&deform->bones[i][8], pmx->bones[i].position, sizeof pmx->bones[i].position);
    deform->bone_buffer =
        gl_buffer(gl, bone_count * sizeof *deform->bones, deform->bones, GL_DYNAMIC_STORAGE_BIT);
    gl->CreateTextures(GL_TEXTURE_BUFFER, 1, &deform->bone_texture);
    gl->TextureBuffer(deform->bone_texture, GL_RGBA32F, deform->bone_buffer);

    for (int i = 0; i < DEFORM_SHAPES; i++) {
        deform->shapes[i].weights = arena_array(arena, float, pmx->morph_count);
        deform->shapes[i].bones = arena_calloc(arena, pmx->bone_count, sizeof(float[7]));
    }
    create_buffer(deform);
    for (int d = 0; d < MESH_DEFORMS; d++)
        deform->sources[d] = source_array(deform, d);
    deform->vertices = deform_vertex_array(deform);
    deform->boxes = arena_array(arena, BoundingBox, pmx->vertex_count / BLOCK_VERTICES + 1);
    if (!in_parts)
        return;
    deform->parts = parts_create(mesh, arena);
    deform->moved = arena_array(arena, bool, pmx->bone_count);
    deform->touched = arena_calloc(arena, pmx->vertex_count, sizeof *deform->touched);
}

/* ---- morphs ---- */

/* The channel that a morph changes, or NULL. */
static DeformChannel *find_channel(Deform *deform, const PmxMorph *morph)
{
    DeformChannel *channel = morph->type == PMX_MORPH_VERTEX ? &deform->positions
                             : morph->type == PMX_MORPH_UV   ? &deform->uvs
                             : morph->type == PMX_MORPH_UV1  ? &deform->extra
                                                             : NULL;

    return channel != NULL && channel->live != NULL ? channel : NULL;
}

/* Restores the rest of the vertices that a morph names, or adds their offsets if weight is not 0.
 */
static void change_vertices(DeformChannel *channel, const PmxMorph *morph,
                            const uint32_t *buffer_index, float weight)
{
    const bool is_vertex = morph->type == PMX_MORPH_VERTEX;
    const size_t width = channel->width;

    for (uint32_t i = 0; i < morph->count; i++) {
        const PmxVertexOffset *vertex = is_vertex ? &morph->offsets.vertex[i] : NULL;
        const uint32_t number = is_vertex ? vertex->vertex : morph->offsets.uv[i].vertex;
        const float *offset = is_vertex ? vertex->offset : morph->offsets.uv[i].offset;
        const uint32_t index = buffer_index[number];
        float *live = channel->live + index * width;

        for (size_t k = 0; k < width; k++)
            live[k] =
                weight != 0.0f ? live[k] + weight * offset[k] : channel->rest[index * width + k];
        mesh_extend_range(&channel->dirty, index);
    }
}

static void upload_channel(DeformChannel *channel, const GlApi *gl)
{
    const size_t stride = channel->width * sizeof(float);
    const VertexRange dirty = channel->dirty;

    if (dirty.begin == dirty.end)
        return;
    gl->NamedBufferSubData(channel->buffer, (GLintptr)(dirty.begin * stride),
                           (GLsizeiptr)((dirty.end - dirty.begin) * stride),
                           channel->live + (size_t)dirty.begin * channel->width);
    channel->dirty = (VertexRange){0, 0};
}

static void apply_morphs(Deform *deform, const float *weights)
{
    const Mesh *mesh = deform->mesh;

    for (uint32_t i = 0; i < mesh->pmx->morph_count; i++) {
        DeformChannel *channel = find_channel(deform, &mesh->pmx->morphs[i]);

        if (channel != NULL && deform->was_active[i])
            change_vertices(channel, &mesh->pmx->morphs[i], mesh->buffer_index, 0.0f);
    }
    for (uint32_t i = 0; i < mesh->pmx->morph_count; i++) {
        DeformChannel *channel = find_channel(deform, &mesh->pmx->morphs[i]);

        deform->was_active[i] = channel != NULL && weights[i] != 0.0f;
        if (deform->was_active[i])
            change_vertices(channel, &mesh->pmx->morphs[i], mesh->buffer_index, weights[i]);
    }
    upload_channel(&deform->positions, mesh->gl);
    upload_channel(&deform->uvs, mesh->gl);
    upload_channel(&deform->extra, mesh->gl);
}

/* ---- frame ---- */

static bool is_shape_of(const DeformShape *shape, const PmxModel *pmx, const ModelState *state)
{
    if (!shape->valid || state->cloth_count > 0)
        return false;
    for (uint32_t i = 0; i < pmx->bone_count; i++)
        if (!same_bytes(&shape->bones[i][0], state->bones[i].rotation, sizeof(float[4])) ||
            !same_bytes(&shape->bones[i][4], state->bones[i].position, sizeof(float[3])))
            return false;
    return same_bytes(shape->weights, state->leaf_weights,
                      pmx->morph_count * sizeof *shape->weights);
}

int deform_find_shape(const Deform *deform, const ModelState *state)
{
    for (int i = 0; i < DEFORM_SHAPES; i++) {
        const int index = (deform->own + i) % DEFORM_SHAPES;

        if (is_shape_of(&deform->shapes[index], deform->mesh->pmx, state))
            return index;
    }
    return -1;
}

/* Notes that the own shape will be that of the state; cloth and soft bodies always move. */
static void set_shape(Deform *deform, const ModelState *state)
{
    const PmxModel *pmx = deform->mesh->pmx;
    DeformShape *shape = &deform->shapes[deform->own];

    shape->valid = false; /* until it is skinned */
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        memcpy(&shape->bones[i][0], state->bones[i].rotation, sizeof(float[4]));
        memcpy(&shape->bones[i][4], state->bones[i].position, sizeof(float[3]));
    }
    if (pmx->morph_count > 0)
        memcpy(shape->weights, state->leaf_weights, pmx->morph_count * sizeof *shape->weights);
}

void deform_restore(Deform *deform, const ModelState *state)
{
    const uint32_t bone_count = deform->mesh->pmx->bone_count;

    apply_morphs(deform, state->leaf_weights);
    for (uint32_t i = 0; i < bone_count; i++) {
        memcpy(&deform->bones[i][0], state->bones[i].rotation, sizeof state->bones[i].rotation);
        memcpy(&deform->bones[i][4], state->bones[i].position, sizeof state->bones[i].position);
    }
    if (bone_count > 0)
        deform->mesh->gl->NamedBufferSubData(deform->bone_buffer, 0,
                                             (GLsizeiptr)(bone_count * sizeof *deform->bones),
                                             deform->bones);
}

/* Marks the vertices of morphs whose weights are not those of the own shape. */
static bool touch_vertices(Deform *deform, const float *weights, uint8_t mark)
{
    const Mesh *mesh = deform->mesh;
    const float *before = deform->shapes[deform->own].weights;
    bool any = false;

    for (uint32_t i = 0; i < mesh->pmx->morph_count; i++) {
        const PmxMorph *morph = &mesh->pmx->morphs[i];

        if (find_channel(deform, morph) == NULL ||
            same_bytes(&before[i], &weights[i], sizeof *before))
            continue;
        any = true;
        for (uint32_t k = 0; k < morph->count; k++) {
            const uint32_t vertex = morph->type == PMX_MORPH_VERTEX
                                        ? morph->offsets.vertex[k].vertex
                                        : morph->offsets.uv[k].vertex;
            deform->touched[mesh->buffer_index[vertex]] = mark;
        }
    }
    return any;
}

/* Whether bones or morphs move a part away from the own shape. */
static bool is_moved(const Deform *deform, const Part *part, bool morphs)
{
    for (uint32_t i = 0; i < part->bone_count; i++)
        if (deform->moved[part->bones[i]])
            return true;
    for (int d = 0; morphs && d < MESH_DEFORMS; d++) {
        const VertexRange range = part->ranges[d];

        if (memchr(deform->touched + range.begin, 1, range.end - range.begin) != NULL)
            return true;
    }
    return false;
}

/* Finds the parts whose shape is not that of the own shape. */
static void find_moved(Deform *deform, const ModelState *state)
{
    const DeformShape *shape = &deform->shapes[deform->own];

    for (uint32_t i = 0; i < deform->mesh->pmx->bone_count; i++)
        deform->moved[i] =
            !same_bytes(&shape->bones[i][0], state->bones[i].rotation, sizeof(float[4])) ||
            !same_bytes(&shape->bones[i][4], state->bones[i].position, sizeof(float[3]));
    const bool morphs = touch_vertices(deform, state->leaf_weights, 1);
    for (uint32_t i = 0; i < deform->parts->count; i++)
        deform->parts->items[i].moved = is_moved(deform, &deform->parts->items[i], morphs);
    touch_vertices(deform, state->leaf_weights, 0);
}

void deform_upload(Deform *deform, const ModelState *state)
{
    const int found = deform_find_shape(deform, state);
    const bool same = deform->current && found == deform->own;

    if (deform->parts != NULL && (!same || deform->any_moved))
        for (uint32_t i = 0; i < deform->parts->count; i++)
            deform->parts->items[i].moved = !same;
    deform->any_moved = !same;
    if (same)
        return;
    deform->partial = deform->parts != NULL && deform->current && found < 0 &&
                      state->cloth_count == 0 && deform->shapes[deform->own].valid;
    if (deform->partial)
        find_moved(deform, state);
    deform->current = false;
    deform_restore(deform, state);
    if (found < 0) {
        set_shape(deform, state);
    } else if (found != deform->own) {
        deform->own = found;
        deform->mesh->gl->VertexArrayVertexBuffer(deform->vertices, DEFORM_SKINNED,
                                                  deform_buffer(deform), 0, sizeof(DeformVertex));
    }
}

/* The vertices of one kind of the next parts that moved, *part of them and following ones, which
 * then is the number of the one after them; empty: there are no more. */
static VertexRange next_moved(const Deform *deform, int kind, uint32_t *part)
{
    VertexRange sum = {0, 0};

    for (; *part < deform->parts->count; ++*part) {
        const VertexRange range = deform->parts->items[*part].ranges[kind];

        if (!deform->parts->items[*part].moved || range.begin == range.end)
            continue;
        if (sum.begin != sum.end &&
            (range.begin > sum.end + BLOCK_VERTICES || range.end + BLOCK_VERTICES < sum.begin))
            break;
        mesh_extend_range(&sum, range.begin);
        mesh_extend_range(&sum, range.end - 1);
    }
    return sum;
}

/* Skins vertices of one kind; its program and its source are bound. */
static void skin_range(const Deform *deform, int kind, VertexRange range)
{
    const GlApi *gl = deform->mesh->gl;
    const uint32_t count = range.end - range.begin;

    if (count == 0)
        return;
    gl->BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, deform_buffer(deform),
                        (GLintptr)(range.begin * sizeof(DeformVertex)),
                        (GLsizeiptr)(count * sizeof(DeformVertex)));
    gl->BeginTransformFeedback(GL_POINTS);
    gl->DrawArrays(GL_POINTS, (GLint)(range.begin - deform->mesh->deform_first[kind]),
                   (GLsizei)count);
    gl->EndTransformFeedback();
}

void deform_skin(Deform *deform, const DeformPrograms *programs)
{
    const Mesh *mesh = deform->mesh;
    const GlApi *gl = mesh->gl;
    const uint32_t *first = mesh->deform_first;

    if (deform->shapes[deform->own].valid)
        return;
    gl->Enable(GL_RASTERIZER_DISCARD);
    gl->BindTextureUnit(0, deform->bone_texture);
    for (int d = 0; d < MESH_DEFORMS; d++) {
        if (first[d] == first[d + 1])
            continue;
        gl->UseProgram(programs->skin[d]);
        gl->BindVertexArray(deform->sources[d]);
        if (!deform->partial)
            skin_range(deform, d, (VertexRange){first[d], first[d + 1]});
        for (uint32_t part = 0; deform->partial && part < deform->parts->count;)
            skin_range(deform, d, next_moved(deform, d, &part));
    }
    gl->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl->Disable(GL_RASTERIZER_DISCARD);
    deform->shapes[deform->own].valid = true;
}

void deform_apply_cloth(Deform *deform, const ModelState *state)
{
    const Mesh *mesh = deform->mesh;
    const GlApi *gl = mesh->gl;

    if (state->cloth_count == 0)
        return;
    deform->shapes[deform->own].valid = false;
    DeformVertex *vertices = gl->MapNamedBufferRange(
        deform_buffer(deform), 0, (GLsizeiptr)(mesh->pmx->vertex_count * sizeof *vertices),
        GL_MAP_READ_BIT | GL_MAP_WRITE_BIT);
    if (vertices == NULL)
        return;
    for (uint32_t i = 0; i < state->cloth_count; i++) {
        DeformVertex *vertex = &vertices[mesh->buffer_index[state->cloth_vertices[i]]];

        memcpy(vertex->position, state->cloth[i].position, sizeof vertex->position);
        memcpy(vertex->normal, state->cloth[i].normal, sizeof vertex->normal);
    }
    gl->UnmapNamedBuffer(deform_buffer(deform));
}

void deform_skin_other(Deform *deform, const DeformPrograms *programs, const ModelState *state,
                       int index)
{
    const int own = deform->own;

    deform->own = index;
    deform->partial = false;
    create_buffer(deform);
    deform_restore(deform, state);
    set_shape(deform, state);
    deform_skin(deform, programs);
    deform_apply_cloth(deform, state);
    deform->own = own;
}

/* ---- what the CPU reads ---- */

bool deform_map(const Deform *deform, const uint32_t **indices, const DeformVertex **vertices)
{
    const Mesh *mesh = deform->mesh;

    *indices = gl_map(mesh->gl, mesh->indices, mesh->index_count * sizeof **indices);
    *vertices =
        gl_map(mesh->gl, deform_buffer(deform), mesh->pmx->vertex_count * sizeof **vertices);
    return *indices != NULL && *vertices != NULL;
}

void deform_unmap(const Deform *deform)
{
    deform->mesh->gl->UnmapNamedBuffer(deform_buffer(deform));
    deform->mesh->gl->UnmapNamedBuffer(deform->mesh->indices);
}

/* NULL if there are none, or without memory. */
static const DeformVertex *map_vertices(const Deform *deform)
{
    const size_t count = deform->mesh->pmx->vertex_count;

    return count > 0 ? gl_map(deform->mesh->gl, deform_buffer(deform), count * sizeof(DeformVertex))
                     : NULL;
}

/* Updates the boxes of the blocks that vertices are in. */
static void update_boxes(Deform *deform, const DeformVertex *vertices, VertexRange range)
{
    const uint32_t count = deform->mesh->pmx->vertex_count;

    for (uint32_t i = range.begin / BLOCK_VERTICES * BLOCK_VERTICES; i < range.end;
         i += BLOCK_VERTICES) {
        BoundingBox box = BOX_EMPTY;

        for (uint32_t k = i; k < count && k < i + BLOCK_VERTICES; k++)
            box_add(&box, vertices[k].position, vertices[k].position);
        deform->boxes[i / BLOCK_VERTICES] = box;
    }
}

void deform_update_bounds(Deform *deform)
{
    const Mesh *mesh = deform->mesh;
    const DeformVertex *vertices = deform->current ? NULL : map_vertices(deform);

    if (vertices == NULL)
        return;
    if (!deform->partial)
        update_boxes(deform, vertices, (VertexRange){0, mesh->pmx->vertex_count});
    for (int d = 0; deform->partial && d < MESH_DEFORMS; d++)
        for (uint32_t part = 0; part < deform->parts->count;)
            update_boxes(deform, vertices, next_moved(deform, d, &part));
    mesh->gl->UnmapNamedBuffer(deform_buffer(deform));
    deform->current = true;
}

BoundingBox deform_bounds(const Deform *deform, uint32_t material)
{
    BoundingBox box = BOX_EMPTY;

    for (int d = 0; d < MESH_DEFORMS; d++) {
        const VertexRange range = deform->mesh->materials[material].ranges[d];

        for (uint32_t block = range.begin / BLOCK_VERTICES;
             block * BLOCK_VERTICES < range.end && range.begin < range.end; block++)
            box_add(&box, deform->boxes[block].low, deform->boxes[block].high);
    }
    return box;
}

void deform_read_positions(float (*positions)[3], const Deform *deform)
{
    const Mesh *mesh = deform->mesh;
    const DeformVertex *vertices = map_vertices(deform);

    if (vertices == NULL)
        return;
    for (uint32_t i = 0; i < mesh->pmx->vertex_count; i++)
        memcpy(positions[i], vertices[mesh->buffer_index[i]].position, sizeof positions[i]);
    mesh->gl->UnmapNamedBuffer(deform_buffer(deform));
}
