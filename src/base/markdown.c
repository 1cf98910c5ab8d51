// SPDX-License-Identifier: MIT
#include "base/markdown.h"

#include <string.h>

#include "base/text_escape.h"

static bool starts_link(const char *text)
{
    static const char *const starts[] = {"@", "#", "://", "www."};
    size_t i = 0;
    while (i < sizeof starts / sizeof *starts && strncmp(text, starts[i], strlen(starts[i])) != 0)
        i++;
    return i < sizeof starts / sizeof *starts;
}

void markdown_write_text(FILE *out, const char *text)
{
    char shown[TEXT_ESCAPE_SIZE];
    while (*text) {
        const bool link = starts_link(text);
        text_escape_next(shown, &text);
        for (const char *c = shown; *c; c++) {
            if (strchr("\\`*_{}[]<>()#!|~&@$", *c))
                fputc('\\', out);
            fputc(*c, out);
        }
        if (link)
            fputs("&#8203;", out);
    }
}
