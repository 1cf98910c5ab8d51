#include "format/project/emm.h"

#include <string.h>

#include "base/parser_entry.h"
#include "base/text.h"

typedef ARENA_LIST(EmmEntry) Entries;

/* Removes blanks and a carriage return at both ends, in place. */
static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    size_t size = strlen(text);
    while (size && strchr(" \t\r", text[size - 1]))
        text[--size] = '\0';
    return text;
}

static bool starts_with(const char *text, const char *prefix)
{
    size_t i = 0;
    while (prefix[i] && (text[i] | 0x20) == (prefix[i] | 0x20))
        i++;
    return !prefix[i];
}

/* The name between brackets, or NULL if it is of no use. */
static const char *section_of(char *line, Arena *arena)
{
    char *end = strrchr(line, ']');
    if (end)
        *end = '\0';
    const char *name = trim(line + 1);
    return text_equal_ignoring_case(name, "Object") || starts_with(name, "Effect")
               ? arena_strdup(arena, name)
               : NULL;
}

static bool is_object(const char *key)
{
    const bool named = starts_with(key, "Pmd") || starts_with(key, "Acs");
    const size_t digits = named ? strspn(key + 3, "0123456789") : 0;
    return digits && (!key[3 + digits] || key[3 + digits] == '['); /* no Pmd1.show */
}

static bool is_path(const char *value)
{
    return *value && !text_equal_ignoring_case(value, "none") &&
           !text_equal_ignoring_case(value, "hide");
}

static void add_line(Entries *entries, const char *section, char *line, Arena *arena)
{
    char *equals = strchr(line, '=');
    if (!section || !equals)
        return;
    *equals = '\0';
    const char *key = trim(line), *value = trim(equals + 1);
    if (!is_object(key) || strchr(key, '.') || !is_path(value))
        return;
    *arena_push(arena, entries) =
        (EmmEntry){section, arena_strdup(arena, key), arena_strdup(arena, value)};
}

bool emm_is_effect(const EmmEntry *entry)
{
    return starts_with(entry->section, "Effect");
}

bool emm_load(Emm *emm, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("emm");
    if (bytes.size > EMM_MAX_SIZE)
        return diag_error(diag, "%zu bytes exceed the limit of %d", bytes.size, EMM_MAX_SIZE);
    Arena *scratch = arena_create();
    const bool is_utf8 = text_is_utf8(bytes.data, bytes.size);
    char *text = is_utf8 ? text_from_utf8(bytes.data, bytes.size, scratch)
                         : text_from_cp932(bytes.data, bytes.size, scratch);
    Entries entries = {0};
    const char *section = NULL;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line = trim(line);
        if (*line == '[')
            section = section_of(line, arena);
        else if (*line != ';' && *line != '#')
            add_line(&entries, section, line, arena);
    }
    *emm = (Emm){entries.items, entries.count};
    arena_destroy(scratch);
    return true;
}
