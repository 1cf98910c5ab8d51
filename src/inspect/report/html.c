// SPDX-License-Identifier: MIT
#include "inspect/report/html.h"

#include <stdarg.h>
#include <string.h>

#include "base/image_scale.h"
#include "base/text_escape.h"
#include "output/sink.h"

enum { TEXT_SIZE = 4096, WEBP_QUALITY = 82 };

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* U+FFFE and U+FFFF, the only ones that text_escape_next keeps and XML lacks. */
static bool is_noncharacter(const char *shown)
{
    return !memcmp(shown, "\xEF\xBF\xBE", 3) || !memcmp(shown, "\xEF\xBF\xBF", 3);
}

/* Writes the next character of *text. */
static void write_escaped(FILE *out, const char **text)
{
    char shown[TEXT_ESCAPE_SIZE] = {0};
    const size_t size = text_escape_next(shown, text);
    const char *entity = entity_of(*shown);
    if (entity)
        fputs(entity, out);
    else
        fputs(size == 3 && is_noncharacter(shown) ? "?" : shown, out);
}

void html_text(FILE *out, const char *text)
{
    while (*text)
        write_escaped(out, &text);
}

void html_lines(FILE *out, const char *text)
{
    while (*text) {
        while (*text && *text != '\r' && *text != '\n')
            write_escaped(out, &text);
        text += text[0] == '\r' && text[1] == '\n' ? 2 : *text != '\0';
        fputc('\n', out);
    }
}

static void write_formatted(FILE *out, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static void write_formatted(FILE *out, const char *format, va_list args)
{
    char text[TEXT_SIZE];
    vsnprintf(text, sizeof text, format, args);
    html_text(out, text);
}

void html_printf(FILE *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_formatted(out, format, args);
    va_end(args);
}

static void end_element(FILE *out, const char *tag)
{
    fprintf(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void html_element(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    html_text(out, text);
    end_element(out, tag);
}

void html_element_printf(FILE *out, const char *tag, const char *format, ...)
{
    va_list args;
    fprintf(out, "<%s>", tag);
    va_start(args, format);
    write_formatted(out, format, args);
    va_end(args);
    end_element(out, tag);
}

/* ---- data: ---- */

void html_data_uri(FILE *out, const char *type, Bytes bytes)
{
    fprintf(out, "data:%s;base64,", type);
    for (size_t i = 0; i < bytes.size; i += 3) {
        uint8_t in[3] = {0};
        const size_t size = bytes.size - i < 3 ? bytes.size - i : 3;
        memcpy(in, bytes.data + i, size);
        static const char digits[] =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const unsigned bits = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2];
        for (size_t k = 0; k < 4; k++)
            fputc(k <= size ? digits[bits >> (18 - 6 * k) & 63] : '=', out);
    }
}

/* ---- images ---- */

bool html_image_create(HtmlImage *out, const Image *image, int width, Arena *arena, Diag *diag)
{
    Arena *scratch = arena_create();
    const Image scaled = image_scale_to_width(image, width, scratch);
    out->width = scaled.width;
    out->height = scaled.height;
    const bool good = sink_webp_encode(&out->webp, &scaled, WEBP_QUALITY, arena, diag);
    arena_destroy(scratch);
    return good;
}

void html_image(FILE *out, const HtmlImage *image, const char *alt)
{
    fprintf(out, "<img width=\"%d\" height=\"%d\" loading=\"lazy\" alt=\"", image->width,
            image->height);
    html_text(out, alt);
    fputs("\" src=\"", out);
    html_data_uri(out, "image/webp", image->webp);
    fputs("\"/>", out);
}
