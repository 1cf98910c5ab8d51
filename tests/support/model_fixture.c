// SPDX-License-Identifier: MIT
#include "model_fixture.h"

#include <string.h>

#define COPY(arena, array) arena_copy((arena), (array), sizeof(array))

enum { POSABLE = PMX_BONE_ROTATABLE | PMX_BONE_MOVABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE };

PmxModel fixture_empty(void)
{
    return (PmxModel){.version = 2.0f, .name = "", .name_en = "", .comment = "", .comment_en = ""};
}

PmxBone fixture_bone(const char *name, int32_t parent, float x, float y, float z)
{
    return (PmxBone){.name = name,
                     .name_en = "",
                     .position = {x, y, z},
                     .parent = parent,
                     .flags = POSABLE,
                     .tail_bone = PMX_NONE,
                     .append_source = PMX_NONE,
                     .ik.effector = PMX_NONE};
}

PmxVertex fixture_vertex(float x, float y, float z, int32_t bone)
{
    return (PmxVertex){.position = {x, y, z},
                       .normal = {0, 0, -1},
                       .edge_scale = 1.0f,
                       .deform = PMX_BDEF1,
                       .bones = {bone},
                       .weights = {1.0f}};
}

PmxMaterial fixture_material(const char *name, uint32_t first_index, uint32_t index_count)
{
    return (PmxMaterial){.name = name,
                         .name_en = "",
                         .memo = "",
                         .diffuse = {1, 1, 1, 1},
                         .edge_color = {0, 0, 0, 1},
                         .edge_size = 1.0f,
                         .texture = PMX_NONE,
                         .sphere_texture = PMX_NONE,
                         .toon = PMX_NONE,
                         .first_index = first_index,
                         .index_count = index_count};
}

PmxModel fixture_bone_only(Arena *arena)
{
    PmxModel m = fixture_empty();
    const PmxBone bones[] = {fixture_bone("センター", PMX_NONE, 0, 0, 0)};
    m.bones = COPY(arena, bones);
    m.bone_count = 1;
    return m;
}

/* ---- strip ---- */

static void bend(PmxVertex *v, PmxDeform deform)
{
    static const float weight_of_row[] = {1, 1, 0.5f, 0, 0};
    v->deform = (uint8_t)deform;
    v->bones[1] = 1;
    v->weights[0] = weight_of_row[(int)v->position[1]];
    v->weights[1] = 1.0f - v->weights[0];
    if (deform == PMX_SDEF) {
        v->sdef_c[1] = 2;
        v->sdef_r0[1] = 1;
        v->sdef_r1[1] = 3;
    }
}

PmxModel fixture_strip_of(PmxDeform deform, Arena *arena)
{
    enum { ROWS = 5, INDICES = (ROWS - 1) * 6 };
    PmxModel m = fixture_empty();
    const PmxBone bones[] = {fixture_bone("lower", PMX_NONE, 0, 0, 0),
                             fixture_bone("upper", 0, 0, 2, 0)};
    const PmxMaterial materials[] = {fixture_material("strip", 0, INDICES)};
    m.name = "strip";
    m.bones = COPY(arena, bones);
    m.bone_count = 2;
    m.materials = COPY(arena, materials);
    m.material_count = 1;
    m.vertices = arena_array(arena, PmxVertex, 2 * ROWS);
    m.indices = arena_array(arena, uint32_t, INDICES);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t side = 0; side < 2; side++) {
            PmxVertex *v = &m.vertices[m.vertex_count++];
            *v = fixture_vertex(side ? 0.5f : -0.5f, (float)row, 0, 0);
            v->uv[0] = (float)side;
            v->uv[1] = 1.0f - (float)row / (ROWS - 1);
            bend(v, deform);
        }
        const uint32_t a = 2 * row, corners[6] = {a, a + 2, a + 1, a + 1, a + 2, a + 3};
        if (row + 1 < ROWS) {
            memcpy(&m.indices[m.index_count], corners, sizeof corners);
            m.index_count += 6;
        }
    }
    return m;
}

PmxModel fixture_strip(Arena *arena)
{
    return fixture_strip_of(PMX_BDEF2, arena);
}

/* ---- rigs ---- */

static PmxIkLink *knee_and_thigh(Arena *arena)
{
    const PmxIkLink links[] = {{.bone = 2,
                                .limited = true,
                                .lower = {-3.14159265f, 0, 0},
                                .upper = {-0.00872664626f, 0, 0}},
                               {.bone = 1}};
    return COPY(arena, links);
}

PmxModel fixture_leg(Arena *arena)
{
    PmxModel m = fixture_empty();
    PmxBone bones[] = {
        fixture_bone("センター", PMX_NONE, 0, 10, 0), fixture_bone("左足", 0, 0, 9, 0),
        fixture_bone("左ひざ", 1, 0, 5, -0.2f),       fixture_bone("左足首", 2, 0, 1, 0),
        fixture_bone("左足ＩＫ", PMX_NONE, 0, 1, 0),
    };
    bones[4].layer = 1;
    bones[4].flags |= PMX_BONE_IK;
    bones[4].ik = (PmxIk){.effector = 3,
                          .loops = 40,
                          .unit_angle = 2.0f,
                          .links = knee_and_thigh(arena),
                          .link_count = 2};
    m.name = "leg";
    m.bones = COPY(arena, bones);
    m.bone_count = 5;
    return m;
}

static void follow(PmxBone *bone, int32_t source, float ratio, unsigned flags)
{
    bone->append_source = source;
    bone->append_ratio = ratio;
    bone->flags |= (uint16_t)flags;
}

PmxModel fixture_append_chain(Arena *arena)
{
    PmxModel m = fixture_empty();
    PmxBone bones[] = {
        fixture_bone("source", PMX_NONE, 0, 0, 0),
        fixture_bone("half", PMX_NONE, 1, 0, 0),
        fixture_bone("minus", PMX_NONE, 2, 0, 0),
        fixture_bone("local", PMX_NONE, 3, 0, 0),
    };
    follow(&bones[1], 0, 0.5f, PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION);
    follow(&bones[2], 1, -1.0f, PMX_BONE_APPEND_ROTATION);
    follow(&bones[3], 0, 1.0f, PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_LOCAL);
    m.name = "append chain";
    m.bones = COPY(arena, bones);
    m.bone_count = 4;
    return m;
}

/* ---- quad ---- */

PmxModel fixture_quad(Arena *arena)
{
    static const uint32_t corners[] = {0, 1, 2, 2, 1, 3};
    static const char *const textures[] = {"tex/quad.png"};
    PmxModel m = fixture_bone_only(arena);
    PmxMaterial materials[] = {fixture_material("quad", 0, 6)};
    materials[0].texture = 0;
    materials[0].flags = PMX_DOUBLE_SIDED;
    m.name = "quad";
    m.vertices = arena_array(arena, PmxVertex, 4);
    m.vertex_count = 4;
    for (int i = 0; i < 4; i++) {
        const float u = (float)(i % 2), v = (float)(i / 2);
        m.vertices[i] = fixture_vertex(2 * u - 1, 1 - 2 * v, 0, 0);
        m.vertices[i].uv[0] = u;
        m.vertices[i].uv[1] = v;
    }
    m.indices = COPY(arena, corners);
    m.index_count = 6;
    m.textures = COPY(arena, textures);
    m.texture_count = 1;
    m.materials = COPY(arena, materials);
    m.material_count = 1;
    return m;
}

/* ---- one of everything ---- */

static void add_geometry(PmxModel *m, Arena *arena)
{
    static const uint32_t faces[] = {0, 1, 2, 2, 3, 4};
    static const char *const textures[] = {"tex/体.png", "s\\球.spa", "toon.bmp"};
    m->vertices = arena_array(arena, PmxVertex, 5);
    m->vertex_count = 5;
    m->extra_uv_count = 2;
    m->extra_uv[0] = arena_calloc(arena, 5, sizeof *m->extra_uv[0]);
    m->extra_uv[1] = arena_calloc(arena, 5, sizeof *m->extra_uv[1]);
    for (int i = 0; i < 5; i++) {
        PmxVertex *v = &m->vertices[i];
        *v = fixture_vertex((float)i, (float)(i % 2), 0.25f, 1);
        v->edge_scale = 0.5f + (float)i;
        m->extra_uv[0][i][0] = (float)i;
        m->extra_uv[1][i][3] = -(float)i;
    }
    bend(&m->vertices[1], PMX_BDEF2);
    bend(&m->vertices[3], PMX_SDEF);
    m->vertices[1].weights[0] = 0.75f;
    m->vertices[1].weights[1] = 0.25f;
    for (int i = 2; i <= 4; i += 2) {
        m->vertices[i].deform = i == 2 ? PMX_BDEF4 : PMX_QDEF;
        for (int k = 0; k < 4; k++) {
            m->vertices[i].bones[k] = k;
            m->vertices[i].weights[k] = 0.25f;
        }
    }
    m->indices = COPY(arena, faces);
    m->index_count = 6;
    m->textures = COPY(arena, textures);
    m->texture_count = 3;
}

static void add_materials(PmxModel *m, Arena *arena)
{
    PmxMaterial materials[] = {fixture_material("肌", 0, 3), fixture_material("服", 3, 3)};
    materials[0].name_en = "skin";
    materials[0].memo = "memo\nof two lines";
    materials[0].texture = 0;
    materials[0].sphere_texture = 1;
    materials[0].sphere_mode = PMX_SPHERE_ADD;
    materials[0].shared_toon = true;
    materials[0].toon = 4;
    materials[0].flags = PMX_EDGE | PMX_CAST_SHADOW | PMX_RECEIVE_SHADOW;
    materials[1].diffuse[3] = 0.5f;
    materials[1].specular[1] = 0.125f;
    materials[1].specular_power = 12;
    materials[1].ambient[2] = 0.375f;
    materials[1].toon = 2;
    materials[1].flags = PMX_DOUBLE_SIDED | PMX_VERTEX_COLOR;
    m->materials = COPY(arena, materials);
    m->material_count = 2;
}

static void add_bones(PmxModel *m, Arena *arena)
{
    PmxBone bones[] = {
        fixture_bone("センター", PMX_NONE, 0, 10, 0), fixture_bone("左足", 0, 0, 9, 0),
        fixture_bone("左ひざ", 1, 0, 5, -0.2f),       fixture_bone("左足首", 2, 0, 1, 0),
        fixture_bone("左足ＩＫ", PMX_NONE, 0, 1, 0),  fixture_bone("𠮷捩", 0, 1, 2, 3),
    };
    bones[0].name_en = "center";
    bones[1].flags |= PMX_BONE_TAIL_IS_BONE;
    bones[1].tail_bone = 2;
    bones[3].tail_offset[2] = -1;
    bones[4].layer = 1;
    bones[4].flags |= PMX_BONE_IK;
    bones[4].ik = (PmxIk){.effector = 3,
                          .loops = 40,
                          .unit_angle = 2,
                          .links = knee_and_thigh(arena),
                          .link_count = 2};
    follow(&bones[5], 1, -0.5f,
           PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION | PMX_BONE_APPEND_LOCAL);
    bones[5].flags |= PMX_BONE_FIXED_AXIS | PMX_BONE_LOCAL_AXES | PMX_BONE_EXTERNAL_PARENT |
                      PMX_BONE_AFTER_PHYSICS;
    bones[5].layer = -2;
    bones[5].fixed_axis[0] = 1;
    bones[5].local_x[0] = 1;
    bones[5].local_z[2] = 1;
    bones[5].external_key = 77;
    m->bones = COPY(arena, bones);
    m->bone_count = 6;
}

static void add_morphs(PmxModel *m, Arena *arena)
{
    static const char *const names[] = {"まとめ", "あ",   "腕",   "UV",  "UV1",
                                        "UV2",    "材質", "反転", "衝撃"};
    static const uint8_t types[] = {PMX_MORPH_GROUP,    PMX_MORPH_VERTEX, PMX_MORPH_BONE,
                                    PMX_MORPH_UV,       PMX_MORPH_UV1,    PMX_MORPH_UV2,
                                    PMX_MORPH_MATERIAL, PMX_MORPH_FLIP,   PMX_MORPH_IMPULSE};
    enum { MORPHS = sizeof types };
    const PmxGroupOffset group[] = {{1, 0.5f}, {2, 1.0f}};
    const PmxVertexOffset vertex[] = {{0, {0, 1, 0}}, {4, {0.5f, 0, -1}}};
    const PmxBoneOffset bone[] = {{2, {0, 1, 0}, {0, 0, 0, 1}}, {3, {0, 0, 2}, {1, 0, 0, 0}}};
    const PmxUvOffset uv[] = {{1, {0.1f, 0.2f, 0.3f, 0.4f}}, {3, {-1, 0, 0, 0}}};
    const PmxMaterialOffset material[] = {
        {.material = PMX_NONE, .diffuse = {1, 1, 1, 0.5f}, .edge_size = 1, .toon = {1, 1, 1, 1}},
        {.material = 1,
         .add = 1,
         .specular = {1, 2, 3},
         .specular_power = 4,
         .ambient = {5, 6, 7},
         .edge_color = {0, 0, 1, 0},
         .texture = {1, 0, 0, 1},
         .sphere = {0, 1, 0, 1}}};
    const PmxImpulseOffset impulse[] = {{0, 1, {1, 2, 3}, {4, 5, 6}}, {1, 0, {0, 9, 0}, {0, 0, 0}}};
    m->morphs = arena_array(arena, PmxMorph, MORPHS);
    m->morph_count = MORPHS;
    for (int i = 0; i < MORPHS; i++)
        m->morphs[i] = (PmxMorph){.name = names[i],
                                  .name_en = "",
                                  .panel = (uint8_t)(i % 5),
                                  .type = types[i],
                                  .count = 2};
    m->morphs[0].name_en = "group";
    m->morphs[0].offsets.group = COPY(arena, group);
    m->morphs[1].offsets.vertex = COPY(arena, vertex);
    m->morphs[2].offsets.bone = COPY(arena, bone);
    for (int i = 3; i <= 5; i++)
        m->morphs[i].offsets.uv = COPY(arena, uv);
    m->morphs[6].offsets.material = COPY(arena, material);
    m->morphs[7].offsets.group = COPY(arena, group);
    m->morphs[8].offsets.impulse = COPY(arena, impulse);
}

static void add_display_frames(PmxModel *m, Arena *arena)
{
    const PmxDisplayItem root[] = {{false, 0}}, face[] = {{true, 1}, {true, 6}, {false, 5}};
    const PmxDisplayFrame frames[] = {{.name = "Root",
                                       .name_en = "Root",
                                       .special = true,
                                       .items = COPY(arena, root),
                                       .item_count = 1},
                                      {.name = "表情",
                                       .name_en = "Exp",
                                       .special = true,
                                       .items = COPY(arena, face),
                                       .item_count = 3},
                                      {.name = "空", .name_en = ""}};
    m->display_frames = COPY(arena, frames);
    m->display_frame_count = 3;
}

static void add_bodies(PmxModel *m, Arena *arena)
{
    m->bodies = arena_array(arena, PmxBody, 3);
    m->body_count = 3;
    for (int i = 0; i < 3; i++)
        m->bodies[i] = (PmxBody){.name = "剛体",
                                 .name_en = "body",
                                 .bone = i == 2 ? PMX_NONE : i,
                                 .group = (uint8_t)(15 - i),
                                 .mask = (uint16_t)(0xFF0F << i & 0xFFFF),
                                 .shape = (uint8_t)i,
                                 .size = {1, 2, 3},
                                 .position = {0, (float)i, 0},
                                 .rotation = {0, 0, 0.5f},
                                 .mass = 1,
                                 .linear_damping = 0.5f,
                                 .angular_damping = 0.75f,
                                 .restitution = 0.25f,
                                 .friction = 0.125f,
                                 .mode = (uint8_t)i};
}

static void add_joints(PmxModel *m, Arena *arena)
{
    m->joints = arena_array(arena, PmxJoint, 2);
    m->joint_count = 2;
    for (int i = 0; i < 2; i++)
        m->joints[i] = (PmxJoint){.name = "関節",
                                  .name_en = "joint",
                                  .type = i ? PMX_JOINT_HINGE : PMX_JOINT_SPRING_6DOF,
                                  .body_a = i,
                                  .body_b = i + 1,
                                  .position = {1, 2, 3},
                                  .rotation = {0.1f, 0.2f, 0.3f},
                                  .linear_lower = {-1, -2, -3},
                                  .linear_upper = {1, 2, 3},
                                  .angular_lower = {-0.1f, -0.2f, -0.3f},
                                  .angular_upper = {0.1f, 0.2f, 0.3f},
                                  .linear_spring = {10, 20, 30},
                                  .angular_spring = {40, 50, 60}};
}

static void add_soft_body(PmxModel *m, Arena *arena)
{
    static const uint32_t pins[] = {0, 4};
    const PmxSoftAnchor anchors[] = {{1, 2, 1}};
    PmxSoftBody *s = m->soft_bodies = arena_array(arena, PmxSoftBody, 1);
    m->soft_body_count = 1;
    *s = (PmxSoftBody){.name = "布",
                       .name_en = "cloth",
                       .shape = 1,
                       .material = 1,
                       .group = 3,
                       .mask = 0xFFFE,
                       .flags = 5,
                       .b_link_distance = 2,
                       .cluster_count = 9,
                       .mass = 0.5f,
                       .margin = 0.125f,
                       .aero_model = 4,
                       .iterations = {1, 2, 3, 4},
                       .stiffness = {0.25f, 0.5f, 0.75f},
                       .anchor_count = 1,
                       .pin_count = 2};
    for (int i = 0; i < 12; i++)
        s->config[i] = (float)i;
    for (int i = 0; i < 6; i++)
        s->cluster[i] = (float)i / 8;
    s->anchors = COPY(arena, anchors);
    s->pins = COPY(arena, pins);
}

PmxModel fixture_full(Arena *arena)
{
    PmxModel m = fixture_empty();
    m.version = 2.1f;
    m.name = "全部";
    m.name_en = "everything";
    m.comment = "一行目\r\n二行目";
    m.comment_en = "one of each";
    add_geometry(&m, arena);
    add_materials(&m, arena);
    add_bones(&m, arena);
    add_morphs(&m, arena);
    add_display_frames(&m, arena);
    add_bodies(&m, arena);
    add_joints(&m, arena);
    add_soft_body(&m, arena);
    return m;
}
