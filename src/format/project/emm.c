// SPDX-License-Identifier: MIT
#include "format/project/emm.h"

#include <stdlib.h>
#include <string.h>

#include "base/encoding.h"
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

/* "Pmd1", "Acs2[3]", "Obj.show", "Owner": sets the entry's kind, object and subset. */
static bool read_key(EmmEntry *entry, char *key, Arena *arena)
{
    char *end = key + strcspn(key, "[."), *after = end;
    long subset = -1;
    if (*end == '[') {
        subset = strtol(end + 1, &after, 10);
        if (after == end + 1 || subset < 0 || subset > INT32_MAX || *after++ != ']')
            return false;
    }
    if (*after && !text_equal_ignoring_case(after, ".show"))
        return false;
    entry->kind = *after                                     ? EMM_SHOW
                  : text_equal_ignoring_case(key, "Owner")   ? EMM_OWNER
                  : text_equal_ignoring_case(key, "Default") ? EMM_DEFAULT
                                                             : EMM_FILE;
    *end = '\0';
    const bool numbered = (starts_with(key, "Pmd") || starts_with(key, "Acs")) && key[3] &&
                          key[3 + strspn(key + 3, "0123456789")] == '\0';
    const bool names_none = entry->kind == EMM_OWNER || entry->kind == EMM_DEFAULT;
    entry->subset = (int32_t)subset;
    entry->object = names_none ? "" : arena_strdup(arena, key);
    return names_none || numbered || text_equal_ignoring_case(key, "Obj");
}

static void add_line(Entries *entries, const char *section, char *line, Arena *arena)
{
    char *equals = strchr(line, '=');
    EmmEntry entry = {.section = section};
    if (!section || !equals)
        return;
    *equals = '\0';
    char *key = trim(line);
    const char *value = trim(equals + 1);
    if (!*value || !read_key(&entry, key, arena))
        return;
    entry.value = arena_strdup(arena, value);
    *arena_push(arena, entries) = entry;
}

static bool is_path(const char *value)
{
    return !text_equal_ignoring_case(value, "none") && !text_equal_ignoring_case(value, "hide");
}

bool emm_is_effect(const EmmEntry *entry)
{
    return entry->kind == EMM_FILE && starts_with(entry->section, "Effect") &&
           is_path(entry->value);
}

const char *emm_target(const EmmEntry *entry)
{
    return entry->section[strlen("Effect")] == '@' ? entry->section + strlen("Effect@") : NULL;
}

const char *emm_effect(const EmmEntry *entry)
{
    return entry->kind == EMM_FILE ? entry->value
           : entry->kind == EMM_SHOW && text_equal_ignoring_case(entry->value, "false") ? "hide"
                                                                                        : NULL;
}

bool emm_load(Emm *emm, Bytes bytes, Arena *arena, Diag *diag)
{
    parser_enter("emm");
    if (bytes.size > EMM_MAX_SIZE)
        return diag_error(diag, "%zu bytes exceed the limit of %d", bytes.size, EMM_MAX_SIZE);
    Arena *scratch = arena_create();
    char *text = encoding_decode_text(bytes.data, bytes.size, scratch);
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
    return entries.count <= EMM_MAX_ENTRIES ||
           diag_error(diag, "%zu assignments exceed the limit of %d", entries.count,
                      EMM_MAX_ENTRIES);
}
