// SPDX-License-Identifier: MIT
#include "base/problem_list.h"

void problem_list_add(void *user, const DiagMessage *message)
{
    ProblemList *list = user;
    if (message->level == DIAG_NOTE)
        return;
    DiagMessage copy = *message;
    copy.shown = NULL;
    copy.code = arena_strdup(list->arena, message->code);
    copy.file = arena_strdup(list->arena, message->file);
    copy.text = arena_strdup(list->arena, message->text);
    copy.hint = arena_strdup(list->arena, message->hint);
    *arena_push(list->arena, list) = copy;
}

const char *problem_location(const DiagMessage *m, const char *otherwise, Arena *arena)
{
    return !*m->file ? otherwise
           : m->line ? arena_printf(arena, "%s:%u:%u", m->file, m->line, m->column)
                     : m->file;
}

const char *problem_text(const DiagMessage *m, Arena *arena)
{
    return *m->hint ? arena_printf(arena, "%s; %s", m->text, m->hint) : m->text;
}
