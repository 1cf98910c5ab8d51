// SPDX-License-Identifier: MIT
#include "gltf_fixture.h"

#include <string.h>

#include "byte_list.h"

static const char fixture[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,2,3]}],\n"
    "\"nodes\":[{\"mesh\":0,\"translation\":[1,2,3],\"children\":[1]},\n"
    "{\"mesh\":0,\"scale\":[1,1,-2]},{\"mesh\":1,\"skin\":0},{\"translation\":[0,1,0]},\n"
    "{\"mesh\":0}],\"cameras\":[{}],\"skins\":[{\"joints\":[3],\"inverseBindMatrices\":7}],\n"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"TEXCOORD_0\":2},"
    "\"indices\":3,\"material\":0},{\"attributes\":{\"POSITION\":0},\"mode\":1}]},\n"
    "{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":4,\"WEIGHTS_0\":5,"
    "\"COLOR_0\":6},\"material\":1}]}],\n"
    "\"materials\":[{\"name\":\"wall\",\"normalTexture\":{\"index\":0},\"doubleSided\":true,"
    "\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.5,0,0.5],\"baseColorTexture\":{\"index\":0,"
    "\"extensions\":{\"KHR_texture_transform\":{\"offset\":[0.5,0],\"scale\":[2,1],"
    "\"rotation\":1.5707963267948966}}}}},\n"
    "{\"alphaMode\":\"BLEND\",\"extensions\":{\"KHR_materials_unlit\":{}},"
    "\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,0.25]}}],\n"
    "\"textures\":[{\"source\":0}],\"images\":[{\"bufferView\":8}],\n"
    "\"buffers\":[{\"byteLength\":248}],\"bufferViews\":[\n"
    "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36},\n"
    "{\"buffer\":0,\"byteOffset\":72,\"byteLength\":24},\n"
    "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":6},\n"
    "{\"buffer\":0,\"byteOffset\":104,\"byteLength\":12},\n"
    "{\"buffer\":0,\"byteOffset\":116,\"byteLength\":48},\n"
    "{\"buffer\":0,\"byteOffset\":164,\"byteLength\":16},\n"
    "{\"buffer\":0,\"byteOffset\":180,\"byteLength\":64},\n"
    "{\"buffer\":0,\"byteOffset\":244,\"byteLength\":4}],\n"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},\n"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},\n"
    "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"},\n"
    "{\"bufferView\":3,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"},\n"
    "{\"bufferView\":4,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},\n"
    "{\"bufferView\":5,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},\n"
    "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
    "\"indices\":{\"bufferView\":6,\"componentType\":5123},"
    "\"values\":{\"bufferView\":6,\"byteOffset\":4}}},\n"
    "{\"bufferView\":7,\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}]}";

const char *gltf_fixture_json(const char *from, const char *to, Arena *arena)
{
    const char *found = from ? strstr(fixture, from) : NULL;
    return found ? arena_printf(arena, "%.*s%s%s", (int)(found - fixture), fixture, to,
                                found + strlen(from))
                 : fixture;
}

Bytes gltf_fixture_data(Arena *arena)
{
    static const float values[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, /* positions */
                                   0, 0, 1, 0, 0, 1, 0, 0, 1, /* normals */
                                   0, 0, 1, 0, 0, 1};         /* texture coordinates */
    static const float matrix[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -1, 1};
    ByteList *list = arena_array(arena, ByteList, 1);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        bytes_f32(list, values[i]);
    bytes_u32(list, 1 << 16); /* indices 0 1 2 */
    bytes_u32(list, 2);
    for (int i = 0; i < 3; i++) /* joints */
        bytes_u32(list, 0);
    for (int i = 0; i < 3; i++) { /* weights */
        bytes_f32(list, 2);
        bytes_f32_3(list, 0, 0, 0);
    }
    bytes_u32(list, 1); /* the second color is white, the others are black */
    bytes_f32_3(list, 1, 1, 1);
    for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++)
        bytes_f32(list, matrix[i]);
    bytes_text(list, "\x89PNG", 4);
    return (Bytes){list->data, list->size};
}

Bytes gltf_fixture_pack(const char *json, Bytes data, Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1);
    const uint32_t size = (uint32_t)strlen(json), data_size = (uint32_t)data.size;
    bytes_u32(list, 0x46546C67);
    bytes_u32(list, 2);
    bytes_u32(list, 12 + 8 + size + 8 + data_size);
    bytes_u32(list, size);
    bytes_u32(list, 0x4E4F534A);
    bytes_text(list, json, size);
    bytes_u32(list, data_size);
    bytes_u32(list, 0x004E4942);
    for (uint32_t i = 0; i < data_size; i++)
        bytes_u8(list, data.data[i]);
    return (Bytes){list->data, list->size};
}

Bytes gltf_fixture(const char *from, const char *to, Arena *arena)
{
    return gltf_fixture_pack(gltf_fixture_json(from, to, arena), gltf_fixture_data(arena), arena);
}

static const char avatar[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,8]}],\n"
    "\"nodes\":[{\"name\":\"armature\",\"children\":[1]},\n"
    "{\"name\":\"h\",\"translation\":[0,1,0],\"children\":[2,5]},\n"
    "{\"name\":\"s\",\"translation\":[0,0.2,0],\"children\":[3]},\n"
    "{\"name\":\"a\",\"translation\":[0.2,0.2,0],\"children\":[4]},\n"
    "{\"name\":\"w\",\"translation\":[0.5,0,0],\"mesh\":0,\"children\":[9]},\n"
    "{\"name\":\"l\",\"translation\":[0.1,-0.1,0],\"children\":[6]},\n"
    "{\"name\":\"k\",\"translation\":[0,-0.4,0],\"children\":[7]},\n"
    "{\"name\":\"f\",\"translation\":[0,-0.4,0]},{\"name\":\"own eyes\",\"mesh\":1},\n"
    "{\"name\":\"ring\",\"translation\":[0,-0.2,0],\"children\":[10]},\n"
    "{\"name\":\"gem\",\"translation\":[0,-0.1,0],\"rotation\":[0,0,0.6,0.8],\"extensions\":{"
    "\"VRMC_node_constraint\":{\"constraint\":{\"roll\":{\"source\":6,\"rollAxis\":\"Y\","
    "\"weight\":"
    "0.5}}}}}],\n"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0},"
    "\"targets\":[{\"POSITION\":1}],\"material\":0}]},\n"
    "{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0},\"material\":0}]}],\n"
    "\"materials\":[{\"name\":\"skin\",\"extensions\":{\"KHR_materials_unlit\":{}%s}}],\n"
    "\"buffers\":[{\"byteLength\":72}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},\n"
    "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36}],\n"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},\n"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\n"
    "\"extensions\":{%s}}";

static const char mtoon[] =
    ",\"VRMC_materials_mtoon\":{\"shadeColorFactor\":[0.25,0,1],"
    "\"outlineWidthMode\":\"worldCoordinates\",\"outlineWidthFactor\":0.0024,"
    "\"outlineColorFactor\":[1,0,0]}";

static const char newer[] =
    "\"VRMC_vrm\":{\"specVersion\":\"1.0\",\"meta\":{\"name\":\"Figure\",\"authors\":[\"me\","
    "\"you\"],\"allowRedistribution\":true},\n"
    "\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":1},\"spine\":{\"node\":2},"
    "\"leftUpperArm\":{\"node\":3},\"leftHand\":{\"node\":4},\"leftUpperLeg\":{\"node\":5},"
    "\"leftLowerLeg\":{\"node\":6},\"leftFoot\":{\"node\":7}}},\n"
    "\"firstPerson\":{\"meshAnnotations\":[{\"node\":8,\"type\":\"firstPersonOnly\"}]},\n"
    "\"expressions\":{\"preset\":{\"aa\":{\"overrideBlink\":\"blend\",\"morphTargetBinds\":[{"
    "\"node\":4,\"index\":0,"
    "\"weight\":1}]}},\"custom\":{\"grin\":{\"isBinary\":true,\"materialColorBinds\":[],"
    "\"morphTargetBinds\":["
    "{\"node\":4,\"index\":0,\"weight\":0.5}]}}}},\"VRMC_springBone\":{\n"
    "\"colliders\":[{\"node\":1,\"shape\":{\"sphere\":{\"offset\":[0,0.1,0.2],\"radius\":0.3}}},"
    "{\"node\":3,\"shape\":{\"capsule\":{\"radius\":0.1,\"tail\":[0.5,0,0]}}},"
    "{\"node\":2,\"shape\":{},\"extensions\":{\"VRMC_springBone_extended_collider\":{\"shape\":{"
    "\"plane\":{\"normal\":[0,0,1]}}}}}],\n"
    "\"colliderGroups\":[{\"colliders\":[0,2]},{\"colliders\":[1,7]}],\n"
    "\"springs\":[{\"center\":1,\"colliderGroups\":[1,0],\"joints\":[{\"node\":9,\"stiffness\":2,"
    "\"gravityPower\":0.4,\"hitRadius\":0.02},{\"node\":10}]}]}";

static const char older_text[] =
    "\"VRM\":{\"meta\":{\"title\":\"Figure\",\"author\":\"me\",\"licenseName\":\"CC0\"},\n"
    "\"humanoid\":{\"humanBones\":[{\"bone\":\"hips\",\"node\":1},{\"bone\":\"spine\",\"node\":2},"
    "{\"bone\":\"leftUpperArm\",\"node\":3},{\"bone\":\"leftHand\",\"node\":4},"
    "{\"bone\":\"leftUpperLeg\",\"node\":5},{\"bone\":\"leftLowerLeg\",\"node\":6},"
    "{\"bone\":\"leftFoot\",\"node\":7}]},\n"
    "\"firstPerson\":{\"meshAnnotations\":[{\"mesh\":1,\"firstPersonFlag\":\"FirstPersonOnly\"}]},"
    "\"blendShapeMaster\":{\"blendShapeGroups\":[{\"name\":\"A\",\"presetName\":\"a\",\"binds\":["
    "{\"mesh\":0,\"index\":0,\"weight\":100}]},{\"name\":\"grin\",\"presetName\":\"unknown\","
    "\"binds\":[{\"mesh\":0,\"index\":0,\"weight\":50}]}]},\n"
    "\"secondaryAnimation\":{\"boneGroups\":[{\"bones\":[9],\"stiffiness\":2,"
    "\"gravityPower\":0.4,\"gravityDir\":{\"y\":-1},\"hitRadius\":0.02,\"center\":-1,"
    "\"colliderGroups\":[0]},{}],"
    "\"colliderGroups\":[{\"node\":1,\"colliders\":[{\"offset\":{\"x\":0,\"y\":0.1,\"z\":-0.2},"
    "\"radius\":0.3}]}]},"
    "\"materialProperties\":[{\"shader\":\"VRM/MToon\",\"vectorProperties\":{\"_ShadeColor\":"
    "[0.5372549,0,1,1],\"_OutlineColor\":[1,0,0,1]},\"floatProperties\":{\"_OutlineWidthMode\":1,"
    "\"_OutlineWidth\":0.24}}]}";

static const char *replaced(const char *text, const char *from, const char *to, Arena *arena)
{
    const char *found = from ? strstr(text, from) : NULL;
    return found ? arena_printf(arena, "%.*s%s%s", (int)(found - text), text, to,
                                found + strlen(from))
                 : text;
}

static Bytes pack_avatar(const char *json, Arena *arena)
{
    static const float values[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    ByteList *list = arena_array(arena, ByteList, 1);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        bytes_f32(list, values[i]);
    bytes_zeros(list, 24);
    return gltf_fixture_pack(json, (Bytes){list->data, list->size}, arena);
}

static const char *avatar_json(bool older, Arena *arena)
{
    return arena_printf(arena, avatar, older ? "" : mtoon, older ? older_text : newer);
}

Bytes vrm_fixture(bool older, const char *from, const char *to, Arena *arena)
{
    return pack_avatar(replaced(avatar_json(older, arena), from, to, arena), arena);
}

Bytes vrm_fixture_placed(bool older, const VrmFixturePlace *place, Arena *arena)
{
    static const struct {
        const char *name;
        int node;
    } more[] = {{"head", 11},     {"rightUpperArm", 12}, {"rightUpperLeg", 13},
                {"leftToes", 14}, {"rightFoot", 15},     {"rightToes", 16}};
    const double *q = place->turn, *t = place->move;
    const double side = place->exchanged ? -1 : 1; /* of the version's front, where toes are */
    const char *json = avatar_json(older, arena), *bones = "";
    for (size_t i = 0; i < (place->exchanged ? 6 : 3); i++)
        bones = arena_printf(arena,
                             older ? "%s,{\"bone\":\"%s\",\"node\":%d}" : "%s,\"%s\":{\"node\":%d}",
                             bones, more[i].name, more[i].node);
    const char *hips = older ? "{\"bone\":\"hips\",\"node\":1}" : "\"hips\":{\"node\":1}";
    json = replaced(json, hips, arena_printf(arena, "%s%s", hips, bones), arena);
    /* The figure of the nodes faces +z; half a turn about y first for that of 0.x. */
    const double whole[] = {older ? -q[2] : q[0], older ? q[3] : q[1], older ? q[0] : q[2],
                            older ? -q[1] : q[3]};
    json = replaced(json, "{\"name\":\"armature\",\"children\":[1]}",
                    arena_printf(arena,
                                 "{\"name\":\"armature\",\"children\":[1],\"rotation\":[%.17g,"
                                 "%.17g,%.17g,%.17g],\"translation\":[%g,%g,%g]}",
                                 whole[0], whole[1], whole[2], whole[3], t[0], t[1], t[2]),
                    arena);
    json = replaced(json, "\"children\":[2,5]", "\"children\":[2,5,13]", arena);
    json = replaced(json, "\"children\":[3]", "\"children\":[3,11,12]", arena);
    json = replaced(json, "{\"name\":\"f\",\"translation\":[0,-0.4,0]}",
                    "{\"name\":\"f\",\"translation\":[0,-0.4,0],\"children\":[14]}", arena);
    json =
        replaced(json, "0.5}}}}}],",
                 arena_printf(arena,
                              "0.5}}}}},{\"name\":\"head\",\"translation\":[0,0.5,0]},"
                              "{\"name\":\"ra\",\"translation\":[-0.2,0.2,0]},"
                              "{\"name\":\"rl\",\"translation\":[-0.1,-0.1,0],\"children\":[15]},"
                              "{\"name\":\"lt\",\"translation\":[0,-0.1,%g]},"
                              "{\"name\":\"rf\",\"translation\":[0,-0.8,0],\"children\":[16]},"
                              "{\"name\":\"rt\",\"translation\":[0,-0.1,%g]}],",
                              0.1 * side, 0.1 * side),
                 arena);
    return pack_avatar(json, arena);
}
