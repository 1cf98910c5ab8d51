// SPDX-License-Identifier: MIT
#include "base/embedded_text.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

const char *embedded_text_find(const EmbeddedText *table, const char *name)
{
    for (; table->name; table++)
        if (!strcmp(table->name, name))
            return table->text;
    return NULL;
}

/* The text after the heading of a section. */
static const char *section_find(const char *text, const char *name)
{
    const size_t size = strlen(name);
    for (; text; text = strstr(text, "\n# ") ? strstr(text, "\n# ") + 1 : NULL)
        if (!strncmp(text, "# ", 2) && !strncmp(text + 2, name, size) && text[2 + size] == '\n')
            return text + 2 + size;
    return NULL;
}

const char *embedded_text_section(const char *text, const char *name, Arena *arena)
{
    const char *at = section_find(text, name);
    assert(at);
    char *out = arena_alloc(arena, strlen(at) + 2), *end = out;
    while (*at && *at != '#') {
        const size_t size = strcspn(at, "\n"), breaks = strspn(at + size, "\n");
        memcpy(end, at, size);
        end += size;
        if (end > out)
            *end++ = breaks > 1 || !at[size + breaks] ? '\n' : ' ';
        at += size + breaks;
    }
    *end = '\0';
    return out;
}

static const TextField *field_find(const TextField *fields, const char *name, size_t size)
{
    while (fields->name && (strlen(fields->name) != size || memcmp(fields->name, name, size) != 0))
        fields++;
    assert(fields->name);
    return fields;
}

void embedded_text_write(FILE *out, const char *text, const TextField *fields, const void *user)
{
    const char *rest = text;
    for (const char *at; (at = strstr(rest, "@{"));) {
        const char *name = at + 2, *end = name + strcspn(name, "}");
        assert(*end);
        fwrite(rest, 1, (size_t)(at - rest), out);
        const TextField *field = field_find(fields, name, (size_t)(end - name));
        if (field->write)
            field->write(out, user);
        else
            fputs(field->text, out);
        const bool is_line = (at == text || at[-1] == '\n') && end[1] == '\n';
        rest = end + 1 + is_line;
    }
    fputs(rest, out);
}
