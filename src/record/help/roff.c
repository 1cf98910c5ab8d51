// SPDX-License-Identifier: MIT
#include "record/help/roff.h"

#include <string.h>

enum { LINE_WIDTH = 79 };

static size_t write_escaped(FILE *out, const char *text, size_t size)
{
    size_t written = size;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '-' || text[i] == '\\') {
            fputc('\\', out);
            written++;
        }
        fputs(text[i] == '\\' ? "e" : (char[2]){text[i], '\0'}, out);
    }
    return written;
}

void roff_inline(FILE *out, const char *text)
{
    write_escaped(out, text, strlen(text));
}

void roff_text(FILE *out, const char *macro, const char *text)
{
    size_t column = 0;
    while (*text) {
        const size_t size = strcspn(text, " \n");
        size_t width = size;
        for (size_t i = 0; i < size; i++)
            width += text[i] == '-' || text[i] == '\\';
        if (column && column + 1 + width > LINE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        if (column)
            column += fputs(" ", out) >= 0;
        else if (*text == '.' || *text == '\'')
            column += 2 * (size_t)(fputs("\\&", out) >= 0);
        column += write_escaped(out, text, size);
        text += size;
        if (*text == '\n' && text[1]) {
            fprintf(out, "\n%s\n", macro);
            column = 0;
        }
        text += strspn(text, " \n");
    }
    fputc('\n', out);
}

void roff_item(FILE *out, const char *tag)
{
    fputs(".TP\n.B ", out);
    roff_inline(out, tag);
    fputc('\n', out);
}
