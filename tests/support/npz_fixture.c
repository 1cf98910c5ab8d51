// SPDX-License-Identifier: MIT
#include "npz_fixture.h"

#include <math.h>
#include <string.h>

#include "byte_list.h"
#include "zip_fixture.h"

enum { MAX_ARRAYS = 8 };

static ZipEntry entry_of(const NpzFixtureArray *array, Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1);
    const unsigned version = array->version ? array->version : 1;
    const char *header = arena_printf(arena, "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n",
                                      array->type, array->order, array->shape);
    bytes_text(list, "\x93NUMPY", 6);
    bytes_u8(list, version);
    bytes_u8(list, 0);
    if (version == 1)
        bytes_u16(list, (unsigned)strlen(header));
    else
        bytes_u32(list, (uint32_t)strlen(header));
    bytes_text(list, header, strlen(header));
    for (size_t i = 0; i < array->size; i++)
        bytes_u8(list, ((const uint8_t *)array->data)[i]);
    return (ZipEntry){.name = arena_printf(arena, "%s.npy", array->name),
                      .data = list->data,
                      .size = list->size,
                      .deflated = array->is_deflated};
}

Bytes npz_fixture(const NpzFixtureArray *arrays, size_t count, Arena *arena)
{
    ZipEntry entries[MAX_ARRAYS];
    for (size_t i = 0; i < count; i++)
        entries[i] = entry_of(&arrays[i], arena);
    return zip_fixture(entries, count, arena);
}

Bytes npz_fixture_amass(const NpzFixtureArray *other, Arena *arena)
{
    static double poses[2][22][3];
    static const float trans[] = {1, 2, 3, 1, 2, 4};
    static const double rate = 60;
    poses[0][0][0] = poses[1][0][0] = M_PI / 2;
    poses[1][18][1] = -M_PI / 2;
    NpzFixtureArray arrays[MAX_ARRAYS] = {{.name = "poses",
                                           .type = "'<f8'",
                                           .order = "False",
                                           .shape = "(2, 66)",
                                           .data = poses,
                                           .size = sizeof poses,
                                           .is_deflated = true},
                                          {.name = "trans",
                                           .type = "'<f4'",
                                           .order = "False",
                                           .shape = "(2, 3)",
                                           .data = trans,
                                           .size = sizeof trans,
                                           .version = 2},
                                          {.name = "mocap_framerate",
                                           .type = "'<f8'",
                                           .order = "False",
                                           .shape = "()",
                                           .data = &rate,
                                           .size = sizeof rate},
                                          {.name = "gender",
                                           .type = "'<U1'",
                                           .order = "False",
                                           .shape = "()",
                                           .data = "f\0\0",
                                           .size = 4}};
    size_t count = 4, i = 0;
    while (other && i < count && strcmp(arrays[i].name, other->name) != 0)
        i++;
    if (other)
        arrays[i] = *other;
    return npz_fixture(arrays, i == count ? count + 1 : count, arena);
}

Bytes npz_fixture_video(Arena *arena)
{
    static const float down[] = {1, 0, 0, 0, -1, 0, 0, 0, -1};
    static float body[21][9], hand[15][3];
    for (int i = 0; i < 21; i++)
        body[i][0] = body[i][4] = body[i][8] = 1;
    hand[0][0] = (float)M_PI / 2;
    const NpzFixtureArray arrays[] = {{.name = "global_orient",
                                       .type = "'<f4'",
                                       .order = "False",
                                       .shape = "(1, 1, 3, 3)",
                                       .data = down,
                                       .size = sizeof down},
                                      {.name = "body_pose",
                                       .type = "'<f4'",
                                       .order = "False",
                                       .shape = "(1, 21, 3, 3)",
                                       .data = body,
                                       .size = sizeof body,
                                       .is_deflated = true},
                                      {.name = "left_hand_pose",
                                       .type = "'<f4'",
                                       .order = "False",
                                       .shape = "(1, 45)",
                                       .data = hand,
                                       .size = sizeof hand}};
    return npz_fixture(arrays, 3, arena);
}
