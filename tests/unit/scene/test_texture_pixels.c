// SPDX-License-Identifier: MIT
/* texture_pixels: textures are released and decoded again */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "media/picture.h"
#include "scene/texture_pixels.h"
#include "tiny_picture.h"
#include "unit_test.h"

enum { SIDE = 64, BYTES = SIDE * SIDE * 4, PAGE = 4096 };

static char path[] = "/tmp/odori-test-XXXXXX";

/* An uncompressed 32-bit BMP of one grey, from the bottom up. */
static void write_bmp(int width, uint8_t grey)
{
    uint8_t head[54] = {'B', 'M'};
    const uint32_t size = (uint32_t)(width * SIDE * 4);
    head[10] = 54;
    head[14] = 40;
    head[18] = (uint8_t)width;
    head[22] = SIDE;
    head[26] = 1;
    head[28] = 32;
    memcpy(head + 34, &size, 4);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(head, 1, sizeof head, file);
    for (uint32_t i = 0; i < size; i++)
        fputc(i % 4 == 3 ? 255 : grey, file);
    fclose(file);
}

typedef struct World {
    Arena *arena;
    Image image;
    const Image *textures[2];
    const char *files[2];
    bool without_pixels;
    Model model;
    SceneModel entry;
    Scene scene;
    uint8_t before[BYTES];
} World;

static void set_up(World *w)
{
    *w = (World){.arena = arena_create()};
    Diag diag;
    diag_init(&diag, NULL, NULL);
    write_bmp(SIDE, 77);
    Bytes bytes;
    assert_true(file_load(&bytes, path, FILE_MAX_SIZE, w->arena, &diag));
    assert_true(picture_load(&w->image, bytes, w->arena, &diag));
    memcpy(w->before, w->image.pixels, BYTES);
    w->textures[1] = &w->image; /* the first one is missing */
    w->files[1] = path;
    w->model.pmx.texture_count = 2;
    w->model.textures = w->textures;
    w->model.texture_files = w->files;
    w->entry.model = &w->model;
    w->scene.models = &w->entry;
    w->scene.model_count = 1;
    w->scene.without_pixels = &w->without_pixels;
}

static size_t equal_bytes(const World *w)
{
    size_t count = 0;
    for (size_t i = 0; i < BYTES; i++)
        count += w->image.pixels[i] == w->before[i];
    return count;
}

static void restores_what_it_has_discarded(void **state)
{
    (void)state;
    World w;
    Diag diag;
    diag_init(&diag, NULL, NULL);
    set_up(&w);
    assert_int_equal(w.before[0], 77);
    texture_pixels_discard(&w.scene);
    assert_true(equal_bytes(&w) < 2 * PAGE); /* parts of pages at both ends may remain */
    assert_true(texture_pixels_restore(&w.scene, &diag));
    assert_int_equal(equal_bytes(&w), BYTES);

    unlink(path); /* nothing is read while the pixels are there */
    assert_true(texture_pixels_restore(&w.scene, &diag));
    arena_destroy(w.arena);
}

static void another_file_is_an_error(void **state)
{
    (void)state;
    World w;
    Diag diag;
    diag_init(&diag, NULL, NULL);
    set_up(&w);
    texture_pixels_discard(&w.scene);
    write_bmp(SIDE / 2, 77);
    assert_false(texture_pixels_restore(&w.scene, &diag));
    assert_int_equal(diag.kind, DIAG_IO);
    unlink(path);
    diag_init(&diag, NULL, NULL);
    assert_false(texture_pixels_restore(&w.scene, &diag));
    assert_int_equal(diag.errors, 1);
    arena_destroy(w.arena);
}

/* A picture inside of a model, as stored, opaque, and with a mask at 1/2. */
static void test_embedded(void **state)
{
    (void)state;
    static const uint8_t expected[][4] = {
        {0, 127, 128, 255}, {255, 255, 255, 255}, {0, 0, 255, 255}};
    const TinyPng row = {.what = "alpha",
                         .type = PNG_COLOR_TYPE_RGB_ALPHA,
                         .bits = 8,
                         .width = 4,
                         .raw = {9, 9, 9, 0, 9, 9, 9, 127, 9, 9, 9, 128, 9, 9, 9, 255}};
    PictureFile file = {.size = 0};
    Arena *arena = arena_create();
    tiny_png(&file, &row, 1);
    for (size_t i = 0; i < 3; i++) {
        const PmxTexture source = {
            .name = "", .embedded = tiny_bytes(&file), .alpha = (uint8_t)i, .cutoff = 0.5f};
        const PmxModel pmx = {.texture_sources = &source, .texture_count = 1};
        Diag diag = diag_quiet();
        Image image;
        assert_true(model_decode_texture(&image, &pmx, 0, NULL, NULL, arena, &diag));
        for (size_t x = 0; x < 4; x++)
            assert_int_equal(image.pixels[4 * x + 3], expected[i][x]);
        assert_int_equal(image.has_alpha, i != 1);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_embedded),
        cmocka_unit_test(restores_what_it_has_discarded),
        cmocka_unit_test(another_file_is_an_error),
    };
    const int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    const int failed = cmocka_run_group_tests_name("texture_pixels", tests, NULL, NULL);
    unlink(path);
    return failed;
}
