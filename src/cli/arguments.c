// SPDX-License-Identifier: MIT
#include "cli/arguments.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/scheduler.h"
#include "base/text.h"
#include "base/text_stream.h"
#include "cli/flags.h"
#include "cli/verbs.h"
#include "job/job_options.h"

enum { MAX_NAMES = 160 };

/* ---- error messages ---- */

static bool report_unknown(Diag *diag, const char *kind, const char *name, const char *dashes,
                           const char *const *names, size_t count)
{
    const char *nearest = text_nearest(name, names, count);
    if (nearest)
        return diag_fail(diag, DIAG_USAGE, "unknown %s '%s%s'; did you mean '%s%s'?", kind, dashes,
                         name, dashes, nearest);
    return diag_fail(diag, DIAG_USAGE, "unknown %s '%s%s'; see 'odori help'", kind, dashes, name);
}

static bool report_unknown_verb(const char *name, Diag *diag)
{
    const char *names[MAX_NAMES];
    size_t count = 0;
    for (const Verb *verb = verbs; verb->name && count < MAX_NAMES; verb++)
        names[count++] = verb->name;
    if (text_find(text_choices(scheduler_names), name) >= 0)
        return diag_fail(diag, DIAG_USAGE, "unknown verb '%s'; did you mean 'submit --to %s'?",
                         name, name);
    return report_unknown(diag, "verb", name, "", names, count);
}

/* Flags of earlier versions that no other flag replaces. */
static const struct {
    const char *name, *instead;
} removed_flags[] = {
    {"resume", "it is not needed: a film continues where it was stopped"},
    {"hall", "it is a scene of the benchmarks: 'make hall' in the source tree writes its job"},
};

static bool report_unknown_flag(const char *name, const Verb *verb, Diag *diag)
{
    const char *names[MAX_NAMES];
    size_t count = 0;
    for (const Flag *flag = flag_table(); flag->name && count < MAX_NAMES; flag++) {
        if (!verb_accepts(verb, flag))
            continue;
        names[count++] = flag->name;
        if (flag->other_names && flag_is_listed(flag->other_names, name))
            return diag_fail(diag, DIAG_USAGE, "unknown flag '--%s'; did you mean '--%s'?", name,
                             flag->name);
    }
    for (size_t i = 0; i < sizeof removed_flags / sizeof *removed_flags; i++)
        if (!strcmp(removed_flags[i].name, name))
            return diag_fail(diag, DIAG_USAGE, "unknown flag '--%s'; %s", name,
                             removed_flags[i].instead);
    return report_unknown(diag, "flag", name, "--", names, count);
}

static bool report_wrong_choice(const Flag *flag, const char *value, Diag *diag)
{
    const char *const *choices = flag_choices(flag);
    char list[256];
    size_t used = 0;
    for (size_t i = 0; choices[i] && used < sizeof list; i++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choices[i]);
    return diag_fail(diag, DIAG_USAGE, "--%s: '%s' is not one of %s", flag->name, value, list);
}

/* ---- parsing ---- */

typedef struct Parser {
    Arguments *args;
    Arena *arena;
    Diag *diag;
    int left; /* arguments that are not parsed yet */
    char **next;
} Parser;

static void *field_ptr(const Parser *parser, const Flag *flag)
{
    return (char *)parser->args + flag->offset;
}

/* As a text of YAML.  A path on the command line is relative to the current directory, in a job
 * file to that file. */
static const char *quoted(const char *value, bool is_path, Arena *arena)
{
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, arena));
    const char *full = is_path ? path_absolute(value, arena) : NULL;
    json_text(&json, full ? full : value);
    return text_stream_close(&stream);
}

/* The value of the key that a flag sets, "key=value"; for a map "key.name=value". */
static bool set_key(Parser *parser, const Flag *flag, const char *value)
{
    Arena *arena = parser->arena;
    const OptionType type = option_at(flag->key)->type;
    const bool is_path = type == OPTION_PATH || type == OPTION_OPTIONAL;
    const char *set;
    if (!value) {
        set = arena_printf(arena, "%s=true", flag->key);
    } else if (type == OPTION_RENAMES) {
        const size_t size = strcspn(value, "=");
        if (!size || !value[size] || memchr(value, '.', size))
            return diag_fail(parser->diag, DIAG_USAGE,
                             "--%s: '%s' is not of the form KEY=VALUE, as in title=Dance",
                             flag->name, value);
        set = arena_printf(arena, "%s.%.*s=%s", flag->key, (int)size, value,
                           quoted(value + size + 1, false, arena));
    } else if (is_path || type == OPTION_TEXT) {
        set = arena_printf(arena, "%s=%s", flag->key, quoted(value, is_path, arena));
    } else {
        set = arena_printf(arena, "%s=%s", flag->key, value);
    }
    *arena_push(arena, &parser->args->keys) =
        (JobFlag){arena_printf(arena, "--%s", flag->name), set};
    return true;
}

static bool store_value(Parser *parser, const Flag *flag, const char *value)
{
    const char *const *choices = flag_choices(flag);
    Arguments *args = parser->args;
    if (choices && text_find(text_choices(choices), value) < 0)
        return report_wrong_choice(flag, value, parser->diag);
    switch (flag->type) {
    case FLAG_SWITCH:
        *(bool *)field_ptr(parser, flag) = true;
        break;
    case FLAG_OPTIONAL:
        *(const char **)field_ptr(parser, flag) = value ? value : "";
        break;
    case FLAG_LIST:
        *arena_push(parser->arena, (TextList *)field_ptr(parser, flag)) = value;
        break;
    case FLAG_TEXT:
    case FLAG_WORDS:
        *(const char **)field_ptr(parser, flag) = value;
        break;
    case FLAG_CHOICE:
        *(int *)field_ptr(parser, flag) = text_find(text_choices(choices), value);
        break;
    case FLAG_SET:
        assert(value); /* a flag with a value */
        if (!strchr(value, '='))
            return diag_fail(parser->diag, DIAG_USAGE, "--set: '%s' is not of the form key=value",
                             value);
        *arena_push(parser->arena, &args->sets) = value;
        break;
    case FLAG_KEY:
        return set_key(parser, flag, value);
    }
    return true;
}

/* `value` is the text after '=' or directly after a letter, or NULL. */
static bool parse_flag(Parser *parser, const Flag *flag, const char *value)
{
    if (!flag->value && value)
        return diag_fail(parser->diag, DIAG_USAGE, "--%s takes no value", flag->name);
    if (flag->value && !value && flag->type != FLAG_OPTIONAL) {
        if (!parser->left)
            return diag_fail(parser->diag, DIAG_USAGE, "--%s needs a value (%s)", flag->name,
                             flag->value);
        value = *parser->next++;
        parser->left--;
    }
    if (value && !*value && flag->type != FLAG_OPTIONAL && flag->type != FLAG_WORDS)
        return diag_fail(parser->diag, DIAG_USAGE, "--%s: value is empty; expected %s", flag->name,
                         flag->value);
    return store_value(parser, flag, value);
}

/* Whether a flag has this name, or is of a key and has it in another program, as --maxrate, in the
 * same case. */
static bool is_long_name(const Flag *flag, const char *name)
{
    return !strcmp(flag->name, name) ||
           (flag_is_of_key(flag) && flag->other_names && name[1] &&
            strstr(flag->other_names, name) && flag_is_listed(flag->other_names, name));
}

static bool parse_long_flag(Parser *parser, const char *text)
{
    const Verb *verb = parser->args->verb;
    const size_t size = strcspn(text, "=");
    const char *name = arena_strndup(parser->arena, text, size);
    const Flag *flag = flag_table();
    while (flag->name && !(verb_accepts(verb, flag) && is_long_name(flag, name)))
        flag++;
    return flag->name ? parse_flag(parser, flag, text[size] ? text + size + 1 : NULL)
                      : report_unknown_flag(name, verb, parser->diag);
}

/* The flag that has this name, here or in another program, as in -c:v; NULL: these are letters. */
static const Flag *find_word(const Verb *verb, const char *name)
{
    for (const Flag *flag = flag_table(); name[1] && flag->name; flag++)
        if (verb_accepts(verb, flag) &&
            (!strcmp(flag->name, name) ||
             (flag->other_names && flag_is_listed(flag->other_names, name))))
            return flag;
    return NULL;
}

static bool parse_letters(Parser *parser, const char *text)
{
    const size_t size = strcspn(text, "=");
    const Flag *word = find_word(parser->args->verb, arena_strndup(parser->arena, text, size));
    if (word)
        return parse_flag(parser, word, text[size] ? text + size + 1 : NULL);
    for (; *text; text++) {
        const Flag *flag = flag_find_letter(*text);
        if (!flag || !verb_accepts(parser->args->verb, flag))
            return diag_fail(parser->diag, DIAG_USAGE, "unknown flag '-%c'; see 'odori help %s'",
                             *text, parser->args->verb->name);
        if (flag->value && flag->type != FLAG_OPTIONAL)
            return parse_flag(parser, flag, text[1] ? text + 1 + (text[1] == '=') : NULL);
        if (!parse_flag(parser, flag, NULL))
            return false;
    }
    return true;
}

static bool parse_all(Parser *parser)
{
    bool flags_ended = false;
    while (parser->left) {
        const char *text = *parser->next++;
        parser->left--;
        const bool flag = !flags_ended && text[0] == '-' && text[1];
        if (flag && !strcmp(text, "--"))
            flags_ended = true;
        else if (flag && !(text[1] == '-' ? parse_long_flag(parser, text + 2)
                                          : parse_letters(parser, text + 1)))
            return false;
        else if (!flag)
            *arena_push(parser->arena, &parser->args->operands) = text;
    }
    return true;
}

/* An empty operand names nothing: that of a script whose variable is not set. */
static bool check_operands(const Arguments *args, Arena *arena, Diag *diag)
{
    const Verb *verb = args->verb;
    const char *synopsis = verb_text(verb, arena).synopsis;
    for (size_t i = 0; i < args->operands.count; i++)
        if (!args->operands.items[i][0])
            return diag_fail(diag, DIAG_USAGE, "operand %zu is empty; usage: odori %s %s", i + 1,
                             verb->name, synopsis);
    return args->operands.count >= (verb->needs & VERB_JOB ? 1 : verb->min_operands) ||
           diag_fail(diag, DIAG_USAGE, "usage: odori %s %s", verb->name, synopsis);
}

/* Whether the first argument is an operand or flag of `render`, whose name may be omitted. */
static bool is_file_or_flag(const char *name)
{
    return name[0] == '-' || strchr(name, '/') || !job_is_job_name(name) ||
           job_has_job_extension(name) || path_is_file(name);
}

bool arguments_parse(Arguments *args, int argc, char **argv, Arena *arena, Diag *diag)
{
    const char *name = argv[1];
    *args = (Arguments){0};
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        name = "version";
    args->verb = verb_find(name);
    const bool omitted = !args->verb && is_file_or_flag(name);
    if (omitted)
        args->verb = verb_find("render");
    if (!args->verb)
        return report_unknown_verb(name, diag);
    Parser parser = {args, arena, diag, argc - 2 + omitted, argv + 2 - omitted};
    if (!parse_all(&parser))
        return false;
    if (args->output && !strcmp(args->output, "-"))
        args->output = FILE_STDOUT;
    if (args->dry_run && args->verb->needs & VERB_WRITES)
        args->verb = verb_find("plan");
    return args->help || check_operands(args, arena, diag);
}

/* ---- --strict and -W ---- */

static bool report_unknown_class(const char *flag, const char *name, const char *prefix, Diag *diag)
{
    const char *nearest = text_nearest(name, warning_names, WARN_CLASS_COUNT);
    if (nearest)
        return diag_fail(diag, DIAG_USAGE,
                         "%s: '%s' is not a class of warnings; did you mean '%s%s'?", flag, name,
                         prefix, nearest);
    return diag_fail(diag, DIAG_USAGE,
                     "%s: '%s' is not a class of warnings; see 'odori help warnings'", flag, name);
}

/* Reads "CLASS,CLASS"; classes that begin with "no-" are added to *hidden if it is not NULL. */
static bool parse_classes(uint32_t *shown, uint32_t *hidden, const char *flag, const char *text,
                          Arena *arena, Diag *diag)
{
    for (const char *at = text;; at++) {
        const size_t size = strcspn(at, ",");
        const bool no = hidden && !strncmp(at, "no-", 3);
        const char *name = arena_strndup(arena, at + 3 * no, size - 3 * (size_t)no);
        const int found = warning_find(name, (unsigned)strlen(name));
        if (found < 0)
            return report_unknown_class(flag, name, no ? "no-" : "", diag);
        *(no ? hidden : shown) |= warning_bit((WarningClass)found);
        at += size;
        if (!*at)
            return true;
    }
}

bool arguments_warning_rules(DiagRules *rules, const Arguments *args, Arena *arena, Diag *diag)
{
    DiagRules parsed = {.strict = args->strict && !*args->strict, .quirks = args->verbose};
    if (args->strict && *args->strict &&
        !parse_classes(&parsed.errors, NULL, "--strict", args->strict, arena, diag))
        return false;
    for (size_t i = 0; i < args->warnings.count; i++)
        if (!parse_classes(&parsed.shown, &parsed.hidden, "-W", args->warnings.items[i], arena,
                           diag))
            return false;
    *rules = parsed;
    return true;
}

static void add_word(TextList *words, const char *word, Arena *arena)
{
    *arena_push(arena, words) = word;
}

void arguments_forward_warnings(TextList *words, const Arguments *args, Arena *arena)
{
    if (args->strict)
        add_word(words,
                 *args->strict ? arena_printf(arena, "--strict=%s", args->strict) : "--strict",
                 arena);
    for (size_t i = 0; i < args->warnings.count; i++)
        add_word(words, arena_printf(arena, "--warnings=%s", args->warnings.items[i]), arena);
}
