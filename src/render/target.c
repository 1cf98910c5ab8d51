#include "render/target.h"

#include <math.h>
#include <string.h>

/* The surface's sizes: eighths of the width, quarters of the height. */
enum { COLUMNS = 8, ROWS = 4 };

TargetRect target_joined(TargetRect a, TargetRect b)
{
    if (a.left >= a.right)
        return b;
    if (b.left >= b.right)
        return a;
    return (TargetRect){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                        a.right > b.right ? a.right : b.right,
                        a.bottom > b.bottom ? a.bottom : b.bottom};
}

/* ---- background ---- */

static uint8_t to_byte(float value)
{
    return (uint8_t)lrintf(fminf(fmaxf(value, 0.0f), 1.0f) * 255.0f);
}

/* Linear filter at (x, y) in pixels of the image, where pixel centres are at .5; edges held. */
static void sample(float out[4], const Image *image, float x, float y)
{
    const float px = fminf(fmaxf(x - 0.5f, 0.0f), (float)(image->width - 1));
    const float py = fminf(fmaxf(y - 0.5f, 0.0f), (float)(image->height - 1));
    const size_t x0 = (size_t)px, y0 = (size_t)py, width = (size_t)image->width;
    const size_t x1 = x0 + 1 < width ? x0 + 1 : x0;
    const size_t y1 = y0 + 1 < (size_t)image->height ? y0 + 1 : y0;
    const float fx = px - (float)x0, fy = py - (float)y0;

    for (size_t c = 0; c < 4; c++) {
        const uint8_t *p = image->pixels + c;
        const float top =
            (float)p[4 * (y0 * width + x0)] * (1 - fx) + (float)p[4 * (y0 * width + x1)] * fx;
        const float low =
            (float)p[4 * (y1 * width + x0)] * (1 - fx) + (float)p[4 * (y1 * width + x1)] * fx;

        out[c] = (top * (1 - fy) + low * fy) / 255.0f;
    }
}

static void lay_over(uint8_t out[4], const Target *target, const float color[3], float alpha)
{
    for (int c = 0; c < 3; c++)
        out[c] = to_byte(color[c] + target->clear[c] * (1.0f - alpha));
    out[3] = to_byte(alpha + target->clear[3] * (1.0f - alpha));
}

/* How a picture of another shape is laid under the frame: its pixel at the frame's (0, 0), and its
 * pixels for one of the frame's. */
typedef struct Lay {
    float left, top, step_x, step_y;
} Lay;

static Lay lay_of(const TargetSpec *spec, const Image *image)
{
    const float width = (float)image->width, height = (float)image->height;
    Lay lay = {.step_x = width / (float)spec->width, .step_y = height / (float)spec->height};

    if (spec->background_fit == IMAGE_COVER)
        lay.step_x = lay.step_y = fminf(lay.step_x, lay.step_y);
    else if (spec->background_fit == IMAGE_CONTAIN)
        lay.step_x = lay.step_y = fmaxf(lay.step_x, lay.step_y);
    lay.left = (width - lay.step_x * (float)spec->width) * 0.5f;
    lay.top = (height - lay.step_y * (float)spec->height) * 0.5f;
    return lay;
}

static int taps_of(float step)
{
    return step > 1.0f ? (int)ceilf(fminf(step, 16.0f)) : 1;
}

/* The picture over the background colour: averaged over a pixel's width when the picture is larger;
 * nothing of it beside it. */
static void picture_pixel(uint8_t out[4], const Target *target, const Image *image, const Lay *lay,
                          int x, int y)
{
    const int across = taps_of(lay->step_x), down = taps_of(lay->step_y);
    const float share = 1.0f / (float)(across * down);
    float sum[4] = {0, 0, 0, 0};

    for (int j = 0; j < down; j++)
        for (int i = 0; i < across; i++) {
            const float at_x =
                lay->left + ((float)x + ((float)i + 0.5f) / (float)across) * lay->step_x;
            const float at_y =
                lay->top + ((float)y + ((float)j + 0.5f) / (float)down) * lay->step_y;
            float color[4];

            if (at_x < 0.0f || at_y < 0.0f || at_x > (float)image->width ||
                at_y > (float)image->height)
                continue;
            sample(color, image, at_x, at_y);
            for (int c = 0; c < 3; c++)
                sum[c] += color[c] * color[3];
            sum[3] += color[3];
        }
    for (int c = 0; c < 4; c++)
        sum[c] *= share;
    lay_over(out, target, sum, sum[3]);
}

/* A picture of the frame's own size: every frame of a video is. */
static void copy_picture(Target *target, const Image *image)
{
    const size_t count = (size_t)image->width * (size_t)image->height;
    const uint8_t *from = image->pixels;
    uint8_t *to = target->background;

    if (!image->has_alpha) {
        memcpy(to, from, 4 * count);
        return;
    }
    for (size_t i = 0; i < count; i++, from += 4, to += 4) {
        const float alpha = (float)from[3] / 255.0f;
        const float color[3] = {(float)from[0] / 255.0f * alpha, (float)from[1] / 255.0f * alpha,
                                (float)from[2] / 255.0f * alpha};

        lay_over(to, target, color, alpha);
    }
}

static void fill_with_color(Target *target)
{
    const size_t count = (size_t)target->spec.width * (size_t)target->spec.height;
    uint8_t *to = target->background;

    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 4; c++)
            *to++ = to_byte(target->clear[c]);
}

void target_set_background(Target *target, const Image *image)
{
    const TargetSpec *spec = &target->spec;
    uint8_t *to = target->background;

    if (image->width == spec->width && image->height == spec->height) {
        copy_picture(target, image);
        return;
    }
    const Lay lay = lay_of(spec, image);
    for (int y = 0; y < spec->height; y++)
        for (int x = 0; x < spec->width; x++, to += 4)
            picture_pixel(to, target, image, &lay, x, y);
}

static void init_background(Target *target, Arena *arena)
{
    const TargetSpec *spec = &target->spec;

    target->background =
        arena_array(arena, uint8_t, 4 * (size_t)spec->width * (size_t)spec->height);
    for (int c = 0; c < 4; c++) { /* rounded here, so that cleared and copied pixels are equal */
        const float share = spec->alpha ? spec->background[3] : 1.0f;

        target->clear[c] = (float)to_byte(c < 3 ? spec->background[c] * share : share) / 255.0f;
    }
    fill_with_color(target);
}

/* ---- surface ---- */

static GLuint storage(const Target *target, const GlApi *gl, int samples, GLenum format)
{
    GLuint name = 0;

    gl->CreateRenderbuffers(1, &name);
    if (samples > 1)
        gl->NamedRenderbufferStorageMultisample(name, samples, format, target->width,
                                                target->height);
    else
        gl->NamedRenderbufferStorage(name, format, target->width, target->height);
    return name;
}

static bool check_surface(const Target *target, const GlApi *gl, Diag *diag)
{
    const int wanted = target->spec.samples > 1 ? target->spec.samples : 0;
    GLint samples = 0;

    if (gl->GetError() == GL_OUT_OF_MEMORY)
        return diag_fail(diag, DIAG_RESOURCE, "no memory for a surface of %dx%d with %d samples",
                         target->width, target->height, target->spec.samples);
    if (gl->CheckNamedFramebufferStatus(target->draw, GL_DRAW_FRAMEBUFFER) !=
            GL_FRAMEBUFFER_COMPLETE ||
        gl->CheckNamedFramebufferStatus(target->resolve, GL_READ_FRAMEBUFFER) !=
            GL_FRAMEBUFFER_COMPLETE)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL refuses a surface of %dx%d with %d samples",
                         target->width, target->height, target->spec.samples);
    gl->GetNamedRenderbufferParameteriv(target->buffers[TARGET_COLOR], GL_RENDERBUFFER_SAMPLES,
                                        &samples);
    if (samples != wanted)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL gives %d samples a pixel where %d are wanted",
                         samples > 0 ? samples : 1, target->spec.samples);
    return true;
}

static void remove_surface(Target *target, const GlApi *gl)
{
    const GLuint framebuffers[2] = {target->draw,
                                    target->resolve != target->draw ? target->resolve : 0};

    gl->DeleteFramebuffers(2, framebuffers); /* 0 is ignored */
    gl->DeleteRenderbuffers(TARGET_BUFFERS, target->buffers);
    target->buffers[TARGET_RESOLVE] = 0;
}

static bool make_surface(Target *target, const GlApi *gl, int width, int height, Diag *diag)
{
    const int samples = target->spec.samples;
    GLuint *buffers = target->buffers;

    remove_surface(target, gl);
    target->width = width;
    target->height = height;
    buffers[TARGET_COLOR] = storage(target, gl, samples, GL_RGBA8);
    buffers[TARGET_DEPTH] = storage(target, gl, samples, GL_DEPTH24_STENCIL8);
    gl->CreateFramebuffers(1, &target->draw);
    gl->NamedFramebufferRenderbuffer(target->draw, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                     buffers[TARGET_COLOR]);
    gl->NamedFramebufferRenderbuffer(target->draw, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                     buffers[TARGET_DEPTH]);
    target->resolve = target->draw;
    if (samples > 1) {
        buffers[TARGET_RESOLVE] = storage(target, gl, 1, GL_RGBA8);
        gl->CreateFramebuffers(1, &target->resolve);
        gl->NamedFramebufferRenderbuffer(target->resolve, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                         buffers[TARGET_RESOLVE]);
    }
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->draw);
    return check_surface(target, gl, diag);
}

static bool has_size(const Target *target, const GlApi *gl, Diag *diag)
{
    const int scale = target->spec.scale;
    GLint limits[2] = {0}, side = 0;

    gl->GetIntegerv(GL_MAX_VIEWPORT_DIMS, limits);
    gl->GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
    side = side < limits[0] ? side : limits[0];
    if (target->spec.width <= side / scale && target->spec.height <= side / scale)
        return true;
    return diag_fail(diag, DIAG_RESOURCE,
                     "a surface of %dx%d times %d (supersample) is too large (1..%d)",
                     target->spec.width, target->spec.height, scale, side);
}

bool target_init(Target *target, const TargetSpec *spec, const GlApi *gl, Arena *arena, Diag *diag)
{
    const int scale = spec->scale;

    *target = (Target){.spec = *spec};
    if (!has_size(target, gl, diag) ||
        !make_surface(target, gl, spec->width * scale, spec->height * scale, diag))
        return false;
    init_background(target, arena);
    if (scale > 1)
        target->read =
            arena_array(arena, uint8_t, 4 * (size_t)target->width * (size_t)target->height);
    return true;
}

/* ---- frame ---- */

/* The least number of cells of size / `cells` that holds low..high, as a span inside 0..size. */
static void span_of_cells(int *from, int *to, int low, int high, int size, int cells)
{
    const int cell = (size + cells - 1) / cells;
    int length = (high - low + cell - 1) / cell * cell;

    length = length < size ? length : size;
    *from = low < size - length ? low : size - length;
    *to = *from + length;
}

bool target_begin(Target *target, const GlApi *gl, TargetRect drawn, Diag *diag)
{
    const TargetSpec *spec = &target->spec;
    TargetRect *window = &target->window;
    const int scale = spec->scale;

    span_of_cells(&window->left, &window->right, drawn.left, drawn.right, spec->width, COLUMNS);
    span_of_cells(&window->top, &window->bottom, drawn.top, drawn.bottom, spec->height, ROWS);

    const int width = (window->right - window->left) * scale;
    const int height = (window->bottom - window->top) * scale;
    if ((width != target->width || height != target->height) &&
        !make_surface(target, gl, width, height, diag))
        return false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->draw);
    gl->Viewport(-window->left * scale, -window->top * scale, spec->width * scale,
                 spec->height * scale);
    gl->ClearColor(target->clear[0], target->clear[1], target->clear[2], target->clear[3]);
    gl->DepthMask(GL_TRUE);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    return true;
}

/* A rectangle of the picture on the surface. */
static TargetRect on_surface(const Target *target, TargetRect r)
{
    const int s = target->spec.scale, left = target->window.left, top = target->window.top;

    return (TargetRect){(r.left - left) * s, (r.top - top) * s, (r.right - left) * s,
                        (r.bottom - top) * s};
}

void target_resolve(const Target *target, const GlApi *gl, TargetRect drawn)
{
    const TargetRect r = on_surface(target, drawn);

    if (target->resolve != target->draw)
        gl->BlitNamedFramebuffer(target->draw, target->resolve, r.left, r.top, r.right, r.bottom,
                                 r.left, r.top, r.right, r.bottom, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

/* Mean of scale x scale pixels, for one row of the finished picture. */
static void average_row(uint8_t *to, const uint8_t *from, size_t from_stride, int count, int scale)
{
    const size_t side = (size_t)scale;
    const unsigned area = (unsigned)(scale * scale);

    for (int x = 0; x < count; x++, from += 4 * side, to += 4) {
        unsigned sum[4] = {area / 2, area / 2, area / 2, area / 2};

        for (size_t j = 0; j < side; j++)
            for (size_t i = 0; i < 4 * side; i++)
                sum[i % 4] += from[j * from_stride + i];
        for (int c = 0; c < 4; c++)
            to[c] = (uint8_t)(sum[c] / area);
    }
}

/* Two by two, the usual case: fixed counts let the compiler use vectors. */
static void average_row_2(uint8_t *to, const uint8_t *above, const uint8_t *below, int count)
{
    for (int x = 0; x < count; x++)
        for (int c = 0; c < 4; c++)
            to[4 * x + c] = (uint8_t)((above[8 * x + c] + above[8 * x + c + 4] + below[8 * x + c] +
                                       below[8 * x + c + 4] + 2) >>
                                      2);
}

static void average(Image *image, const Target *target, TargetRect drawn)
{
    const int scale = target->spec.scale, width = drawn.right - drawn.left;
    const size_t from_stride = 4 * (size_t)width * (size_t)scale;
    const size_t to_stride = 4 * (size_t)image->width;

    for (int y = drawn.top; y < drawn.bottom; y++) {
        const uint8_t *from = target->read + (size_t)(y - drawn.top) * (size_t)scale * from_stride;
        uint8_t *to = image->pixels + (size_t)y * to_stride + 4 * (size_t)drawn.left;

        if (scale == 2)
            average_row_2(to, from, from + from_stride, width);
        else
            average_row(to, from, from_stride, width, scale);
    }
}

static void read_pixels(Image *image, const Target *target, const GlApi *gl, TargetRect drawn)
{
    const TargetRect r = on_surface(target, drawn);
    const bool whole = target->spec.scale == 1; /* straight into the picture */
    uint8_t *to =
        image->pixels + 4 * ((size_t)drawn.top * (size_t)image->width + (size_t)drawn.left);

    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->resolve);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, whole ? image->width : r.right - r.left);
    gl->ReadPixels(r.left, r.top, r.right - r.left, r.bottom - r.top, GL_RGBA, GL_UNSIGNED_BYTE,
                   whole ? to : target->read);
    if (!whole)
        average(image, target, drawn);
}

/* Around `drawn`. */
static void copy_background(Image *image, const Target *target, TargetRect drawn)
{
    const size_t stride = 4 * (size_t)image->width;
    const size_t left = 4 * (size_t)drawn.left, right = 4 * (size_t)drawn.right;

    for (int y = 0; y < image->height; y++) {
        uint8_t *to = image->pixels + (size_t)y * stride;
        const uint8_t *from = target->background + (size_t)y * stride;

        if (y < drawn.top || y >= drawn.bottom) {
            memcpy(to, from, stride);
        } else {
            memcpy(to, from, left);
            memcpy(to + right, from + right, stride - right);
        }
    }
}

static void unpremultiply(Image *image)
{
    uint8_t *p = image->pixels;
    const uint8_t *end = p + 4 * (size_t)image->width * (size_t)image->height;

    for (; p < end; p += 4)
        if (p[3] > 0 && p[3] < 255)
            for (int c = 0; c < 3; c++) {
                const unsigned value = (p[c] * 255u + p[3] / 2u) / p[3];

                p[c] = (uint8_t)(value < 255 ? value : 255);
            }
}

void target_read(Image *image, const Target *target, const GlApi *gl, TargetRect drawn)
{
    image->width = target->spec.width;
    image->height = target->spec.height;
    image->has_alpha = target->spec.alpha;
    if (drawn.left < drawn.right)
        read_pixels(image, target, gl, drawn);
    copy_background(image, target, drawn);
    if (target->spec.alpha)
        unpremultiply(image);
}
