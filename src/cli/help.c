#include "cli/help.h"

#include <string.h>

#include "base/text.h"
#include "cli/flags.h"
#include "cli/key_list.h"
#include "cli/warning_flags.h"
#include "dispatch/batch_keys.h"
#include "job/host_limits.h"
#include "job/help/option_help.h"

enum { LINE_WIDTH = 79 };

const HelpStatus help_statuses[] = {
    {0, "all requested frames and outputs are complete and were read back"},
    {1, "differences, failed frames, or failed jobs of a batch"},
    {2, "wrong usage"},
    {65, "damaged model, motion, image or sound"},
    {66, "missing input"},
    {69, "memory limit reached, or encoder or OpenGL unavailable; may be retried elsewhere"},
    {70, "internal error"},
    {73, "output cannot be created"},
    {74, "I/O error, such as a full disk; may be retried"},
    {75, "incomplete: time limit reached, frames missing, or lock held; may be retried"},
    {78, "invalid job file"},
    {130, "stopped by SIGINT (143: by SIGTERM); completed frames are kept for the next run"},
    {0, NULL},
};

/* ---- text layout ---- */

/* One paragraph, wrapped between words, each line indented.  `column`: already printed. */
static void write_wrapped(FILE *out, const char *text, size_t size, size_t indent, size_t column)
{
    const char *end = text + size;
    while (text < end) {
        const size_t word = strcspn(text, " \n");
        if (column > indent && column + 1 + word > LINE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        if (column < indent)
            fprintf(out, "%*s", (int)(indent - column), "");
        fprintf(out, "%s%.*s", column > indent ? " " : "", (int)word, text);
        column = (column > indent ? column + 1 : indent) + word;
        text += word;
        text += strspn(text, " \n");
    }
    fputc('\n', out);
}

static void write_paragraphs(FILE *out, const char *text)
{
    while (*text) {
        const size_t size = strcspn(text, "\n");
        write_wrapped(out, text, size, 0, 0);
        text += size + (text[size] == '\n');
        if (*text)
            fputc('\n', out);
    }
}

/* ---- overview and verbs ---- */

void help_write_overview(FILE *out, const Verb *verbs)
{
    fputs("usage: odori VERB ...\n"
          "       odori MODEL MOTION... [CAMERA] [SOUND] -o FILE    render without a job file\n\n",
          out);
    for (const Verb *verb = verbs; verb->name; verb++)
        fprintf(out, "  %-10s %s\n", verb->name, verb->summary);
    fputs("\nMore help:\n\n"
          "  odori help VERB    usage and flags of a verb\n"
          "  odori help job     all keys of a job file; of a manifest: odori help batch;\n"
          "                     of a limits file: odori help limits\n"
          "  odori help KEY     one key or section, e.g. render.fps or cloth\n"
          "  odori help warnings  all classes of warnings\n"
          "  odori help WORD    every verb, flag and key that mentions a word\n"
          "  man odori          the manual; man 5 odori-job, man 5 odori-batch: the file formats\n",
          out);
}

static void write_flag(FILE *out, const Flag *flag)
{
    const char *const *choices = flag_choices(flag);
    fputs("  ", out);
    if (flag->letter)
        fprintf(out, "-%c, ", flag->letter);
    fprintf(out, "--%s", flag->name);
    for (size_t i = 0; choices && choices[i]; i++)
        fprintf(out, "%c%s", i ? '|' : ' ', choices[i]);
    if (flag->value && !choices)
        fprintf(out, flag_takes_value(flag) ? " %s" : "[=%s]", flag->value);
    fputc('\n', out);
    write_wrapped(out, flag->help, strlen(flag->help), 6, 0);
}

void help_write_verb(FILE *out, const Verb *verb)
{
    fprintf(out, "usage: odori %s %s\n\n%s\n\n", verb->name, verb->operands, verb->summary);
    write_paragraphs(out, verb->description);
    fputs(verb->description[0] ? "\n" : "", out);
    for (const Flag *flag = flags; flag->name; flag++)
        if (verb_accepts(verb, flag))
            write_flag(out, flag);
}

/* ---- search ---- */

typedef struct Search {
    FILE *out;
    const char *word;
    size_t hits;
    TextList names; /* of everything that was searched: candidates for a misspelled word */
    Arena *arena;
} Search;

/* Prints one line if the name or the text contains the word. */
static void search_item(Search *search, const char *kind, const char *name, const char *text,
                        const char *more)
{
    *arena_push(search->arena, &search->names) = name;
    if (!strcasestr(name, search->word) && !strcasestr(text, search->word) &&
        !strcasestr(more, search->word))
        return;
    fprintf(search->out, "%-5s  %-28s  %s\n", kind, name, text);
    search->hits++;
}

static void search_verbs_and_flags(Search *search, const Verb *verbs)
{
    for (const Verb *verb = verbs; verb->name; verb++)
        search_item(search, "verb", verb->name, verb->summary, verb->description);
    for (const Flag *flag = flags; flag->name; flag++)
        search_item(search, "flag", arena_printf(search->arena, "--%s", flag->name), flag->help,
                    "");
}

static void search_keys(Search *search, const char *kind, const KeyList *keys)
{
    for (size_t i = 0; i < keys->count; i++) {
        const Option *option = keys->items[i].option;
        const char *choices = "";
        for (size_t c = 0; option->choices && option->choices[c]; c++)
            choices = arena_printf(search->arena, "%s %s", choices, option->choices[c]);
        search_item(search, kind, keys->items[i].name, option->help, choices);
    }
}

static bool search_all(FILE *out, const Verb *verbs, const char *word, Arena *arena, Diag *diag)
{
    Search search = {.out = out, .word = word, .arena = arena};
    const KeyList keys = key_list_of(&option_job, arena);
    const KeyList batch = key_list_of(batch_keys_reference(arena), arena);
    const KeyList limits = key_list_of(&option_limits, arena);
    search_verbs_and_flags(&search, verbs);
    search_keys(&search, "job", &keys);
    search_keys(&search, "batch", &batch);
    search_keys(&search, "limit", &limits);
    if (search.hits)
        return true;
    const char *nearest =
        text_nearest(key_general_name(word, arena), search.names.items, search.names.count);
    return diag_fail(diag, DIAG_USAGE,
                     "'%s' is neither a verb, a flag nor a key, and no help text contains it%s%s%s",
                     word, nearest ? "; did you mean '" : "; see 'odori help'",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

/* The keys of a file format that `topic` names, or all of them if it names the format. */
static bool write_keys(FILE *out, const char *title, const OptionTable *table, const char *topic,
                       bool all, bool separated)
{
    if (!all && !option_at_table(table, topic))
        return false;
    fprintf(out, "%s%s:\n\n", separated ? "\n" : "", title);
    return option_help(out, table, all ? NULL : topic);
}

bool help_write_topic(FILE *out, const Verb *verbs, const char *topic, Arena *arena, Diag *diag)
{
    const OptionTable *batch = batch_keys_reference(arena);
    const Verb *verb = verb_find(verbs, topic);
    bool found = verb != NULL;

    if (verb)
        help_write_verb(out, verb);
    found |= write_keys(out, "job file", &option_job, topic, !strcmp(topic, "job"), found);
    found |= write_keys(out, "batch manifest", batch, topic, !strcmp(topic, "batch"), found);
    found |= write_keys(out, "limits file", &option_limits, topic, !strcmp(topic, "limits"), found);
    if (!strcmp(topic, "warnings")) {
        fputs("\n", out);
        warning_flags_write_help(out);
        found = true;
    }
    return found || search_all(out, verbs, topic, arena, diag);
}
