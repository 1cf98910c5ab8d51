#include "cli/arguments.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/flags.h"

enum { MAX_NAMES = 64 };

const Verb *verb_find(const Verb *verbs, const char *name)
{
    for (const Verb *verb = verbs; verb->name; verb++)
        if (!strcmp(verb->name, name))
            return verb;
    return NULL;
}

/* Is `name` one of the words of `list`? */
static bool is_listed(const char *list, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
            return true;
    return false;
}

bool verb_takes(const Verb *verb, const Flag *flag)
{
    return is_listed(verb->flags, flag->name) || is_listed("color quiet help", flag->name);
}

/* ---- what is wrong ---- */

static bool unknown(Diag *diag, const char *what, const char *name, const char *dashes,
                    const char *const *names, size_t count)
{
    const char *nearest = text_nearest(name, names, count);
    if (nearest)
        return diag_fail(diag, DIAG_USAGE, "unknown %s '%s%s'; did you mean '%s%s'?", what, dashes,
                         name, dashes, nearest);
    return diag_fail(diag, DIAG_USAGE, "unknown %s '%s%s'; see 'odori help'", what, dashes, name);
}

static bool unknown_verb(const char *name, const Verb *verbs, Diag *diag)
{
    const char *names[MAX_NAMES];
    size_t count = 0;
    for (const Verb *verb = verbs; verb->name && count < MAX_NAMES; verb++)
        names[count++] = verb->name;
    return unknown(diag, "verb", name, "", names, count);
}

static bool unknown_flag(const char *name, const Verb *verb, Diag *diag)
{
    const char *names[MAX_NAMES];
    size_t count = 0;
    for (const Flag *flag = flags; flag->name && count < MAX_NAMES; flag++)
        if (verb_takes(verb, flag))
            names[count++] = flag->name;
    return unknown(diag, "flag", name, "--", names, count);
}

static bool wrong_choice(const Flag *flag, const char *value, Diag *diag)
{
    char list[256];
    size_t used = 0;
    for (size_t i = 0; flag->choices[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 flag->choices[i]);
    return diag_fail(diag, DIAG_USAGE, "--%s: '%s' is not one of %s", flag->name, value, list);
}

/* ---- taking it in ---- */

typedef struct Parser {
    Arguments *args;
    Arena *arena;
    Diag *diag;
    int left; /* arguments that are not looked at yet */
    char **at;
} Parser;

static void *place(const Parser *parser, const Flag *flag)
{
    return (char *)parser->args + flag->offset;
}

static int choice_of(const Flag *flag, const char *value)
{
    for (int i = 0; flag->choices && flag->choices[i]; i++)
        if (!strcmp(flag->choices[i], value))
            return i;
    return -1;
}

/* A folder named here is relative to where we are, one in a job to the job. */
static const char *value_for_key(const Flag *flag, const char *value, Arena *arena)
{
    char folder[4096];
    if (strcmp(flag->value, "DIR") != 0 || value[0] == '/' || !getcwd(folder, sizeof folder))
        return value;
    return arena_printf(arena, "%s/%s", folder, value);
}

static bool store(Parser *parser, const Flag *flag, const char *value)
{
    Arguments *args = parser->args;
    if (flag->choices && choice_of(flag, value) < 0)
        return wrong_choice(flag, value, parser->diag);
    switch (flag->type) {
    case FLAG_SWITCH:
        *(bool *)place(parser, flag) = true;
        break;
    case FLAG_TEXT:
        *(const char **)place(parser, flag) = value;
        break;
    case FLAG_CHOICE:
        *(int *)place(parser, flag) = choice_of(flag, value);
        break;
    case FLAG_SET:
        if (!strchr(value, '='))
            return diag_fail(parser->diag, DIAG_USAGE, "--set: '%s' is not of the form key=value",
                             value);
        *arena_push(parser->arena, &args->sets) = value;
        break;
    case FLAG_KEY:
        *arena_push(parser->arena, &args->keys) =
            (JobFlag){arena_printf(parser->arena, "--%s", flag->name),
                      arena_printf(parser->arena, "%s=%s", flag->key,
                                   value_for_key(flag, value, parser->arena))};
        break;
    }
    return true;
}

/* `value`: what stands behind = or directly behind a letter, or NULL. */
static bool take_flag(Parser *parser, const Flag *flag, const char *value)
{
    if (!flag->value && value)
        return diag_fail(parser->diag, DIAG_USAGE, "--%s takes no value", flag->name);
    if (flag->value && !value) {
        if (!parser->left)
            return diag_fail(parser->diag, DIAG_USAGE, "--%s needs a value (%s)", flag->name,
                             flag->value);
        value = *parser->at++;
        parser->left--;
    }
    return store(parser, flag, value);
}

static bool take_long(Parser *parser, const char *text)
{
    const size_t size = strcspn(text, "=");
    const Flag *flag = flag_find(text, size);
    if (!flag || !verb_takes(parser->args->verb, flag))
        return unknown_flag(arena_strndup(parser->arena, text, size), parser->args->verb,
                            parser->diag);
    return take_flag(parser, flag, text[size] ? text + size + 1 : NULL);
}

static bool take_letters(Parser *parser, const char *text)
{
    for (; *text; text++) {
        const Flag *flag = flag_of_letter(*text);
        if (!flag || !verb_takes(parser->args->verb, flag))
            return diag_fail(parser->diag, DIAG_USAGE, "unknown flag '-%c'; see 'odori help %s'",
                             *text, parser->args->verb->name);
        if (flag->value)
            return take_flag(parser, flag, text[1] ? text + 1 + (text[1] == '=') : NULL);
        if (!take_flag(parser, flag, NULL))
            return false;
    }
    return true;
}

static bool take_arguments(Parser *parser)
{
    bool flags_over = false;
    while (parser->left) {
        const char *text = *parser->at++;
        parser->left--;
        const bool flag = !flags_over && text[0] == '-' && text[1];
        if (flag && !strcmp(text, "--"))
            flags_over = true;
        else if (flag &&
                 !(text[1] == '-' ? take_long(parser, text + 2) : take_letters(parser, text + 1)))
            return false;
        else if (!flag)
            *arena_push(parser->arena, &parser->args->files) = text;
    }
    return true;
}

bool arguments_parse(Arguments *args, int argc, char **argv, const Verb *verbs, Arena *arena,
                     Diag *diag)
{
    const char *name = argv[1];
    *args = (Arguments){0};
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        name = "version";
    args->verb = verb_find(verbs, name);
    if (!args->verb)
        return unknown_verb(name, verbs, diag);
    Parser parser = {args, arena, diag, argc - 2, argv + 2};
    if (!take_arguments(&parser))
        return false;
    if (!args->help && args->files.count < args->verb->least_files)
        return diag_fail(diag, DIAG_USAGE, "usage: odori %s %s", name, args->verb->operands);
    return true;
}
