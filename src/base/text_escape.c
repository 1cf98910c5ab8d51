// SPDX-License-Identifier: MIT
#include "base/text_escape.h"

#include <stdarg.h>
#include <string.h>

#include <utf8proc.h>

#include "base/text.h"
#include "base/text_stream.h"

bool text_is_control(int32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) ||       /* C0, DEL, C1 */
           code == 0x2028 || code == 0x2029 ||                   /* line and paragraph separator */
           code == 0x061C || code == 0x200E || code == 0x200F || /* direction marks */
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF; /* byte order mark */
}

bool text_begins_command(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    return strncmp(text, "##", 2) == 0 && text[2 + strspn(text + 2, letters)] == '[';
}

size_t text_escape_next(char out[TEXT_ESCAPE_SIZE], const char **at)
{
    utf8proc_int32_t code;
    const char *start = *at;
    const utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)start,
                                                   (utf8proc_ssize_t)strnlen(start, 4), &code);
    int shown;
    *at += size > 0 ? size : 1;
    if (size <= 0)
        shown = snprintf(out, TEXT_ESCAPE_SIZE, "\\x%02X", (unsigned)(unsigned char)*start);
    else if (code == '\n' || code == '\r' || code == '\t')
        shown = snprintf(out, TEXT_ESCAPE_SIZE, "\\%c",
                         code == '\n'   ? 'n'
                         : code == '\r' ? 'r'
                                        : 't');
    else if (text_is_control(code) || text_begins_command(start))
        shown = snprintf(out, TEXT_ESCAPE_SIZE, code < 0x100 ? "\\x%02X" : "\\u%04X",
                         (unsigned)code & 0xFFFFu);
    else
        shown = snprintf(out, TEXT_ESCAPE_SIZE, "%.*s", (int)size, start);
    return (size_t)shown;
}

/* The first colon of "::" at the start of a line, behind blanks, which runners ignore; or NULL. */
static const char *line_command(const char *text)
{
    text += strspn(text, " ");
    return strncmp(text, "::", 2) == 0 ? text : NULL;
}

size_t text_foreign_bytes(const char *text)
{
    size_t size = 0;
    while ((unsigned char)text[size] >= 0x80)
        size++;
    return text_is_utf8(text, size) ? 0 : size;
}

void text_write_escaped(FILE *out, const char *text)
{
    char next[TEXT_ESCAPE_SIZE];
    const char *command = line_command(text);
    for (uint8_t before = 0; *text;) {
        for (size_t n = before < 0x80 ? text_foreign_bytes(text) : 0; n; n--)
            fprintf(out, "\\x%02X", (unsigned)(uint8_t)*text++);
        before = (uint8_t)*text;
        if (!before)
            break;
        if (text == command) {
            fputs("\\x3A", out);
            text++;
            continue;
        }
        text_escape_next(next, &text);
        fputs(next, out);
    }
}

char *text_escape(const char *text, Arena *arena)
{
    TextStream stream;
    text_write_escaped(text_stream_open(&stream, arena), text);
    return text_stream_close(&stream);
}

void text_printf(FILE *out, const char *format, ...)
{
    Arena *arena = arena_create();
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    const size_t size = strlen(text), end = strlen(format);
    const bool line = end && format[end - 1] == '\n';
    if (line)
        text[size - 1] = '\0';
    text_write_escaped(out, text);
    if (line)
        fputc('\n', out);
    arena_destroy(arena);
}
