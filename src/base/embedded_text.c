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
        field_find(fields, name, (size_t)(end - name))->write(out, user);
        const bool is_line = (at == text || at[-1] == '\n') && end[1] == '\n';
        rest = end + 1 + is_line;
    }
    fputs(rest, out);
}
