// SPDX-License-Identifier: MIT
#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webp/encode.h>

#include "archive_fixture.h"
#include "base/file.h"
#include "base/text_stream.h"
#include "fbx_fixture.h"
#include "font_fixture.h"
#include "format/model/pmx.h"
#include "format/motion/vmd.h"
#include "gltf_fixture.h"
#include "media/exr/cryptomatte.h"
#include "media/exr/exr_file.h"
#include "media/sound.h"
#include "midi_fixture.h"
#include "model_fixture.h"
#include "motion_fixture.h"
#include "npz_fixture.h"
#include "output/sink.h"
#include "pmd_fixture.h"
#include "pmm_fixture.h"
#include "run/pipeline/bake.h"
#include "tiny_picture.h"
#include "vrma_fixture.h"
#include "wav_fixture.h"
#include "xfile_fixture.h"
#include "zip_fixture.h"

void corpus_add(Corpus *corpus, Bytes bytes, Arena *arena)
{
    *arena_push(arena, corpus) = (Bytes){arena_copy(arena, bytes.data, bytes.size), bytes.size};
}

static void add_text(Corpus *corpus, const char *text, Arena *arena)
{
    corpus_add(corpus, (Bytes){(const uint8_t *)text, strlen(text)}, arena);
}

static void make_pmx(Corpus *corpus, Arena *arena)
{
    const PmxModel full = fixture_full(arena), leg = fixture_leg(arena);
    corpus_add(corpus, pmx_write(&full, (PmxWriteOptions){0}, arena), arena);
    corpus_add(corpus, pmx_write(&leg, (PmxWriteOptions){.utf8 = true, .index_size = 4}, arena),
               arena);
}

static void make_pmd(Corpus *corpus, Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1);
    pmd_put_all(list);
    corpus_add(corpus, (Bytes){list->data, list->size}, arena);
}

static void make_vmd(Corpus *corpus, Arena *arena)
{
    const VmdMotion motion = fixture_full_motion(arena);
    corpus_add(corpus, vmd_write(&motion, arena), arena);
}

static void make_vpd(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "Vocaloid Pose Data file\r\n\r\nmiku.osm;\t\t// parent\r\n2;\r\n\r\n"
             "Bone0{\x89\x45\x90\x65\x8e\x77\x82\x50\r\n  1.0,-2.5,0.125;\t// trans\r\n"
             "  0.0,0.6,0.0,0.8;\r\n}\r\nBone1{head\r\n 0,0,0;\r\n 0,0,0,1;\r\n}\r\n"
             "Morph0{smile\r\n  0.5;\r\n}\r\n",
             arena);
}

static void make_cube(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "# a comment\r\nTITLE \"warm\"\r\nLUT_3D_SIZE 2\r\nDOMAIN_MIN 0 0 0\r\n"
             "DOMAIN_MAX 1 1.5 1\r\n\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n1 1 0\r\n"
             "0 0 1\r\n1 0 1\r\n0 1 1\r\n1.0 9e-1 1\r\n",
             arena);
    add_text(corpus, "LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE -0.5 2\n0 0 0\n.5 .25 .1 # x\n1 1 1",
             arena);
}

/* A font attached to a script: three bytes as four characters from 33 on, 80 a line. */
static void write_attached_font(FILE *out, Bytes font)
{
    for (size_t i = 0; i < font.size; i += 3) {
        const size_t left = font.size - i;
        const uint32_t bits = (uint32_t)font.data[i] << 16 |
                              (left > 1 ? (uint32_t)font.data[i + 1] << 8 : 0) |
                              (left > 2 ? font.data[i + 2] : 0);
        for (size_t k = 0; k < (left < 3 ? left + 1 : 4); k++)
            fputc(33 + (int)(bits >> (18 - 6 * k) & 63), out);
        if (i % 60 == 57)
            fputc('\n', out);
    }
}

static void make_subtitle(Corpus *corpus, Arena *arena)
{
    TextStream stream;
    FILE *out = text_stream_open(&stream, arena);
    fputs("[Script Info]\nScriptType: v4.00+\nPlayResX: 64\nPlayResY: 36\n[V4+ Styles]\n"
          "Format: Name, Fontname, Fontsize, PrimaryColour, Outline, Shadow, Alignment\n"
          "Style: A,Fixture,12,&H0000FFFF,1,1,2\n[Events]\n"
          "Format: Layer, Start, End, Style, Effect, Text\n"
          "Dialogue: 0,0:00:00.00,0:00:02.00,A,,A{\\b1\\i1\\frz20\\fscx150}A\\N\xE8\xB8\x8A\n"
          "Dialogue: 1,0:00:00.00,0:00:01.00,A,,{\\k20}A{\\kf20}A{\\t(0,500,\\blur2\\1c&HFF&)}A\n"
          "Dialogue: 1,0:00:00.00,0:00:01.00,A,Scroll up;0;30;5,A\n"
          "Dialogue: 2,0:00:00.50,0:00:03.00,A,,{\\pos(9,9)\\clip(m 0 0 l 9 0 9 9)\\p1}m 0 0 b 9 0 "
          "9 9 "
          "0 9{\\p0}A\n[Fonts]\nfontname: a.ttf\n",
          out);
    write_attached_font(out, fixture_font(arena));
    fputc('\n', out);
    add_text(corpus, text_stream_close(&stream), arena);
    add_text(corpus,
             "1\r\n00:00:00,000 --> 00:00:01,500\r\n{\\an8}<i>a</i> <b>{b}\r\nc\r\n\r\n2\r\n"
             "00:00:01,000 --> 00:00:02,000\r\n\x97\x78\r\n",
             arena);
}

static void make_png(Corpus *corpus, Arena *arena)
{
    static const TinyPng rows[] = {
        {.type = PNG_COLOR_TYPE_RGBA,
         .bits = 8,
         .width = 3,
         .raw = {1, 2, 3, 4},
         .interlaced = true},
        {.type = PNG_COLOR_TYPE_RGB, .bits = 16, .width = 2, .raw = {1, 2, 3, 4}},
        {.type = PNG_COLOR_TYPE_PALETTE,
         .bits = 2,
         .width = 3,
         .raw = {0x18},
         .palette = {{1, 2, 3}},
         .palette_count = 3,
         .palette_alpha = {0, 128},
         .alpha_count = 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PictureFile file;
        tiny_png(&file, &rows[i], 3);
        corpus_add(corpus, tiny_bytes(&file), arena);
    }
}

static void make_bmp(Corpus *corpus, Arena *arena)
{
    PictureFile file;
    tiny_bmp_header(&file, 2, 2, 32, 0, 0);
    tiny_write(&file, "abcdefghijklmnop", 16);
    corpus_add(corpus, tiny_bytes(&file), arena);
    tiny_bmp_header(&file, 3, 2, 8, 1, 2);
    tiny_write(&file, "\1\2\3\0\4\5\6\0\2\1\1\0\0\0\3\1\0\1", 18);
    corpus_add(corpus, tiny_bytes(&file), arena);
}

static void make_tga(Corpus *corpus, Arena *arena)
{
    PictureFile file;
    tiny_tga_header(&file, 10, 3, 2, 24, 0x20);
    tiny_write(&file,
               "\x81"
               "abc\0def\x82ghi",
               12);
    corpus_add(corpus, tiny_bytes(&file), arena);
    tiny_tga_header(&file, 1, 2, 2, 8, 0);
    tiny_write(&file, "abcdef\0\1\1\0", 10);
    corpus_add(corpus, tiny_bytes(&file), arena);
}

static void make_dds(Corpus *corpus, Arena *arena)
{
    static const uint32_t none[4] = {0}, argb4[4] = {0xF00, 0xF0, 0xF, 0xF000};
    PictureFile file;
    tiny_dds_header(&file, 5, 4, 4, "DXT5", 0, none);
    tiny_write(&file, "abcdefghijklmnopABCDEFGHIJKLMNOP", 32);
    corpus_add(corpus, tiny_bytes(&file), arena);
    tiny_dds_header(&file, 2, 2, 0x41, "\0\0\0", 16, argb4);
    tiny_write(&file, "abcdefgh", 8);
    corpus_add(corpus, tiny_bytes(&file), arena);
    tiny_dds_header(&file, 1, 2, 4, "q\0\0\0", 0, none); /* 113: half floats */
    tiny_write(&file, "abcdefghABCDEFGH", 16);
    corpus_add(corpus, tiny_bytes(&file), arena);
}

static void make_texture(Corpus *corpus, Arena *arena)
{
    static const uint32_t none[4] = {0}, grey[4] = {0xFF};
    static const char runs[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 8\n\2\2\0\10\x88\x80"
                               "\7\0\20\40\60\100\120\140\x81\160\x88\0\x88\x81";
    static const char pixels[] = "#?RGBE\n\n+Y 1 -X 5\n\x80\x40\0\x81\1\1\1\3\x20\x20\x20\x80";
    PictureFile file;
    make_dds(corpus, arena);
    tiny_dds_header(&file, 2, 2, 0x20000, "\0\0\0", 8, grey);
    file.data[28] = 2;     /* levels */
    file.data[113] = 0xFE; /* all faces of a cube */
    tiny_write(&file, "abcdeabcdeabcdeabcdeabcdeabcde..", 32);
    corpus_add(corpus, tiny_bytes(&file), arena);
    tiny_dds_header(&file, 2, 2, 0x20000, "\0\0\0", 8, grey);
    file.data[24] = 2;     /* slices */
    file.data[114] = 0x20; /* of a volume */
    tiny_write(&file, "abcdefgh", 8);
    corpus_add(corpus, tiny_bytes(&file), arena);
    tiny_dds_header(&file, 1, 1, 4, "DX10", 0, none);
    for (int i = 0; i < 5; i++)
        tiny_put_le(&file, (const uint32_t[]){16, 3, 0, 1, 0}[i], 4); /* two floats */
    tiny_write(&file, "abcdefgh", 8);
    corpus_add(corpus, tiny_bytes(&file), arena);
    corpus_add(corpus, (Bytes){(const uint8_t *)runs, sizeof runs - 1}, arena);
    corpus_add(corpus, (Bytes){(const uint8_t *)pixels, sizeof pixels - 1}, arena);
}

static void make_picture(Corpus *corpus, Arena *arena)
{
    static const uint8_t gif[] =
        "GIF89a\2\0\1\0\x80\0\0\11\11\11\4\5\6\x21\xF9\4\1\0\0\0\0\x2C\0\0\0\0\2\0\1\0\0"
        "\2\2\x0C\x0A\0;";
    static const uint8_t values[] = {200, 100, 50, 255};
    PictureFile file;
    make_png(corpus, arena);
    make_bmp(corpus, arena);
    make_tga(corpus, arena);
    make_dds(corpus, arena);
    corpus_add(corpus, (Bytes){gif, sizeof gif - 1}, arena);
    uint8_t *webp = NULL;
    const size_t webp_size = WebPEncodeLosslessRGBA(values, 1, 1, 4, &webp);
    corpus_add(corpus, (Bytes){webp, webp_size}, arena);
    WebPFree(webp);
    tiny_jpeg(&file, values, 3, -1);
    corpus_add(corpus, tiny_bytes(&file), arena);
    tiny_jpeg(&file, values, 4, 0);
    corpus_add(corpus, tiny_bytes(&file), arena);
}

static void make_yaml(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "version: 1\nname: \"踊り\"\nmodels:\n  - id: a # first\n    file: a.pmx\n"
             "    motions: [ b.vmd, { file: c.vmd, offset: -1.5e1 } ]\n    position: [0, 0, 0]\n"
             "render: {size: [320, 240], fps: 30, frames: all}\ntext: |\n  one\n  two\n"
             "none: null\nlast: 'it''s'\n",
             arena);
}

/* Keys of every type once, after an argument of --set (see fuzz_job.c). */
static void make_job(Corpus *corpus, Arena *arena)
{
    static const char text[] =
        "models.0.motions.1.only=[bones]\0version: 1\nmodels:\n  - id: gene\n    file: a.pmx\n"
        "    motions: [ b.vmd, { file: c.vmd, offset: -1.5e1, only: [morphs] } ]\n"
        "    morphs: { \"笑い\": 0.4 }\n    hide_materials: [\"x\"]\n"
        "  - { file: g.pmx, attach: { model: gene, bone: \"頭\" } }\nstage: [ s.pmx ]\n"
        "cloth: [ { model: gene, material: m, pin: { bone: b }, capsules: [ [a, b, 0.9] ] } ]\n"
        "camera: { path: [{time_s: 0, eye: [0, 1, 2]}, {frame: 9, eye: [3, 4, 5], cut: true}] }\n"
        "background: { color: \"#ffffff\", image: null }\n"
        "physics: { bake: auto, step_hz: 60 }\ncompat: { ik: pmxe }\naudio: s.wav\n"
        "render: { size: [640, 360], fps: 29.97, frames: \"0-9,20\", workers: auto }\n"
        "outputs: [ \"%05d.png\", { file: o.mp4, crf: 18 } ]\n"
        "previews: [ { type: sheet, file: s.png, range_s: [1, 2] } ]\n"
        "burn_in: { text: \"{name}\" }\ncredits: [ a ]\n";
    static const char scenes[] =
        "scenes.1.models.0.scale=2\0version: 1\nmodels: [ { id: a, file: a.pmx }, b.pmx ]\n"
        "stage: [ s.pmx ]\nlook: { glow: {} }\nrender: { fps: 24 }\nscenes:\n  - {}\n"
        "  - { models: [ { id: a, motions: [m.vmd] }, { id: b } ], frames: 5s-0:10,\n"
        "      transition: { type: dip, length: m15, color: \"#102030\" }, look: null }\n"
        "  - { transition: wipe-up, camera: { fixed: {} }, sounds: [ { file: s.wav } ] }\n"
        "titles: [ { text: \"a\\nb\", frames: 1s-2s, fade: 10, place: top-left } ]\n"
        "pictures: [ { file: p.png, width: 0.5, opacity: 0.5 } ]\n"
        "fade: { in: 0.5s, out: 24 }\noutputs: [ o.mp4 ]\n";
    corpus_add(corpus, (Bytes){(const uint8_t *)text, sizeof text - 1}, arena);
    corpus_add(corpus, (Bytes){(const uint8_t *)scenes, sizeof scenes - 1}, arena);
}

static void make_batch(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "version: 1\nbase: a.yaml\nmatrix:\n"
             "  model: { miku: {models.0.file: m.pmx}, \"踊り\": {models.0: {file: r.pmx}} }\n"
             "  render.fps: [30, 60]\n"
             "exclude: [ { model: miku, render.fps: 60 } ]\n"
             "include: [ { name: t, set: { render.frames: \"0-59\", audio: ~ }, with: { model: "
             "miku } } ]\n"
             "out: \"out/{model}/{name}.mp4\"\n"
             "run: { jobs: 2, on_failure: stop, retries: 2, shards: 1, share_bakes: true }\n",
             arena);
}

static void make_xfile(Corpus *corpus, Arena *arena)
{
    const Bytes text = {(const uint8_t *)xfile_fixture_text, strlen(xfile_fixture_text)};
    ByteList *list = arena_array(arena, ByteList, 2);
    xfile_fixture_binary(&list[0], false);
    xfile_fixture_binary(&list[1], true);
    corpus_add(corpus, text, arena);
    corpus_add(corpus, (Bytes){list[0].data, list[0].size}, arena);
    corpus_add(corpus, (Bytes){list[1].data, list[1].size}, arena);
    corpus_add(corpus, xfile_pack(text, "tzip", 1000, arena), arena);
    corpus_add(corpus, xfile_pack((Bytes){list[0].data, list[0].size}, "bzip", 32768, arena),
               arena);
}

static void make_vac(Corpus *corpus, Arena *arena)
{
    add_text(corpus, "glasses\r\n\x83\x81.x\r\n1.5\r\n0.0,-1.0,0.5\r\n90,0,-1e1\r\n\x93\xaa\r\n",
             arena);
}

/* Each type of event once; divided by beats, and by SMPTE frames. */
static void make_midi(Corpus *corpus, Arena *arena)
{
    static const char lead[] = "\0\xFF\3\4Lead\0\xFF\x51\3\7\xA1\x20\0\xC0\5\0\x90\x45\x40"
                               "\x81\0\x45\0\0\xF0\2\1\xF7\0\xE0\0\x40\0\xFF\x2F\0";
    static const char drums[] = "\0\x99\x24\x40\x10\x26\x40\x10\x89\x24\0\0\x26\0\0\xFF\x2F\0";
    ByteList *list = arena_array(arena, ByteList, 1);
    midi_put_header(list, 1, 2, 96);
    midi_put_track(list, lead, sizeof lead - 1);
    midi_put_track(list, drums, sizeof drums - 1);
    corpus_add(corpus, (Bytes){list->data, list->size}, arena);
    list->size = 0;
    midi_put_header(list, 0, 1, 0xE728);
    midi_put_track(list, drums, sizeof drums - 1);
    corpus_add(corpus, (Bytes){list->data, list->size}, arena);
}

static void make_ledger(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "{\"run\":\"host 4242\"}\n"
             "{\"frame\":120,\"output\":0,\"bytes\":512,\"sha256\":"
             "\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\"}\n"
             "{\"frame\":121,\"output\":1,\"bytes\":0,\"sha256\":"
             "\"ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100\"}\n"
             "{\"run\":\"other 7\"}\n{\"frame\":122,\"out",
             arena);
}

static void make_json(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "{\"format\":\"odori-state\",\"version\":2,\n\"job\":{\n"
             "\"name\":\"\\u30AB\\n\\uD83D\\uDE00\"},\n"
             "\"inputs\":[\n{\"bytes\":-12},{},[],true,false,null,-0.5e+10,\"\xE8\xB8\x8A\"]}\n",
             arena);
}

static void make_runs(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "{\"format\":\"odori-runs\",\"version\":3,\"runs\":[\n{\"digest\":"
             "\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\",\"tags\":"
             "\"ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100\","
             "\"frames\":720,\"drawn\":31,\"drawn_ranges\":[[300,330]],\"changes\":[\n"
             "{\"key\":\"audio.gain_db\",\"file\":null,\"before\":\"0\",\"after\":\"-3\"}],"
             "\"more_changes\":1,\"changed_ranges\":[[300,310],[312,330]],\"reason\":null,"
             "\"compared\":[{\"frame\":300,\"pixels\":12},{\"frame\":330,\"pixels\":0}],"
             "\"picture_pixels\":2304,\"pictures\":[300],\"seconds\":2.5}]}\n",
             arena);
}

static void make_checkpoint(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "{\"format\":\"odori-state\",\"version\":2,\n\"digest\":"
             "\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\",\n\"job\":{"
             "\n\"outputs\":\"2\",\n\"frames\":\"0-99,200-249\",\n"
             "\"frames of a segment\":\"60\"},\n\"apart\":{\n\"name\":\"\\\"a film\\\"\",\n"
             "\"credits\":\"[\\\"a\\\", \\\"b\\\"]\",\n\"outputs.0.file\":\"\\\"/out/a.mp4\\\"\",\n"
             "\"outputs.1.file\":\"\\\"/out/%05d.png\\\"\"},\n\"inputs\":[\n{\"file\":\"a.pmx\","
             "\"bytes\":12,\"sha256\":"
             "\"ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100\"}]}\n",
             arena);
}

static void make_bvh(Corpus *corpus, Arena *arena)
{
    add_text(
        corpus,
        "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition "
        "Zrotation Xrotation Yrotation\n JOINT LeftUpLeg\n {\n  OFFSET 1.5 0 -2e0\n  CHANNELS "
        "3 Xrotation Yrotation Zrotation\n  End Site\n  {\n   OFFSET 0 0 3\n  }\n }\n}\nMOTION\n"
        "Frames: 2\nFrame Time: 0.0333333\n1 2 3 90 0 90 30 0 0\n0 0 0 0 0 0 -45.5 1 2\n",
        arena);
}

static void make_fbx(Corpus *corpus, Arena *arena)
{
    corpus_add(corpus, fbx_fixture(true, 7300, false, arena), arena);
    corpus_add(corpus, fbx_fixture(false, 7400, false, arena), arena);
    corpus_add(corpus, fbx_fixture(false, 7500, true, arena), arena);
}

static void make_gltf_motion(Corpus *corpus, Arena *arena)
{
    corpus_add(corpus, vrma_fixture(NULL, NULL, arena), arena);
    corpus_add(corpus, vrma_fixture("LINEAR", "STEP", arena), arena);
    corpus_add(corpus, vrma_fixture("VRMC_vrm_animation", "X", arena), arena);
    corpus_add(corpus, vrma_fixture(":88}", ":88,\"uri\":\"a.bin\"}", arena), arena);
    corpus_add(corpus,
               gltf_fixture_pack(
                   gltf_fixture_json(
                       "\"asset\"",
                       "\"animations\":[{\"samplers\":[{\"input\":3,\"output\":0}],\"channels\":"
                       "[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}],"
                       "\"asset\"",
                       arena),
                   gltf_fixture_data(arena), arena),
               arena);
}

static void make_smpl(Corpus *corpus, Arena *arena)
{
    static const float zeros[66];
    const NpzFixtureArray fortran = {.name = "poses",
                                     .type = "'<f4'",
                                     .order = "True",
                                     .shape = "(1, 22, 3)",
                                     .data = zeros,
                                     .size = sizeof zeros};
    corpus_add(corpus, npz_fixture_amass(NULL, arena), arena);
    corpus_add(corpus, npz_fixture_video(arena), arena);
    corpus_add(corpus, npz_fixture(&fortran, 1, arena), arena);
}

static void make_gltf(Corpus *corpus, Arena *arena)
{
    const char *json = gltf_fixture_json("\"byteLength\":248",
                                         "\"byteLength\":3,\"uri\":\"data:;base64,TWFu\"", arena);
    corpus_add(corpus, gltf_fixture(NULL, NULL, arena), arena);
    corpus_add(corpus, (Bytes){(const uint8_t *)json, strlen(json)}, arena);
}

static void make_vrm(Corpus *corpus, Arena *arena)
{
    for (int older = 0; older < 2; older++)
        corpus_add(corpus, vrm_fixture(older, NULL, NULL, arena), arena);
}

static void make_obj(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "mtllib a.mtl\nnewmtl wood\nKd 0.5 1 0\nd 0.5\nmap_Kd -s 2 2 -clamp on wood.png\n"
             "usemtl wood\nv 0 0 1\nv 1 0 1 1 0.5 0\nv 1 1 1\nvt 0.25 0.25\nvn 0 0 1\n"
             "f 1 2 3 1\nf -3/1/1 2/1/1 -1//-1\n",
             arena);
}

static void make_pmm(Corpus *corpus, Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1);
    pmm_put_all(list);
    corpus_add(corpus, (Bytes){list->data, list->size}, arena);
}

static void make_emm(Corpus *corpus, Arena *arena)
{
    add_text(
        corpus,
        "; MME\r\n[Info]\r\nVersion = 3\r\n\r\n[Object]\r\nPmd1 = UserFile\\\x88\xEA.pmx\r\n"
        "Acs2 = UserFile\\AutoLuminous.x\r\n\r\n[Effect]\r\nDefault = none\r\nPmd1 = a\\main.fx\r\n"
        "Pmd1[3] = none\r\nPmd1[3].show = false\r\n\r\n[Effect@AL_EmitterRT]\r\nOwner = Acs2\r\n"
        "Default = *.pmx=a.fx;*=hide;\r\nPmd1 = AL_Object.fxsub\r\n",
        arena);
    add_text(corpus,
             "[Info]\r\nVersion = 3\r\n\r\n[Effect]\r\nObj = a.fx\r\nObj[2].show = false\r\n",
             arena);
}

static void make_archive(Corpus *corpus, Arena *arena)
{
    static const ZipEntry entries[] = {
        {.name = "\x83\x82\x83\x66\x83\x8B/m.pmx", .data = "Pmx ", .size = 4},
        {.name = "表.txt",
         .data = "aaaaaaaaaaaaaa",
         .size = 14,
         .deflated = true,
         .flags = ZIP_UTF8},
        {.name = "../x", .data = "up", .size = 2}};
    static const StoredFile stored[] = {{"\x83\x82\x83\x66\x83\x8B\\m.pmx", "Pmx "},
                                        {"a.txt", "text"}};
    /* 7z and another lzh are in the corpus directory. */
    corpus_add(corpus, zip_fixture(entries, 3, arena), arena);
    corpus_add(corpus, rar4_fixture(stored, 2, arena), arena);
    corpus_add(corpus, rar5_fixture(stored + 1, 1, arena), arena);
    corpus_add(corpus, lzh_fixture(stored, 2, arena), arena);
}

static void make_font(Corpus *corpus, Arena *arena)
{
    corpus_add(corpus, fixture_font(arena), arena);
}

/* ---- files that only a path can be written to ---- */

static bool save_bake(const char *path, Diag *diag)
{
    static FrameRange ranges[] = {{5, 40}, {50, 53}};
    enum { STATE_BYTES = 22 }; /* as in fuzz_bake.c */
    const BakeInfo info = {.fps = {60, 1}, .state_bytes = STATE_BYTES, .frames = {ranges, 2}};
    uint8_t state[STATE_BYTES] = {0};
    uint64_t bytes;
    BakeWriter *writer = bake_create(path, &info, diag);
    bool ok = writer != NULL;
    for (int i = 0; ok && i < 40; i++) {
        state[i % STATE_BYTES] = (uint8_t)(7 * i);
        ok = bake_write_frame(writer, state, diag);
    }
    ok = ok && bake_finish(writer, &bytes, diag);
    bake_destroy(writer);
    return ok;
}

static bool write_film(const SinkKind *kind, const char *path, const char *codec, Diag *diag)
{
    uint8_t pixels[16][16][4];
    const SinkOptions options = {.file = path,
                                 .film_file = "a.mkv",
                                 .width = 16,
                                 .height = 16,
                                 .fps_num = 30,
                                 .fps_den = 1,
                                 .frame_count = 3,
                                 .video.codec = codec,
                                 .video.preset = "fast",
                                 .video.crf = -1,
                                 .video.pixel_format = "auto",
                                 .video.audio_codec = "auto",
                                 .threads = 1};
    Sink *sink = sink_create(kind, &options, diag);
    bool ok = sink != NULL;
    for (int i = 0; ok && i < 3; i++) {
        memset(pixels, 50 * i, sizeof pixels);
        ok = sink_write(sink, &(Image){16, 16, false, &pixels[0][0][0]}, i, diag);
    }
    ok = ok && sink_finish(sink, diag);
    sink_destroy(sink);
    return ok;
}

static bool save_segment(const char *path, Diag *diag)
{
    return write_film(sink_ffmpeg.segments->kind, path, "ffv1", diag);
}

static bool save_ffv1(const char *path, Diag *diag)
{
    return write_film(&sink_ffmpeg, path, "ffv1", diag);
}

static bool save_h264(const char *path, Diag *diag)
{
    return write_film(&sink_ffmpeg, path, "h264", diag);
}

static bool save_sound(const char *path, Diag *diag)
{
    float samples[240];
    for (int i = 0; i < 240; i++)
        samples[i] = (float)(i % 20 - 10) / 20;
    return wav_fixture_save(&(Sound){samples, 120, 2, 44100, 0}, path, diag);
}

static void add_saved(Corpus *corpus, bool (*save)(const char *path, Diag *diag), const char *name,
                      Arena *arena)
{
    char directory[] = "/tmp/odori-corpus-XXXXXX";
    Diag diag = diag_quiet();
    Bytes bytes;
    if (!mkdtemp(directory))
        return;
    const char *path = arena_printf(arena, "%s/%s", directory, name);
    if (save(path, &diag) && file_load(&bytes, path, FILE_MAX_SIZE, arena, &diag))
        corpus_add(corpus, bytes, arena);
    remove(path);
    rmdir(directory);
}

static void make_bake(Corpus *corpus, Arena *arena)
{
    add_saved(corpus, save_bake, "0.bake", arena);
}

static void make_sound(Corpus *corpus, Arena *arena)
{
    add_saved(corpus, save_sound, "0.wav", arena);
}

/* Without libx264 the second one is missing. */
static void make_video(Corpus *corpus, Arena *arena)
{
    add_saved(corpus, save_ffv1, "0.mkv", arena);
    add_saved(corpus, save_h264, "0.mp4", arena);
}

static void make_segment(Corpus *corpus, Arena *arena)
{
    add_text(corpus,
             "0 f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b\n"
             "7 8667e718294e9e0df1d30600ba3eeb201f764aad2dad72748643e4a285e1d1f7\n"
             "8 f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b\n",
             arena);
    add_saved(corpus, save_segment, "0.nut", arena);
}

static void read_exr_row(void *user, float *const *rows, int y)
{
    const ExrSpec *spec = user;
    for (size_t c = 0; c < spec->channel_count; c++)
        for (int x = 0; x < spec->width; x++)
            rows[c][x] = (float)(x * y) * 0.25f - (float)c;
}

static void add_exr(Corpus *corpus, int width, int height, ImageRect window, size_t channel_count,
                    Arena *arena)
{
    static const ExrChannel channels[] = {
        {"B", EXR_TYPE_HALF}, {"CryptoObject00.R", EXR_TYPE_FLOAT}, {"Z", EXR_TYPE_FLOAT}};
    static const char *const names[] = {"girl", "floor"};
    ExrAttribute attributes[CRYPTOMATTE_ATTRIBUTES];
    Diag diag = diag_quiet();
    Bytes bytes;
    cryptomatte_attributes(attributes, "CryptoObject", names, 2, arena);
    ExrSpec spec = {.width = width,
                    .height = height,
                    .window = window,
                    .channels = channels,
                    .channel_count = channel_count,
                    .attributes = attributes,
                    .attribute_count = channel_count > 1 ? CRYPTOMATTE_ATTRIBUTES : 0,
                    .fps_num = 30,
                    .fps_den = 1};
    if (exr_write(&bytes, &spec, read_exr_row, &spec, arena, &diag))
        corpus_add(corpus, bytes, arena);
}

/* Without OpenEXR the text is alone. */
static void make_exr(Corpus *corpus, Arena *arena)
{
    add_text(corpus, "\x76\x2f\x31\x01", arena);
    add_exr(corpus, 7, 35, (ImageRect){0}, 3, arena); /* three blocks of rows */
    add_exr(corpus, 1, 1, (ImageRect){0}, 1, arena);
    add_exr(corpus, 4096, 4096, (ImageRect){3, 4, 5, 6}, 1, arena); /* most is not stored */
}

/* Every call as a run makes it, and in each way that leads elsewhere. */
static void make_broker(Corpus *corpus, Arena *arena)
{
    add_text(
        corpus,
        "mkdir . - granted/.film.mp4.odori\nopen . wct granted/.film.mp4.7.tmp\n"
        "rename . - granted/.film.mp4.7.tmp granted/film.mp4\n"
        "open granted/.film.mp4.odori bca ledger\nunlink granted/.film.mp4.odori - ledger\n"
        "open . wcx $granted/.12.png.7.tmp\nrename . - $granted/.12.png.7.tmp granted/12.png\n"
        "unlink granted - 12.png\nmkdir granted - .film.mp4.new\nrmdir . - granted/.film.mp4.new\n",
        arena);
    add_text(
        corpus,
        "rename granted/.film.mp4.odori - film.mp4 1.png\nrename granted - film.mp4 other.mp4\n"
        "mkdir granted/.film.mp4.odori - new\nrmdir granted/.film.mp4.odori - empty\n"
        "rmdir . - granted/empty\nunlink other - film.mp4\nopen / wc film.mp4\n"
        "unlink granted - ../film.mp4\nopen . wt granted/.film.mp4.hard\n"
        "open . wt granted/.film.mp4.link\nopen . wc granted/.film.mp4.out/film.mp4\n"
        "open granted/.film.mp4.odori/out wc film.mp4\nopen granted/.film.mp4.fifo b film.mp4\n"
        "unlink . - granted/.film.mp4.odori/out/film.mp4\njoin . - granted/film.mp4\n"
        "rename . - granted/film.mp4 other/film.mp4\nrename . - other/film.mp4 granted/film.mp4\n"
        "open . wct granted/.film.mp4.odori/../other.mp4\nopen . wct granted/%d.png\n",
        arena);
}

static void make_effect(Corpus *corpus, Arena *arena)
{
    add_text(
        corpus,
        "#include \"other.fxsub\"\n#define SAMP(n) sampler n##Samp = sampler_state { \\\n"
        "  texture = <n>; MinFilter = LINEAR; AddressU = CLAMP; };\n"
        "float4x4 World : WORLDVIEWPROJECTION;\nfloat2 Size : VIEWPORTPIXELSIZE;\n"
        "float tr : CONTROLOBJECT < string name = \"(self)\"; string item = \"Tr\"; >;\n"
        "static float2 Offset = 0.5 / Size;\nstatic const float w[3] = {0.25, 0.5, 0.25};\n"
        "const float4 Clear = {0, 0, 0, 1};\nbool use_texture;\n"
        "texture2D Map : RENDERCOLORTARGET < float2 ViewPortRatio = {1.0, 1.0}; >;\nSAMP(Map)\n"
        "struct V2P { float4 p : POSITION; float2 t : TEXCOORD0; float3 n : TEXCOORD1; };\n"
        "V2P V(float4 p : POSITION, float3 n : NORMAL, float2 t : TEXCOORD0) {\n"
        "  V2P o = (V2P)0; o.p = mul(p, World); o.n = normalize(mul(n, (float3x3)World));\n"
        "  o.t = t + Offset; return o; }\n"
        "float4 Blur(sampler s, float2 t, float2 d = 1) { float4 c = 0;\n"
        "  [unroll] for (int i = 0; i < 3; i++) c += tex2D(s, t + d * (i - 1)) * w[i];\n"
        "  return c; }\n"
        "float4 P(V2P i, uniform bool lit, uniform sampler s) : COLOR {\n"
        "  float4 c = use_texture ? Blur(s, i.t) : 1;\n"
        "  if (lit && c.a > tr) { c.rgb *= saturate(i.n.z); } else clip(c.a - 0.5);\n"
        "  return c; }\n"
        "technique T < string MMDPass = \"object\"; > { pass A < string Script = \"Draw=Buffer;\"; "
        "> {\n"
        "  AlphaBlendEnable = TRUE; SrcBlend = SRCALPHA; DestBlend = INVSRCALPHA; ZFunc = LESS;\n"
        "  VertexShader = compile vs_3_0 V(); PixelShader = compile ps_3_0 P(true, MapSamp); } }\n",
        arena);
    add_text(
        corpus,
        "#if defined(X) || 2 * 3 == 6\n#define OP(a) a a\n#elif X\n#else\n#endif\n"
        "float g; int3 k = {1, 2, 3}; float2 table[2][2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};\n"
        "void Out(inout float a, out float3 b) { a++; b = float3(a, a * 2, -a); g = a; }\n"
        "float2x2 Turn(float a) { float s, c; sincos(a, s, c); return float2x2(c, -s, s, c); }\n"
        "float4 P(float2 at : VPOS, float face : VFACE, out float d : DEPTH) : COLOR0 {\n"
        "  float4 v = 0; int4 i; float x = 1; Out(x, v.xyz); Out(x, i.xyz);\n"
        "  float4x4 m = {v, v, v, 1, 2, 3, 4}; v += mul(m, v) + mul(v, transpose(m));\n"
        "  do { v.xy = mul(v.xy, Turn(x)); x -= 0.5; if (x < -2) break; } while (x > 0);\n"
        "  while (v.x > 9) v.x /= 3; m *= m; m._41_42_43 = v.xyz; v.zw = table[k.x][i.y];\n"
        "  switch (k.y) { case 1: v = v.wzyx; break; default: v %= 2; }\n"
        "  bool4 b = v > 0.5 && !(v < m[1]); v = b ? v : 1 - v; d = saturate(v.x);\n"
        "  return face > 0 ? v + (float4)k.xyzz : pow(abs(v), 2.2) + any(b) + at.xyxy; }\n"
        "technique { pass { PixelShader = compile ps_2_a P(); VertexShader = NULL; } }\n",
        arena);
}

Corpus corpus_make(const char *format, Arena *arena)
{
    static const struct {
        const char *format;
        void (*make)(Corpus *, Arena *);
    } makers[] = {
        {"pmx", make_pmx},         {"pmd", make_pmd},           {"vmd", make_vmd},
        {"vpd", make_vpd},         {"picture", make_picture},   {"yaml", make_yaml},
        {"batch", make_batch},     {"job", make_job},           {"xfile", make_xfile},
        {"vac", make_vac},         {"midi", make_midi},         {"ledger", make_ledger},
        {"json", make_json},       {"segment", make_segment},   {"checkpoint", make_checkpoint},
        {"bake", make_bake},       {"font", make_font},         {"evaluate", corpus_make_evaluate},
        {"sound", make_sound},     {"video", make_video},       {"cube", make_cube},
        {"archive", make_archive}, {"subtitle", make_subtitle}, {"pmm", make_pmm},
        {"emm", make_emm},         {"bvh", make_bvh},           {"gltf_motion", make_gltf_motion},
        {"smpl", make_smpl},       {"fbx", make_fbx},           {"gltf", make_gltf},
        {"obj", make_obj},         {"vrm", make_vrm},           {"exr", make_exr},
        {"broker", make_broker},   {"effect", make_effect},     {"texture", make_texture},
        {"runs", make_runs},       {"restore", make_video}};
    Corpus corpus = {0};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (!strcmp(format, makers[i].format))
            makers[i].make(&corpus, arena);
    return corpus;
}
