// SPDX-License-Identifier: MIT
#include "pmd_fixture.h"

/* Names in CP932. */
#define SJIS_CENTER "\x83\x5a\x83\x93\x83\x5e\x81\x5b" /* センター */
#define SJIS_KNEE "\x8d\xb6\x82\xd0\x82\xb4"           /* 左ひざ */
#define SJIS_BASE "base"
#define SJIS_A "\x82\xa0" /* あ */

static void write_vertex(ByteList *b, float x, unsigned bone0, unsigned bone1, unsigned percent,
                         unsigned no_edge)
{
    bytes_f32_3(b, x, 1, 2);
    bytes_f32_3(b, 0, 0, -1);
    bytes_f32(b, 0.25f);
    bytes_f32(b, 0.75f);
    bytes_u16(b, bone0);
    bytes_u16(b, bone1);
    bytes_u8(b, percent);
    bytes_u8(b, no_edge);
}

static void write_material(ByteList *b, float alpha, unsigned toon, unsigned edge,
                           const char *textures)
{
    bytes_f32_3(b, 0.1f, 0.2f, 0.3f);
    bytes_f32(b, alpha);
    bytes_f32(b, 5);
    bytes_f32_3(b, 0.4f, 0.5f, 0.6f);
    bytes_f32_3(b, 0.7f, 0.8f, 0.9f);
    bytes_u8(b, toon);
    bytes_u8(b, edge);
    bytes_u32(b, 3);
    bytes_text(b, textures, 20);
}

void pmd_put_geometry(ByteList *b)
{
    bytes_text(b, "Pmd", 3);
    bytes_f32(b, 1);
    bytes_text(b, SJIS_A, 20);
    bytes_text(b, "comment", 256);
    bytes_u32(b, 3);
    write_vertex(b, 0, PMD_KNEE, PMD_CENTER, 100, 0);
    write_vertex(b, 1, PMD_KNEE, PMD_FOOT, 0, 1);
    write_vertex(b, 2, PMD_KNEE, PMD_FOOT, 40, 0);
    bytes_u32(b, 9);
    for (int i = 0; i < 3; i++) {
        bytes_u16(b, 0);
        bytes_u16(b, 1);
        bytes_u16(b, 2);
    }
    bytes_u32(b, 3);
    write_material(b, 1, 0, 1, "a.bmp*s.SPA");
    write_material(b, 0.98f, 1, 0, "s.sph");
    write_material(b, 0.5f, 255, 0, "a.bmp");
}

void pmd_put_bone(ByteList *b, const char *name, unsigned parent, unsigned tail, unsigned type,
                  unsigned extra, float y)
{
    bytes_text(b, name, 20);
    bytes_u16(b, parent);
    bytes_u16(b, tail);
    bytes_u8(b, type);
    bytes_u16(b, extra);
    bytes_f32_3(b, 0, y, 0);
}

void pmd_put_bones(ByteList *b)
{
    bytes_u16(b, PMD_BONES);
    pmd_put_bone(b, SJIS_CENTER, 0xFFFF, PMD_KNEE, 1, 0, 10);
    pmd_put_bone(b, SJIS_KNEE, PMD_CENTER, PMD_FOOT, 4, PMD_GOAL, 5);
    pmd_put_bone(b, "foot", PMD_KNEE, 0, 6, 0, 1);
    pmd_put_bone(b, "goal", 0xFFFF, 0xFFFF, 2, 0, 1);
    pmd_put_bone(b, "follower", PMD_CENTER, 0, 5, PMD_SOURCE, 8);
    pmd_put_bone(b, "source", PMD_CENTER, 0, 0, 0, 9);
    pmd_put_bone(b, "partly", PMD_CENTER, PMD_SOURCE, 9, 65436, 8);
    pmd_put_bone(b, "twist", PMD_CENTER, PMD_TIP, 8, 0, 7);
    pmd_put_bone(b, "tip", PMD_TWIST, 0, 7, 0, 4);
    pmd_put_bone(b, "child", PMD_FOLLOWER, 0, 0, 0, 3);
}

void pmd_put_ik(ByteList *b, unsigned bone, unsigned effector, float weight, unsigned link)
{
    bytes_u16(b, bone);
    bytes_u16(b, effector);
    bytes_u8(b, 2);
    bytes_u16(b, 40);
    bytes_f32(b, weight);
    bytes_u16(b, link);
    bytes_u16(b, PMD_CENTER);
}

static void write_morph(ByteList *b, const char *name, unsigned panel, const uint32_t *indices,
                        uint32_t count)
{
    bytes_text(b, name, 20);
    bytes_u32(b, count);
    bytes_u8(b, panel);
    for (uint32_t i = 0; i < count; i++) {
        bytes_u32(b, indices[i]);
        bytes_f32_3(b, 0, (float)i, 1);
    }
}

/* IK, morphs and display frames: the parts that every file has. */
void pmd_put_old_parts(ByteList *b)
{
    static const uint32_t base[] = {2, 0}, moved[] = {1, 0, 2};
    bytes_u16(b, 2);
    pmd_put_ik(b, PMD_GOAL, PMD_FOOT, 0.5f, PMD_KNEE);
    pmd_put_ik(b, PMD_GOAL, PMD_TIP, 0.03f, PMD_TWIST);
    bytes_u16(b, 2);
    write_morph(b, SJIS_BASE, 0, base, 2);
    write_morph(b, SJIS_A, 3, moved, 3);
    bytes_u8(b, 1);
    bytes_u16(b, 1);
    bytes_u8(b, 1);
    bytes_text(b, "legs\n", 50);
    bytes_u32(b, 2);
    bytes_u16(b, PMD_KNEE);
    bytes_u8(b, 1);
    bytes_u16(b, PMD_FOOT);
    bytes_u8(b, 9); /* invalid group */
}

void pmd_put_english(ByteList *b)
{
    bytes_u8(b, 1);
    bytes_text(b, "english", 20);
    bytes_text(b, "english comment", 256);
    for (int i = 0; i < PMD_BONES; i++)
        bytes_text(b, i == PMD_KNEE ? "left knee" : "", 20);
    bytes_text(b, "aaa", 20);
    bytes_text(b, "Legs\n", 50);
}

void pmd_put_toons(ByteList *b)
{
    for (int i = 0; i < 10; i++)
        bytes_text(b, i == 0 ? "own.bmp" : i == 1 ? "TOON07.bmp" : "toon01.bmp", 100);
}

void pmd_put_physics(ByteList *b)
{
    bytes_u32(b, 3);
    for (unsigned i = 0; i < 3; i++) {
        bytes_text(b, "body", 20);
        bytes_u16(b, i == 1 ? PMD_FOOT : 0xFFFF);
        bytes_u8(b, 3);
        bytes_u16(b, 0xFFF7);
        bytes_u8(b, 2);
        bytes_f32_3(b, 1, 2, 0);
        bytes_f32_3(b, 0.5f, 0.25f, 0);
        bytes_f32_3(b, 0.1f, 0.2f, 0.3f);
        for (int k = 1; k <= 5; k++)
            bytes_f32(b, (float)k);
        bytes_u8(b, i);
    }
    bytes_u32(b, 1);
    bytes_text(b, "joint", 20);
    bytes_u32(b, 0);
    bytes_u32(b, 1);
    for (int k = 0; k < 8; k++)
        bytes_f32_3(b, (float)k, 0, 0);
}

void pmd_put_all(ByteList *b)
{
    b->size = 0;
    pmd_put_geometry(b);
    pmd_put_bones(b);
    pmd_put_old_parts(b);
    pmd_put_english(b);
    pmd_put_toons(b);
    pmd_put_physics(b);
}
