// SPDX-License-Identifier: MIT
#include "cli/help.h"

#include <string.h>

#include "base/embedded_text.h"
#include "base/text.h"
#include "cli/flags.h"
#include "cli/shader_cache.h"
#include "dispatch/batch_keys.h"
#include "format/file_kind.h"
#include "job/host_limits.h"
#include "job/job_options.h"
#include "job/look_preset.h"
#include "job/preset.h"
#include "output/codec.h"
#include "output/sink.h"
#include "record/help/option_help.h"
#include "record/help/roff.h"
#include "run/version.h"

enum { LINE_WIDTH = 79 };
#define SCHEMA_TEXT "'odori schema %s' prints the JSON Schema of its JSON.\n"

const HelpFormat *help_formats(Arena *arena)
{
    HelpFormat *formats = arena_array(arena, HelpFormat, 4);
    formats[0] = (HelpFormat){"job", "job file", &option_job};
    formats[1] = (HelpFormat){"batch", "batch manifest", batch_keys_reference(arena)};
    formats[2] = (HelpFormat){"limits", "limits file", &option_limits};
    return formats;
}

/* ---- text layout ---- */

/* One paragraph, wrapped between words, each line indented. */
static void write_wrapped(FILE *out, const char *text, size_t size, size_t indent)
{
    const char *end = text + size;
    size_t column = 0;
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
        write_wrapped(out, text, size, 0);
        text += size + (text[size] == '\n');
        if (*text)
            fputc('\n', out);
    }
}

/* ---- overview and verbs ---- */

static void write_verbs(FILE *out, const void *user)
{
    Arena *const *arena = user;
    for (const Verb *verb = verbs; verb->name; verb++)
        fprintf(out, "  %-10s %s\n", verb->name, verb_text(verb, *arena).summary);
}

void help_write_overview(FILE *out, Arena *arena)
{
    static const TextField fields[] = {{"verbs", .write = write_verbs}, {0}};
    embedded_text_write(out, embedded_text_find(embedded_texts, "overview.txt"), fields, &arena);
}

static void write_flag(FILE *out, const Flag *flag, Arena *arena)
{
    const char *help = flag_help(flag, arena);
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
    write_wrapped(out, help, strlen(help), 6);
}

void help_write_verb(FILE *out, const Verb *verb, Arena *arena)
{
    const VerbText text = verb_text(verb, arena);
    fprintf(out, "usage: odori %s %s\n\n%s\n\n", verb->name, text.synopsis, text.summary);
    write_paragraphs(out, text.description);
    fputs(text.description[0] ? "\n" : "", out);
    if (*text.examples)
        fprintf(out, "Examples:\n\n%s\n", text.examples);
    fprintf(out, SCHEMA_TEXT "\n", verb->schema ? verb->schema : "result");
    for (const Flag *flag = flag_table(); flag->name; flag++)
        if (verb_accepts(verb, flag))
            write_flag(out, flag, arena);
}

/* ---- search ---- */

typedef struct Search {
    FILE *out;
    const char *word;
    size_t hits;
    TextList names; /* everything that was searched: candidates for a misspelled word */
    Arena *arena;
} Search;

/* Prints one line if the name or the text contains the word; of the kind five letters. */
static void search_item(Search *search, const char *kind, const char *name, const char *text,
                        const char *more)
{
    *arena_push(search->arena, &search->names) = name;
    if (!strcasestr(name, search->word) && !strcasestr(text, search->word) &&
        !strcasestr(more, search->word))
        return;
    fprintf(search->out, "%-5.5s  %-28s  %s\n", kind, name, text);
    search->hits++;
}

static void search_verbs_and_flags(Search *search)
{
    for (const Verb *verb = verbs; verb->name; verb++) {
        const VerbText text = verb_text(verb, search->arena);
        search_item(search, "verb", verb->name, text.summary, text.description);
    }
    for (const Flag *flag = flag_table(); flag->name; flag++)
        search_item(search, "flag", arena_printf(search->arena, "--%s", flag->name),
                    flag_help(flag, search->arena), "");
}

static void search_keys(Search *search, const HelpFormat *format)
{
    const OptionKeys keys = option_help_list(format->table, search->arena);
    for (size_t i = 0; i < keys.count; i++) {
        const Option *option = keys.items[i].option;
        const char *choices = "";
        for (size_t c = 0; option->choices && option->choices[c]; c++)
            choices = arena_printf(search->arena, "%s %s", choices, option->choices[c]);
        search_item(search, format->name, keys.items[i].name, option->help, choices);
    }
}

static bool search_all(FILE *out, const char *word, Arena *arena, Diag *diag)
{
    Search search = {.out = out, .word = word, .arena = arena};
    search_verbs_and_flags(&search);
    for (const Preset *preset = preset_list(arena); preset->name; preset++)
        search_item(&search, "place", preset->name, preset->help, preset->keys);
    for (const LookPreset *preset = look_preset_list(); preset->name; preset++)
        search_item(&search, "look", preset->name, preset->help, preset->keys);
    for (const HelpFormat *format = help_formats(arena); format->name; format++)
        search_keys(&search, format);
    if (search.hits)
        return true;
    const char *nearest =
        text_nearest(option_help_general_name(word, arena), search.names.items, search.names.count);
    return diag_fail(diag, DIAG_USAGE,
                     "'%s' is neither a verb, a flag nor a key, and no help text contains it%s%s%s",
                     word, nearest ? "; did you mean '" : "; see 'odori help'",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

/* The keys that `topic` names, or all of them if it names the format. */
static bool write_keys(FILE *out, const HelpFormat *format, const char *topic, bool separated,
                       Arena *arena)
{
    const bool all = !strcmp(topic, format->name);
    if (!all && !option_at_table(format->table, topic))
        return false;
    fprintf(out, "%s%s:\n\n", separated ? "\n" : "", format->title);
    return option_help(out, format->table, all ? NULL : topic, arena);
}

static void write_warnings(FILE *out, Arena *arena)
{
    (void)arena;
    fputs("\nclasses of warnings: --strict makes all of them errors, --strict=CLASS,... some; -W "
          "no-CLASS hides one,\n-W CLASS shows it again; in a job: warnings: { strict: [CLASS], "
          "hide: [CLASS] }\n\n",
          out);
    for (int i = 0; i < WARN_CLASS_COUNT; i++)
        fprintf(out, "  %s%s\n      %s\n", warning_classes[i].name,
                warning_classes[i].quirk ? " (shown with -v)" : "", warning_classes[i].help);
}

static void write_presets(FILE *out, Arena *arena)
{
    fputs(
        "presets of places and of video models: --preset NAME sets these keys; --set and flags "
        "override them.\noutputs+ are written beside a film, the star is its path without the "
        "extension.  Your own are files\nNAME.yaml of the same form in ~/.config/odori/presets.\n",
        out);
    for (const Preset *preset = preset_list(arena); preset->name; preset++) {
        fprintf(out, "\n  %s (.%s): %s\n", preset->name, preset->extension, preset->help);
        for (const char *line = preset->keys; *line; line += strcspn(line, "\n") + 1)
            fprintf(out, "      %.*s\n", (int)strcspn(line, "\n"), line);
    }
}

static void write_looks(FILE *out, Arena *arena)
{
    (void)arena;
    fputs(
        "looks by name: look: NAME or look: { preset: NAME, ... } in a job or a scene, --look NAME "
        "on the command\nline.  They stand for these keys of look; keys of the job override them, "
        "null turns one off.  The cost is\nmore CPU time of drawing the film of 'odori demo'.  "
        "'odori "
        "preview JOB --looks' draws all of them.\n",
        out);
    for (const LookPreset *preset = look_preset_list(); preset->name; preset++) {
        fprintf(out, "\n  %s (+%d %%): %s\n", preset->name, preset->cost_percent, preset->help);
        for (const char *line = preset->keys; *line; line += strcspn(line, "\n") + 1)
            fprintf(out, "      %.*s\n", (int)strcspn(line, "\n"), line);
    }
}

/* ---- what this machine reads, writes and keeps ---- */

static void write_passes(FILE *out, Arena *arena)
{
    (void)arena;
    fputs(embedded_text_find(embedded_texts, "passes.txt"), out);
}

static void write_effects(FILE *out, Arena *arena)
{
    (void)arena;
    fputs(embedded_text_find(embedded_texts, "effects.txt"), out);
}

static void write_codecs(FILE *out, Arena *arena)
{
    (void)arena;
    fputs(
        "codecs of videos and of sound (outputs.N.codec, audio_codec), with the encoder that this "
        "machine uses\nand the containers whose default they are:\n\n",
        out);
    codec_write_codecs(out);
    fputs("\nA name of 'odori help encoders' chooses an encoder.\n", out);
}

static void write_encoders(FILE *out, Arena *arena)
{
    const CodecEncoders list = codec_encoders(arena);
    fputs("encoders (outputs.N.codec), the best first for each codec, with the default and largest "
          "crf:\n\n",
          out);
    for (size_t i = 0; i < list.count; i++) {
        const CodecEncoder *e = &list.items[i];
        if (e->hardware && (!i || !list.items[i - 1].hardware))
            fputs("\nof hardware, used by name alone; the same film has other bytes on another "
                  "device or driver:\n\n",
                  out);
        fprintf(out, "  %-14s %-8s", e->name, e->codec);
        if (!e->available)
            fputs(" not in the installed libavcodec", out);
        else if (e->crf_max)
            fprintf(out, " crf %d (0..%d)", e->crf, e->crf_max);
        fputc('\n', out);
    }
}

static void write_formats(FILE *out, Arena *arena)
{
    (void)arena;
    fputs("what is read, by extension:\n\n", out);
    for (size_t i = FILE_UNKNOWN + 1; i < FILE_KIND_COUNT; i++) {
        const FileKindRow *row = &file_kinds[i];
        if (!row->uses || !*row->extensions)
            continue;
        fprintf(out, "  %s\n", row->name);
        write_wrapped(out, row->extensions, strlen(row->extensions), 6);
    }
    fputs("\nwhat is written (outputs.N.file), by extension, with the default codecs:\n\n", out);
    sink_write_formats(out);
    fputs(embedded_text_find(embedded_texts, "formats.txt"), out);
}

static void write_cache(FILE *out, Arena *arena)
{
    const ShaderCacheState state = shader_cache_state(arena);
    const TextField fields[] = {
        {"directory", .text = state.directory ? state.directory
                                              : "none: neither XDG_CACHE_HOME nor "
                                                "HOME is an absolute path"},
        {"state", .text = !state.directory  ? "not used"
                          : !state.confined ? "not used: this kernel cannot keep confined workers "
                                              "from changing it"
                          : state.complete  ? "filled for this version of the program"
                                            : "filled by the next run that draws"},
        {0}};
    embedded_text_write(out, embedded_text_find(embedded_texts, "cache.txt"), fields, NULL);
}

const HelpTopic help_topics[] = {
    {"presets", write_presets},   {"looks", write_looks},
    {"passes", write_passes},     {"effects", write_effects},
    {"warnings", write_warnings}, {"codecs", write_codecs},
    {"encoders", write_encoders}, {"formats", write_formats},
    {"cache", write_cache},       {0},
};

bool help_write_topic(FILE *out, const char *topic, Arena *arena, Diag *diag)
{
    const Verb *verb = verb_find(topic);
    bool found = verb != NULL;
    if (verb)
        help_write_verb(out, verb, arena);
    for (const HelpFormat *format = help_formats(arena); format->name; format++)
        found |= write_keys(out, format, topic, found, arena);
    for (const HelpTopic *row = help_topics; row->name; row++)
        if (!strcmp(row->name, topic)) {
            row->write(out, arena);
            found = true;
        }
    return found || search_all(out, topic, arena, diag);
}

/* ---- manual pages ---- */

/* The fields of a page get this. */
typedef struct Manual {
    const HelpFormat *format; /* any for odori(1), which has no keys */
    Arena *arena;
} Manual;

/* Lines that begin with a blank, which is a break. */
static void write_manual_lines(FILE *out, const char *text, Arena *arena)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        roff_inline(out, arena_strndup(arena, text, strcspn(text, "\n")));
        fputc('\n', out);
    }
}

static void write_manual_verb(FILE *out, const Verb *verb, Arena *arena)
{
    const VerbText text = verb_text(verb, arena);
    fprintf(out, ".TP\n\\fBodori %s\\fR ", verb->name);
    roff_inline(out, text.synopsis);
    fprintf(out, "\n%c", text.summary[0] - 'a' + 'A');
    roff_text(out, ".IP", text.summary + 1);
    if (text.description[0]) {
        fputs(".IP\n", out);
        roff_text(out, ".IP", text.description);
    }
    fputs(".IP\n", out);
    roff_text(out, ".IP", arena_printf(arena, SCHEMA_TEXT, verb->schema ? verb->schema : "result"));
    fputs(".IP\nExamples:\n", out);
    write_manual_lines(out, text.examples, arena);
    fputs(".IP\nFlags:\n", out);
    for (const Flag *flag = flag_table(); flag->name; flag++)
        if (verb_accepts(verb, flag)) {
            fputs("\\fB\\-\\-", out);
            roff_inline(out, flag->name);
            fputs("\\fR\n", out);
        }
}

static void write_manual_verbs(FILE *out, const void *user)
{
    const Manual *manual = user;
    for (const Verb *verb = verbs; verb->name; verb++)
        write_manual_verb(out, verb, manual->arena);
}

static void write_manual_flag(FILE *out, const Flag *flag, Arena *arena)
{
    const char *const *choices = flag_choices(flag);
    fputs(".TP\n", out);
    if (flag->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", flag->letter);
    fputs("\\fB\\-\\-", out);
    roff_inline(out, flag->name);
    fputs("\\fR", out);
    for (size_t i = 0; choices && choices[i]; i++)
        fprintf(out, "%c%s", i ? '|' : ' ', choices[i]);
    if (flag->value && !choices)
        fprintf(out, flag_takes_value(flag) ? " \\fI%s\\fR" : "[=\\fI%s\\fR]", flag->value);
    fputc('\n', out);
    roff_text(out, ".IP", flag_help(flag, arena));
}

static void write_manual_flags(FILE *out, const void *user)
{
    const Manual *manual = user;
    for (const Flag *flag = flag_table(); flag->name; flag++)
        write_manual_flag(out, flag, manual->arena);
}

static void write_manual_warnings(FILE *out, const void *user)
{
    (void)user;
    for (int i = 0; i < WARN_CLASS_COUNT; i++) {
        roff_item(out, warning_classes[i].name);
        roff_text(out, ".IP", warning_classes[i].help);
    }
}

static void write_manual_keys(FILE *out, const void *user)
{
    const Manual *manual = user;
    option_manual(out, manual->format->table, manual->arena);
}

static void write_profile(FILE *out, const void *user)
{
    (void)user;
    roff_inline(out, host_limits_untrusted);
}

bool help_write_manual(FILE *out, const char *page, Arena *arena)
{
    static const TextField fields[] = {
        {"date", .text = ODORI_RELEASE_DATE},         {"version", .text = ODORI_VERSION},
        {"verbs", .write = write_manual_verbs},       {"flags", .write = write_manual_flags},
        {"warnings", .write = write_manual_warnings}, {"keys", .write = write_manual_keys},
        {"profile", .write = write_profile},          {0},
    };
    const bool is_main = !page || !strcmp(page, "odori");
    Manual manual = {help_formats(arena), arena};
    while (!is_main && manual.format->name && strcmp(manual.format->name, page) != 0)
        manual.format++;
    if (!manual.format->name)
        return false;
    const char *file = is_main ? "odori.1" : arena_printf(arena, "odori-%s.5", page);
    embedded_text_write(out, embedded_text_find(embedded_texts, file), fields, &manual);
    return true;
}
