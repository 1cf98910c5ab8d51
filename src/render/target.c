// SPDX-License-Identifier: MIT
#include "render/target.h"

#include <math.h>
#include <string.h>

/* The surface's size is a multiple of an eighth of the width and a quarter of the height. */
enum { COLUMNS = 8, ROWS = 4 };
enum { STRIP_ROWS = 16 }; /* image rows that are read back together */

/* ---- background ---- */

static uint8_t to_byte(float value)
{
    return (uint8_t)lrintf(fminf(fmaxf(value, 0.0f), 1.0f) * 255.0f);
}

/* Bilinear filter at (x, y), in pixels, pixel centers at .5; clamped at the edges. */
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

static void composite_over_color(uint8_t out[4], const Target *target, const float color[3],
                                 float alpha)
{
    for (int c = 0; c < 3; c++)
        out[c] = to_byte(color[c] + target->color[c] * (1.0f - alpha));
    out[3] = to_byte(alpha + target->color[3] * (1.0f - alpha));
}

/* The image over the background color; box-filtered when the image is larger; transparent outside
 * the image. */
static void resample_background(Target *target, const Image *image)
{
    const TargetSpec *spec = &target->spec;
    const float width = (float)image->width, height = (float)image->height;
    float step_x = width / (float)spec->width, step_y = height / (float)spec->height;
    uint8_t *out = target->background;

    if (spec->background_fit == IMAGE_COVER)
        step_x = step_y = fminf(step_x, step_y);
    else if (spec->background_fit == IMAGE_CONTAIN)
        step_x = step_y = fmaxf(step_x, step_y);
    const float left = (width - step_x * (float)spec->width) * 0.5f;
    const float top = (height - step_y * (float)spec->height) * 0.5f;
    const int columns = step_x > 1.0f ? (int)ceilf(fminf(step_x, 16.0f)) : 1;
    const int rows = step_y > 1.0f ? (int)ceilf(fminf(step_y, 16.0f)) : 1;
    const float scale = 1.0f / (float)(columns * rows);

    for (int i = 0; i < spec->width * spec->height; i++, out += 4) {
        const int line = i / spec->width;
        const float x = (float)(i % spec->width), y = (float)line;
        float sum[4] = {0, 0, 0, 0};

        for (int tap = 0; tap < columns * rows; tap++) {
            const int tap_row = tap / columns;
            const float column = (float)(tap % columns), row = (float)tap_row;
            const float image_x = left + (x + (column + 0.5f) / (float)columns) * step_x;
            const float image_y = top + (y + (row + 0.5f) / (float)rows) * step_y;
            float color[4];

            if (image_x < 0.0f || image_y < 0.0f || image_x > width || image_y > height)
                continue;
            sample(color, image, image_x, image_y);
            for (int c = 0; c < 3; c++)
                sum[c] += color[c] * color[3];
            sum[3] += color[3];
        }
        for (int c = 0; c < 4; c++)
            sum[c] *= scale;
        composite_over_color(out, target, sum, sum[3]);
    }
}

/* An image of the frame's size, as all frames of a background video have. */
static void copy_background_image(Target *target, const Image *image)
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

        composite_over_color(to, target, color, alpha);
    }
}

void target_set_background(Target *target, const Image *image, Arena *arena)
{
    const TargetSpec *spec = &target->spec;

    if (target->background == NULL)
        target->background =
            arena_array(arena, uint8_t, 4 * (size_t)spec->width * (size_t)spec->height);
    memset(target->clear, 0, sizeof target->clear);
    if (image->width == spec->width && image->height == spec->height)
        copy_background_image(target, image);
    else
        resample_background(target, image);
}

/* ---- surface ---- */

GLenum target_depth_format(const Target *target)
{
    return target->spec.stencil ? GL_DEPTH32F_STENCIL8 : GL_DEPTH_COMPONENT32F;
}

GLenum target_depth_attachment(const Target *target)
{
    return target->spec.stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT;
}

GLuint target_attach_buffer(const Target *target, GLuint framebuffer, GLenum attachment,
                            int samples, GLenum format)
{
    return gl_attach_buffer(target->gl, framebuffer, attachment, samples, format, target->width,
                            target->height);
}

static bool check_surface(const Target *target, Diag *diag)
{
    const GlApi *gl = target->gl;
    const int expected = target->spec.samples > 1 ? target->spec.samples : 0;
    GLint samples = 0;

    if (gl->GetError() == GL_OUT_OF_MEMORY)
        return diag_fail(diag, DIAG_RESOURCE,
                         "out of memory for a surface of %dx%d with %d samples", target->width,
                         target->height, target->spec.samples);
    if (gl->CheckNamedFramebufferStatus(target->draw, GL_DRAW_FRAMEBUFFER) !=
            GL_FRAMEBUFFER_COMPLETE ||
        gl->CheckNamedFramebufferStatus(target->resolve, GL_READ_FRAMEBUFFER) !=
            GL_FRAMEBUFFER_COMPLETE)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL rejected a surface of %dx%d with %d samples",
                         target->width, target->height, target->spec.samples);
    gl->GetNamedRenderbufferParameteriv(target->buffers[TARGET_COLOR], GL_RENDERBUFFER_SAMPLES,
                                        &samples);
    if (samples != expected)
        return diag_fail(diag, DIAG_RESOURCE, "OpenGL provides %d samples per pixel instead of %d",
                         samples > 0 ? samples : 1, target->spec.samples);
    return true;
}

/* Replaces the surface by one of another size. */
static bool create_surface(Target *target, int width, int height, Diag *diag)
{
    static const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    const GlApi *gl = target->gl;
    const int samples = target->spec.samples;
    const GLuint old[3] = {target->draw, target->resolve != target->draw ? target->resolve : 0,
                           target->overlay_resolve};
    GLuint *buffers = target->buffers;

    gl->DeleteFramebuffers(3, old); /* 0 is ignored */
    gl->DeleteRenderbuffers(TARGET_BUFFERS, buffers);
    gl->DeleteTextures(1, &target->wide);
    memset(buffers, 0, sizeof target->buffers);
    target->wide = 0;
    target->overlay_resolve = 0;
    target->width = width;
    target->height = height;
    gl->CreateFramebuffers(1, &target->draw);
    buffers[TARGET_COLOR] = target_attach_buffer(target, target->draw, GL_COLOR_ATTACHMENT0,
                                                 samples, target->is_wide ? GL_RGBA16F : GL_RGBA8);
    buffers[TARGET_DEPTH] =
        target_attach_buffer(target, target->draw, target_depth_attachment(target), samples,
                             target_depth_format(target));
    target->resolve = target->draw;
    if (target->is_wide) {
        gl->CreateFramebuffers(1, &target->resolve);
        target->wide = gl_texture(gl, GL_RGBA16F, 1, width, height);
        gl->NamedFramebufferTexture(target->resolve, GL_COLOR_ATTACHMENT0, target->wide, 0);
    } else if (samples > 1) {
        gl->CreateFramebuffers(1, &target->resolve);
        buffers[TARGET_RESOLVE] =
            target_attach_buffer(target, target->resolve, GL_COLOR_ATTACHMENT0, 1, GL_RGBA8);
    }
    if (target->has_overlays) {
        buffers[TARGET_OVERLAY] =
            target_attach_buffer(target, target->draw, GL_COLOR_ATTACHMENT1, samples, GL_RGBA8);
        gl->NamedFramebufferDrawBuffers(target->draw, 2, both);
    }
    if (target->has_overlays && samples > 1) {
        gl->CreateFramebuffers(1, &target->overlay_resolve);
        buffers[TARGET_OVERLAY_RESOLVE] = target_attach_buffer(target, target->overlay_resolve,
                                                               GL_COLOR_ATTACHMENT0, 1, GL_RGBA8);
    }
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->draw);
    return check_surface(target, diag);
}

void target_set_color(Target *target, const float color[4])
{
    for (int c = 0; c < 4; c++) { /* rounded, so that cleared and copied pixels are equal */
        target->color[c] = (float)to_byte(color[c]) / 255.0f;
        target->clear[c] =
            target->draws_background && target->background == NULL ? target->color[c] : 0.0f;
    }
    for (size_t i = 0; i < 4 * (size_t)target->spec.width; i++)
        target->plain_row[i] = to_byte(target->color[i % 4]);
}

void target_draw_background(Target *target)
{
    target->draws_background = true;
    target_set_color(target, target->color);
}

/* The surface is a pixel until a frame needs more: workers that share it have their own then. */
bool target_init(Target *target, const TargetSpec *spec, const GlApi *gl, Arena *arena, Diag *diag)
{
    const int scale = spec->scale;
    GLint limits[2] = {0}, side = 0;

    *target = (Target){.gl = gl, .spec = *spec};
    gl->GetIntegerv(GL_MAX_VIEWPORT_DIMS, limits);
    gl->GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
    side = side < limits[0] ? side : limits[0];
    if (spec->width > side / scale || spec->height > side / scale)
        return diag_fail(
            diag, DIAG_RESOURCE,
            "a surface of %dx%d times %d (render.supersample) exceeds the limit of OpenGL (1..%d)",
            spec->width, spec->height, scale, side);
    if (!create_surface(target, scale, scale, diag))
        return false;
    const float alpha = spec->alpha ? spec->background[3] : 1.0f;
    float color[4] = {0, 0, 0, alpha};
    for (int c = 0; c < 3; c++)
        color[c] = spec->background[c] * alpha;
    target->plain_row = arena_array(arena, uint8_t, 4 * (size_t)spec->width);
    target_set_color(target, color);
    if (scale > 1) {
        sample_filter_init(&target->filter, scale, spec->width, arena);
        const size_t samples = sample_filter_stride(&target->filter, spec->width) / 4 *
                               (size_t)(STRIP_ROWS * scale + 2);

        target->read = arena_array(arena, uint8_t, 4 * samples + SAMPLE_CHUNK);
        target->alphas = arena_array(arena, uint8_t, samples);
    }
    return true;
}

/* ---- frame ---- */

/* The smallest number of cells of size / `cell_count` that contains low..high, within 0..size. */
static void cell_span(int *from, int *to, int low, int high, int size, int cell_count)
{
    const int cell = (size + cell_count - 1) / cell_count;
    int length = (high - low + cell - 1) / cell * cell;

    length = length < size ? length : size;
    *from = low < size - length ? low : size - length;
    *to = *from + length;
}

bool target_begin(Target *target, ImageRect drawn, bool reversed_depth, Diag *diag)
{
    const GlApi *gl = target->gl;
    const TargetSpec *spec = &target->spec;
    const int scale = spec->scale;
    ImageRect window;

    cell_span(&window.left, &window.right, drawn.left, drawn.right, spec->width, COLUMNS);
    cell_span(&window.top, &window.bottom, drawn.top, drawn.bottom, spec->height, ROWS);
    target->window = window;
    const int width = (window.right - window.left) * scale;
    const int height = (window.bottom - window.top) * scale;
    if ((width != target->width || height != target->height) &&
        !create_surface(target, width, height, diag))
        return false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->draw);
    gl->Viewport(-window.left * scale, -window.top * scale, spec->width * scale,
                 spec->height * scale);
    gl->DepthFunc(reversed_depth ? GL_GEQUAL : GL_LEQUAL);
    gl->ClearDepth(reversed_depth ? 0.0 : 1.0);
    return true;
}

void target_clear(const Target *target)
{
    const GlApi *gl = target->gl;

    gl->ClearColor(target->clear[0], target->clear[1], target->clear[2], target->clear[3]);
    gl->DepthMask(GL_TRUE);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

ImageRect target_surface_rect(const Target *target, ImageRect r)
{
    const int s = target->spec.scale, left = target->window.left, top = target->window.top;

    return (ImageRect){(r.left - left) * s, (r.top - top) * s, (r.right - left) * s,
                       (r.bottom - top) * s};
}

static void blit_color(const Target *target, GLuint to, ImageRect r)
{
    target->gl->BlitNamedFramebuffer(target->draw, to, r.left, r.top, r.right, r.bottom, r.left,
                                     r.top, r.right, r.bottom, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void target_resolve(const Target *target, ImageRect drawn)
{
    const GlApi *gl = target->gl;
    const ImageRect r = target_surface_rect(target, drawn);

    if (target->resolve != target->draw)
        blit_color(target, target->resolve, r);
    if (target->overlay_resolve == 0)
        return;
    gl->NamedFramebufferReadBuffer(target->draw, GL_COLOR_ATTACHMENT1);
    blit_color(target, target->overlay_resolve, r);
    gl->NamedFramebufferReadBuffer(target->draw, GL_COLOR_ATTACHMENT0);
}

void target_draw_lines(const Target *target, bool lines)
{
    const GlApi *gl = target->gl;
    const bool marked = lines && target->spec.scale > 1;

    gl->BlendColor(0.0f, 0.0f, 0.0f, (float)SAMPLE_LINE_ALPHA / 255.0f);
    gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, marked ? GL_CONSTANT_ALPHA : GL_ONE,
                          GL_ONE_MINUS_SRC_ALPHA);
}

/* Reads the samples of part of the image, and the samples beside it, into target->read: rows of
 * `stride` bytes.  Where the surface ends its last samples are repeated. */
static void read_samples(const Target *target, ImageRect part, size_t stride)
{
    const ImageRect own = target_surface_rect(target, part);
    const ImageRect r = {own.left > 0 ? own.left - 1 : 0, own.top > 0 ? own.top - 1 : 0,
                         own.right < target->width ? own.right + 1 : own.right,
                         own.bottom < target->height ? own.bottom + 1 : own.bottom};
    uint8_t *rows = target->read;
    uint8_t *last = rows + (size_t)(own.bottom - own.top + 1) * stride;

    target->gl->PixelStorei(GL_PACK_ROW_LENGTH, (GLint)(stride / 4));
    target->gl->ReadPixels(r.left, r.top, r.right - r.left, r.bottom - r.top, GL_RGBA,
                           GL_UNSIGNED_BYTE,
                           rows + (r.top == own.top ? stride : 0) + (r.left == own.left ? 4 : 0));
    if (r.top == own.top)
        memcpy(rows, rows + stride, stride);
    if (r.bottom == own.bottom)
        memcpy(last, last - stride, stride);
    for (uint8_t *row = rows; row <= last; row += stride) {
        if (r.left == own.left)
            memcpy(row, row + 4, 4);
        if (r.right == own.right)
            memcpy(row + stride - 4, row + stride - 8, 4);
    }
}

/* Selects what is read: the picture or its overlays. */
static void bind_colors(const Target *target, bool overlays)
{
    const GlApi *gl = target->gl;
    GLuint framebuffer = target->resolve;

    if (overlays)
        framebuffer = target->overlay_resolve != 0 ? target->overlay_resolve : target->draw;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    if (framebuffer == target->draw)
        gl->NamedFramebufferReadBuffer(framebuffer,
                                       overlays ? GL_COLOR_ATTACHMENT1 : GL_COLOR_ATTACHMENT0);
}

/* Reads a part of the image of at most STRIP_ROWS rows, which stays in the processor's cache until
 * it is averaged. */
static void read_strip(Image *image, const Target *target, bool overlays, ImageRect strip)
{
    const SampleFilter *filter = &target->filter;
    const int count = strip.right - strip.left;
    const size_t stride = sample_filter_stride(filter, count);
    const size_t samples = stride / 4 * (size_t)((strip.bottom - strip.top) * filter->scale + 2);
    const uint8_t *row = target->read;

    if (overlays) {
        bind_colors(target, false);
        read_samples(target, strip, stride);
        for (size_t i = 0; i < samples; i++)
            target->alphas[i] = target->read[4 * i + 3];
        bind_colors(target, true);
    }
    read_samples(target, strip, stride);
    if (overlays)
        sample_filter_take_alphas(target->read, target->alphas, samples);
    for (int y = strip.top; y < strip.bottom; y++, row += (size_t)filter->scale * stride)
        sample_filter_row(image->pixels +
                              4 * ((size_t)y * (size_t)image->width + (size_t)strip.left),
                          filter, row, count);
}

static void read_rect(uint8_t *to, int row_length, const Target *target, ImageRect drawn)
{
    const ImageRect r = target_surface_rect(target, drawn);

    target->gl->PixelStorei(GL_PACK_ROW_LENGTH, row_length);
    target->gl->ReadPixels(r.left, r.top, r.right - r.left, r.bottom - r.top, GL_RGBA,
                           GL_UNSIGNED_BYTE, to);
}

/* Copies the depths of the first sample of each pixel to a framebuffer with one sample per pixel,
 * which the caller deletes with its buffer. */
static GLuint resolve_depths(GLuint *buffer, const Target *target, GLuint from, ImageRect r)
{
    const GlApi *gl = target->gl;
    GLuint framebuffer;

    gl->CreateFramebuffers(1, &framebuffer);
    *buffer = target_attach_buffer(target, framebuffer, target_depth_attachment(target), 1,
                                   target_depth_format(target));
    gl->BlitNamedFramebuffer(from, framebuffer, r.left, r.top, r.right, r.bottom, r.left, r.top,
                             r.right, r.bottom, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    return framebuffer;
}

/* The greatest depths of scale x scale samples, of which there are `scale` rows. */
static void greatest_depths(float *out, const float *samples, int count, int scale)
{
    for (int x = 0; x < count; x++, out++) {
        *out = 0.0f;
        for (int v = 0; v < scale; v++)
            for (int u = 0; u < scale; u++)
                *out = fmaxf(*out, samples[(size_t)(v * count + x) * (size_t)scale + (size_t)u]);
    }
}

void target_read_depths(float *out, Target *target, GLuint framebuffer, ImageRect part,
                        Arena *arena)
{
    const GlApi *gl = target->gl;
    const int scale = target->spec.scale, count = part.right - part.left;
    const size_t width = (size_t)target->spec.width, side = (size_t)scale;
    const ImageRect r = target_surface_rect(target, part);
    const bool resolves = target->spec.samples > 1 && framebuffer == target->draw;
    GLuint buffer = 0;

    if (count <= 0)
        return;
    if (resolves)
        framebuffer = resolve_depths(&buffer, target, framebuffer, r);
    if (scale > 1 && target->depths == NULL)
        target->depths = arena_array(arena, float, width *side *side);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    out += (size_t)part.top * width + (size_t)part.left;
    gl->PixelStorei(GL_PACK_ROW_LENGTH, scale > 1 ? count * scale : target->spec.width);
    if (scale == 1)
        gl->ReadPixels(r.left, r.top, count, r.bottom - r.top, GL_DEPTH_COMPONENT, GL_FLOAT, out);
    for (int y = r.top; scale > 1 && y < r.bottom; y += scale, out += width) {
        gl->ReadPixels(r.left, y, count * scale, scale, GL_DEPTH_COMPONENT, GL_FLOAT,
                       target->depths);
        greatest_depths(out, target->depths, count, scale);
    }
    if (resolves) {
        gl->DeleteFramebuffers(1, &framebuffer);
        gl->DeleteRenderbuffers(1, &buffer);
    }
}

void target_read_surface(uint8_t *out, const Target *target, ImageRect part)
{
    target->gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->resolve);
    read_rect(out, (part.right - part.left) * target->spec.scale, target, part);
}

/* Puts the background behind pixels, both premultiplied. */
static void composite(uint8_t *to, const uint8_t *from, size_t count)
{
    for (size_t i = 0; i < 4 * count; i += 4) {
        const unsigned rest = 255u - to[i + 3];

        for (size_t c = i; c < i + 4 && rest > 0; c++) {
            const unsigned value = to[c] + (from[c] * rest + 127u) / 255u;

            to[c] = (uint8_t)(value < 255 ? value : 255);
        }
    }
}

/* The same for pixels that were read, of which most are opaque or nothing. */
static void composite_over_background(Image *image, const Target *target, ImageRect drawn)
{
    static const uint8_t alphas[8] = {0, 0, 0, 255, 0, 0, 0, 255};
    const size_t bytes = 4 * (size_t)(drawn.right - drawn.left);
    uint64_t opaque;

    memcpy(&opaque, alphas, sizeof opaque);
    for (int y = drawn.top; y < drawn.bottom; y++) {
        const size_t row = 4 * (size_t)y * (size_t)image->width, left = 4 * (size_t)drawn.left;
        const uint8_t *from =
            (target->background != NULL ? target->background + row : target->plain_row) + left;
        uint8_t *to = image->pixels + row + left;
        size_t i = 0;

        for (uint64_t pair[2]; i + sizeof pair <= bytes; i += sizeof pair) {
            memcpy(pair, to + i, sizeof pair);
            if ((pair[0] | pair[1]) == 0)
                memcpy(to + i, from + i, sizeof pair);
            else if ((pair[0] & pair[1] & opaque) != opaque)
                composite(to + i, from + i, sizeof pair / 4);
        }
        composite(to + i, from + i, (bytes - i) / 4);
    }
}

static void read_pixels(Image *image, const Target *target, bool overlays, ImageRect drawn)
{
    const bool over = !overlays && (target->background != NULL || !target->draws_background);

    bind_colors(target, overlays);
    if (target->spec.scale == 1) {
        const size_t first = (size_t)drawn.top * (size_t)image->width + (size_t)drawn.left;

        read_rect(image->pixels + 4 * first, image->width, target, drawn);
        if (over)
            composite_over_background(image, target, drawn);
        return;
    }
    for (int y = drawn.top; y < drawn.bottom; y += STRIP_ROWS) {
        const int end = y + STRIP_ROWS < drawn.bottom ? y + STRIP_ROWS : drawn.bottom;
        const ImageRect strip = {drawn.left, y, drawn.right, end};

        read_strip(image, target, overlays, strip);
        if (over)
            composite_over_background(image, target, strip);
    }
}

void target_read(Image *image, const Target *target, ImageRect drawn,
                 const uint8_t *background_pixels)
{
    const size_t stride = 4 * (size_t)target->spec.width;
    const size_t left = 4 * (size_t)drawn.left, right = 4 * (size_t)drawn.right;

    image->width = target->spec.width;
    image->height = target->spec.height;
    image->has_alpha = target->spec.alpha;
    if (drawn.left < drawn.right)
        read_pixels(image, target, false, drawn);
    for (int y = 0; y < image->height; y++) {
        const size_t first = (size_t)y * stride;
        const uint8_t *from =
            background_pixels != NULL ? background_pixels + first : target->plain_row;
        uint8_t *to = image->pixels + first;

        if (y < drawn.top || y >= drawn.bottom) {
            memcpy(to, from, stride);
        } else {
            memcpy(to, from, left);
            memcpy(to + right, from + right, stride - right);
        }
    }
}

void target_unpremultiply(Image *image, const Target *target)
{
    uint8_t *p = image->pixels;
    const uint8_t *end = p + 4 * (size_t)image->width * (size_t)image->height;

    for (; target->spec.alpha && p < end; p += 4)
        if (p[3] > 0 && p[3] < 255)
            for (int c = 0; c < 3; c++) {
                const unsigned value = (p[c] * 255u + p[3] / 2u) / p[3];

                p[c] = (uint8_t)(value < 255 ? value : 255);
            }
}

void target_want(Target *target, bool stencil, bool overlays, bool wide)
{
    if (target->spec.stencil != stencil || target->has_overlays != overlays ||
        target->is_wide != wide)
        target->width = target->height = 0; /* target_begin creates another surface */
    target->spec.stencil = stencil;
    target->has_overlays = overlays;
    target->is_wide = wide;
}

void target_draw_overlays(const Target *target, bool light, bool lines)
{
    target->gl->ColorMaski(1, light, lines, GL_FALSE, lines); /* alpha: which samples are lines */
}

void target_clear_overlays(const Target *target)
{
    static const GLfloat white[4] = {1.0f, 1.0f, 1.0f, 0.0f};

    target_draw_overlays(target, true, true);
    if (target->has_overlays)
        target->gl->ClearNamedFramebufferfv(target->draw, GL_COLOR, 1, white);
}

void target_read_overlays(Image *image, const Target *target, ImageRect drawn)
{
    if (drawn.left >= drawn.right)
        return;
    read_pixels(image, target, true, drawn);
    bind_colors(target, false);
}

void target_copy_overlay(Image *image, const Image *overlays, ImageRect drawn, size_t channel)
{
    const size_t width = (size_t)overlays->width, height = (size_t)overlays->height;

    memset(image->pixels, 255, 4 * width * height);
    for (int y = drawn.top; y < drawn.bottom; y++) {
        const size_t row = 4 * (size_t)y * width;
        const uint8_t *from = overlays->pixels + row + channel;
        for (size_t x = (size_t)drawn.left; x < (size_t)drawn.right; x++)
            memset(image->pixels + row + 4 * x, from[4 * x], 3);
    }
}
