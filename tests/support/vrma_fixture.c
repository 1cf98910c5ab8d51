// SPDX-License-Identifier: MIT
#include "vrma_fixture.h"

#include <string.h>

#include "byte_list.h"

static const char json[] =
    "{\"asset\":{\"version\":\"2.0\"},\n"
    "\"nodes\":[{\"name\":\"leg\",\"translation\":[0.5,-1,0]},\n"
    "{\"name\":\"hips\",\"translation\":[0,1,0],\"children\":[0]},\n"
    "{\"name\":\"root\",\"scale\":[2,2,2],\"rotation\":[0,0.70710678,0,0.70710678],"
    "\"children\":[1]},{\"name\":\"other\"}],\n"
    "\"buffers\":[{\"byteLength\":88}],\n"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12},\n"
    "{\"buffer\":0,\"byteOffset\":12,\"byteLength\":36,\"byteStride\":12},\n"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":40}],\n"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},\n"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},\n"
    "{\"bufferView\":2,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},\n"
    "{\"bufferView\":2,\"byteOffset\":8,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],\n"
    "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1},\n"
    "{\"input\":2,\"output\":3,\"interpolation\":\"LINEAR\"}],\n"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},\n"
    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"rotation\"}},\n"
    "{\"sampler\":9,\"target\":{\"node\":3,\"path\":\"rotation\"}}]}],\n"
    "\"extensions\":{\"VRMC_vrm_animation\":{\"specVersion\":\"1.0\",\"humanoid\":{"
    "\"humanBones\":{\"hips\":{\"node\":1},\"leftUpperLeg\":{\"node\":0}}}}}}";

static void put_data(ByteList *list)
{
    static const float values[] = {0, 1, 2, 0, 1, 0, 4, 1, 0, 4, 3, 0, 0, 2, 0, 0, 0, 1};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        bytes_f32(list, values[i]);
    bytes_f32(list, 0.70710678f);
    bytes_f32_3(list, 0, 0, 0.70710678f);
}

Bytes vrma_fixture(const char *from, const char *to, Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1);
    const char *text = json, *found = from ? strstr(json, from) : NULL;
    if (found)
        text = arena_printf(arena, "%.*s%s%s", (int)(found - json), json, to, found + strlen(from));
    const uint32_t size = (uint32_t)strlen(text);
    bytes_u32(list, 0x46546C67);
    bytes_u32(list, 2);
    bytes_u32(list, 12 + 8 + size + 8 + 88);
    bytes_u32(list, size);
    bytes_u32(list, 0x4E4F534A);
    bytes_text(list, text, size);
    bytes_u32(list, 88);
    bytes_u32(list, 0x004E4942);
    put_data(list);
    return (Bytes){list->data, list->size};
}
