// SPDX-License-Identifier: MIT
#include "pmm_fixture.h"

#include <string.h>

/* CP932 */
#define ONE "\x88\xEA"
#define CENTER "\x83\x5A\x83\x93\x83\x5E\x81\x5B"
#define LEG_IK "\x8D\xB6\x91\xAB\x82\x68\x82\x6A"
#define SMILE "\x8F\xCE\x82\xA2"
#define ALL_PARENT "\x91\x53\x82\xC4\x82\xCC\x90\x65"

static void put_text(ByteList *list, const char *text)
{
    bytes_u8(list, (unsigned)strlen(text));
    bytes_text(list, text, strlen(text));
}

/* number: 0 for a first key, which has none */
static void put_base(ByteList *list, uint32_t number, uint32_t frame, uint32_t next)
{
    if (number)
        bytes_u32(list, number);
    bytes_u32(list, frame);
    bytes_u32(list, 0);
    bytes_u32(list, next);
}

static void put_bone_key(ByteList *list, uint32_t number, uint32_t frame, uint32_t next, float x)
{
    put_base(list, number, frame, next);
    for (unsigned i = 0; i < 4; i++) { /* x y z rotation: x1 y1 x2 y2 */
        bytes_u8(list, 10 + i);
        bytes_u8(list, 20 + i);
        bytes_u8(list, 100 + i);
        bytes_u8(list, 110 + i);
    }
    bytes_f32_3(list, x, 2, 3);
    bytes_f32_3(list, 0, 0, 0);
    bytes_f32(list, 1);
    bytes_u8(list, 0);
    bytes_u8(list, frame == 10); /* physics off */
}

static void put_morph_key(ByteList *list, uint32_t number, uint32_t frame, uint32_t next,
                          float weight)
{
    put_base(list, number, frame, next);
    bytes_f32(list, weight);
    bytes_u8(list, 0);
}

static void put_parent(ByteList *list, int32_t model, int32_t bone)
{
    bytes_u32(list, (uint32_t)model);
    bytes_u32(list, (uint32_t)bone);
}

static void put_model_head(ByteList *list, unsigned number, const char *name, const char *path)
{
    bytes_u8(list, number);
    put_text(list, name);
    put_text(list, "english");
    bytes_text(list, path, 256);
    bytes_u8(list, 3);
}

static void put_editor_state(ByteList *list, unsigned draw_order)
{
    bytes_u8(list, draw_order);
    bytes_u8(list, 1);
    bytes_zeros(list, 5 * 4);
    bytes_u8(list, 2);
    bytes_zeros(list, 2);
    bytes_zeros(list, 2 * 4);
}

static void put_model_end(ByteList *list, uint32_t bones, uint32_t morphs, uint32_t iks)
{
    bytes_zeros(list, bones * 31 + morphs * 4 + iks + 16);
    bytes_u8(list, 0);
    bytes_f32(list, 1.5f);
    bytes_zeros(list, 2);
}

static void put_dancer(ByteList *list)
{
    put_model_head(list, 0, ONE, "C:\\MMD\\Model\\" ONE "\\a.pmx");
    bytes_u32(list, 2);
    put_text(list, CENTER);
    put_text(list, LEG_IK);
    bytes_u32(list, 1);
    put_text(list, SMILE);
    bytes_u32(list, 1);
    bytes_u32(list, 1);
    bytes_u32(list, 1);
    bytes_u32(list, 0);
    put_editor_state(list, 2);
    put_bone_key(list, 0, 0, 4, 1);
    put_bone_key(list, 0, 0, 2, 5);
    bytes_u32(list, 3);
    put_bone_key(list, 2, 5, 0, 6);
    put_bone_key(list, 3, 20, 0, 4);
    put_bone_key(list, 4, 10, 3, 2);
    put_morph_key(list, 0, 0, 1, 0.25f);
    bytes_u32(list, 1);
    put_morph_key(list, 1, 30, 0, 0.75f);
    put_base(list, 0, 0, 1);
    bytes_u8(list, 1);
    bytes_u8(list, 1);
    put_parent(list, -1, -1);
    bytes_u8(list, 0);
    bytes_u32(list, 1);
    put_base(list, 1, 15, 0);
    bytes_u8(list, 0);
    bytes_u8(list, 0);
    put_parent(list, -1, -1);
    bytes_u8(list, 0);
    put_model_end(list, 2, 1, 1);
}

static void put_carried(ByteList *list)
{
    put_model_head(list, 1, "B", "..\\Model\\B.PMX");
    bytes_u32(list, 1);
    put_text(list, ALL_PARENT);
    bytes_u32(list, 0);
    bytes_u32(list, 0);
    bytes_u32(list, 1);
    bytes_u32(list, 0);
    put_editor_state(list, 1);
    put_bone_key(list, 0, 0, 0, 0);
    bytes_u32(list, 0);
    bytes_u32(list, 0);
    put_base(list, 0, 0, 0);
    bytes_u8(list, 1);
    put_parent(list, 0, 0);
    bytes_u8(list, 0);
    bytes_u32(list, 0);
    put_model_end(list, 1, 0, 0);
}

static void put_camera_key(ByteList *list, uint32_t number, uint32_t frame, uint32_t fov)
{
    put_base(list, number, frame, 0);
    bytes_f32(list, -45);
    bytes_f32_3(list, 0, 10, 0);
    bytes_f32_3(list, 0.5f, 0, 0);
    put_parent(list, -1, -1);
    for (unsigned i = 0; i < 24; i++)
        bytes_u8(list, i);
    bytes_u8(list, 0);
    bytes_u32(list, fov);
    bytes_u8(list, 0);
}

static void put_camera_and_light(ByteList *list)
{
    put_camera_key(list, 0, 0, 30);
    bytes_u32(list, 1);
    put_camera_key(list, 1, 40, 45);
    bytes_zeros(list, 9 * 4 + 1);
    put_base(list, 0, 0, 0);
    bytes_f32_3(list, 0.6f, 0.5f, 0.4f);
    bytes_f32_3(list, -0.5f, -1, 0.5f);
    bytes_u8(list, 0);
    bytes_u32(list, 1);
    put_base(list, 1, 33, 0);
    bytes_f32_3(list, 0.1f, 0.2f, 0.3f);
    bytes_f32_3(list, 0, -1, 0);
    bytes_u8(list, 0);
    bytes_zeros(list, 6 * 4);
}

static void put_accessory_key(ByteList *list, uint32_t number, uint32_t frame)
{
    put_base(list, number, frame, 0);
    bytes_u8(list, (100 - 60) << 1 | 1);
    put_parent(list, 0, 1);
    bytes_f32_3(list, 1, 2, 3);
    bytes_f32_3(list, 0, 1.5707964f, 0);
    bytes_f32(list, 2);
    bytes_zeros(list, 2);
}

static void put_accessories(ByteList *list)
{
    bytes_zeros(list, 5);
    bytes_u8(list, 1);
    bytes_text(list, "hat", 100);
    bytes_u8(list, 0);
    bytes_text(list, "hat", 100);
    bytes_text(list, "UserFile\\Accessory\\hat.x", 256);
    bytes_u8(list, 0);
    put_accessory_key(list, 0, 0);
    bytes_u32(list, 1);
    put_accessory_key(list, 1, 9);
    bytes_zeros(list, 39);
}

static void put_media(ByteList *list)
{
    bytes_zeros(list, 4 * 4 + 2);
    bytes_u8(list, 1);
    bytes_u8(list, 1);
    bytes_u32(list, 5);
    bytes_u32(list, 25);
    bytes_u8(list, 1);
    bytes_text(list, "wav\\song.wav", 256);
    bytes_zeros(list, 12);
    bytes_text(list, "AVI\\off.avi", 256);
    bytes_u32(list, 0);
    bytes_zeros(list, 12);
    bytes_text(list, "bg.png", 256);
    bytes_u8(list, 1);
}

static void put_settings(ByteList *list)
{
    bytes_zeros(list, 2);
    bytes_u8(list, 0); /* ground shadow */
    bytes_f32(list, 60);
    bytes_zeros(list, 13);
    bytes_u8(list, 1); /* physics */
    bytes_zeros(list, 21);
    put_base(list, 0, 0, 0);
    bytes_u8(list, 1); /* noise */
    bytes_u32(list, 10);
    bytes_f32(list, 9.8f);
    bytes_f32_3(list, 0, -0.5f, 0);
    bytes_u8(list, 0);
    bytes_u32(list, 0);
    bytes_u8(list, 1); /* self-shadow */
    bytes_f32(list, 0);
    put_base(list, 0, 0, 0);
    bytes_u8(list, 2);
    bytes_f32(list, 0.01f);
    bytes_u8(list, 0);
    bytes_u32(list, 0);
    bytes_u32(list, 255); /* edge color */
    bytes_u32(list, 0);
    bytes_u32(list, 128);
    bytes_u8(list, 1); /* black background */
    bytes_zeros(list, 8 + 64 + 3 + 4 + 1);
}

void pmm_put_all(ByteList *list)
{
    list->size = 0;
    bytes_text(list, "Polygon Movie maker 0002", 30);
    bytes_u32(list, 1280);
    bytes_u32(list, 721);
    bytes_u32(list, 100);
    bytes_f32(list, 30);
    bytes_zeros(list, 7);
    bytes_u8(list, 0);
    bytes_u8(list, 2);
    put_dancer(list);
    put_carried(list);
    put_camera_and_light(list);
    put_accessories(list);
    put_media(list);
    put_settings(list);
}

/* ---- version 1 ---- */

static void put_bone_key_1(ByteList *list, uint32_t number, uint32_t frame, uint32_t next, float x)
{
    put_base(list, number, frame, next);
    for (unsigned i = 0; i < 16; i++)
        bytes_u8(list, 20);
    bytes_f32_3(list, x, 2, 3);
    bytes_f32_3(list, 0, 0, 0);
    bytes_f32(list, 1);
    bytes_u8(list, 0);
}

static void put_model_1(ByteList *list)
{
    bytes_u8(list, 0);
    bytes_text(list, ONE, 20);
    bytes_text(list, "UserFile\\Model\\a.pmd", 256);
    bytes_u8(list, 0);
    bytes_u8(list, 1);
    bytes_zeros(list, 5 * 4);
    bytes_u8(list, 3);
    bytes_zeros(list, 3 + 2 * 4);
    put_bone_key_1(list, 0, 0, 0, 1);
    put_bone_key_1(list, 0, 0, 2, 5);
    bytes_u32(list, 1);
    put_bone_key_1(list, 2, 12, 0, 7);
    put_morph_key(list, 0, 0, 0, 0);
    put_morph_key(list, 0, 0, 0, 0.5f);
    bytes_u32(list, 0);
    put_base(list, 0, 0, 0);
    bytes_u8(list, 1);
    bytes_u8(list, 0);
    bytes_u8(list, 0);
    bytes_u32(list, 0);
    bytes_zeros(list, 2 * 34 + 2 * 4 + 1);
}

static void put_camera_key_1(ByteList *list, uint32_t number, uint32_t frame, uint32_t fov)
{
    put_base(list, number, frame, 0);
    bytes_f32(list, -45);
    bytes_f32_3(list, 0, 10, 0);
    bytes_f32_3(list, 0.5f, 0, 0);
    bytes_zeros(list, 24 + 1);
    bytes_u32(list, fov);
    bytes_u8(list, 0);
}

void pmm_put_version_1(ByteList *list)
{
    list->size = 0;
    bytes_text(list, "Polygon Movie maker 0001", 30);
    bytes_u32(list, 640);
    bytes_u32(list, 480);
    bytes_u32(list, 250);
    bytes_f32(list, 30);
    bytes_zeros(list, 6 + 1);
    bytes_u8(list, 1);
    bytes_text(list, ONE, 20);
    put_model_1(list);
    put_camera_key_1(list, 0, 0, 30);
    bytes_u32(list, 1);
    put_camera_key_1(list, 1, 40, 45);
    bytes_zeros(list, 9 * 4 + 1);
    put_base(list, 0, 0, 0);
    bytes_f32_3(list, 0.6f, 0.6f, 0.6f);
    bytes_f32_3(list, -0.5f, -1, 0.5f);
    bytes_u8(list, 0);
    bytes_u32(list, 0);
    bytes_zeros(list, 6 * 4);
    put_accessories(list);
    list->size--; /* without the flag of additive blending */
    put_media(list);
    bytes_zeros(list, 3);
    bytes_f32(list, 30);
    bytes_zeros(list, 8);
    bytes_f32(list, 0.25f);
}
