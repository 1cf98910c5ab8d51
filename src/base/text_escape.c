#include "base/text_escape.h"

#include <stdarg.h>
#include <string.h>

#include <utf8proc.h>

bool text_is_control(int32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) ||       /* C0, DEL, C1 */
           code == 0x2028 || code == 0x2029 ||                   /* line and paragraph separator */
           code == 0x061C || code == 0x200E || code == 0x200F || /* direction marks */
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF; /* byte order mark */
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
    else if (text_is_control(code))
        shown = snprintf(out, TEXT_ESCAPE_SIZE, code < 0x100 ? "\\x%02X" : "\\u%04X",
                         (unsigned)code & 0xFFFFu);
    else
        shown = snprintf(out, TEXT_ESCAPE_SIZE, "%.*s", (int)size, start);
    return (size_t)shown;
}

char *text_escape(const char *text, Arena *arena)
{
    char next[TEXT_ESCAPE_SIZE];
    size_t size = 0;
    for (const char *at = text; *at;)
        size += text_escape_next(next, &at);
    char *out = arena_alloc(arena, size + 1), *end = out;
    for (const char *at = text; *at;) {
        const size_t n = text_escape_next(next, &at);
        memcpy(end, next, n);
        end += n;
    }
    *end = '\0';
    return out;
}

void text_write_escaped(FILE *out, const char *text)
{
    char next[TEXT_ESCAPE_SIZE];
    while (*text) {
        text_escape_next(next, &text);
        fputs(next, out);
    }
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
