// SPDX-License-Identifier: MIT
#include "cli/flags.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded_text.h"
#include "base/scheduler.h"
#include "cli/arguments.h"
#include "job/job_options.h"
#include "record/help/option_help.h"

static const char *const modes[] = {"auto", "tty", "plain", "json", "none", "openjd", NULL};
static const char *const formats[] = {"text", "json", "github", "openpose",
                                      NULL}; /* by ReportFormat; openpose: of pose */
static const char *const legs[] = {"fk", "ik", NULL};
static const char *const clean[] = {"none", "auto", "always", NULL};
static const char *const ups[] = {"auto", "y", "z", "-y", NULL};
static const char *const vrm_versions[] = {"1", "0", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};

/* clang-format off */
#define SWITCH(field)                .type = FLAG_SWITCH, .offset = offsetof(Arguments, field)
#define TEXT(field, text)            .type = FLAG_TEXT, .offset = offsetof(Arguments, field), .value = text
#define WORDS(field, text)           .type = FLAG_WORDS, .offset = offsetof(Arguments, field), .value = text
#define OPTIONAL(field, text)        .type = FLAG_OPTIONAL, .offset = offsetof(Arguments, field), .value = text
#define LIST(field, text)            .type = FLAG_LIST, .offset = offsetof(Arguments, field), .value = text
#define CHOICE(field, text, names)   .type = FLAG_CHOICE, .offset = offsetof(Arguments, field), .value = (text), .choices = (names)
#define KEY(name, text)              .type = FLAG_KEY, .value = (text), .key = (name)

static const Flag own_flags[] = {
    {"output",          'o', TEXT(output, "FILE")},
    {"output-format",    0,  TEXT(output_format, "FORMAT")},
    {"set",              0,  .type = FLAG_SET, .value = "KEY=VALUE", .other_names = "config define option"},
    {"frames",          'f', TEXT(frames, "LIST"), .other_names = "range"},
    {"to",               0,  TEXT(scheduler, "SCHEDULER"), .choices = scheduler_names, .id = "scheduler"},
    {"start",            0,  TEXT(start, "TIME"), .other_names = "ss seek"},
    {"to",               0,  TEXT(to, "TIME"), .other_names = "end"},
    {"duration",        't', TEXT(duration, "TIME"), .other_names = "length"},
    {"shards",           0,  TEXT(shards, "N")},
    {"state",            0,  TEXT(state, "DIR")},
    {"limits",           0,  TEXT(limits, "FILE")},
    {"no-bake",          0,  SWITCH(no_bake)},
    {"submit",           0,  SWITCH(submit)},
    {"options",          0,  WORDS(submit_options, "OPTIONS"), .other_names = "sbatch"},
    {"image",            0,  TEXT(image, "IMAGE")},
    {"legs",             0,  CHOICE(legs, "MODE", legs)},
    {"take",             0,  TEXT(take, "NAME")},
    {"clean",            0,  CHOICE(clean, "WHEN", clean)},
    {"up",               0,  CHOICE(up, "AXIS", ups)},
    {"vrm-version",      0,  CHOICE(vrm_version, "VERSION", vrm_versions)},
    {"bundle",           0,  TEXT(bundle, "DIR")},
    {"claim",            0,  TEXT(claim, "NAME")},
    {"mount",            0,  TEXT(mount, "DIR")},
    {"workers",         'j', KEY("render.workers", "N"), .other_names = "threads jobs procs"},
    {"shard",            0,  TEXT(shard, "I/N")},
    {"overwrite",       'y', SWITCH(overwrite), .other_names = "force yes replace"},
    {"fresh",           0, SWITCH(fresh)},
    {"no-clobber",      'n', SWITCH(no_clobber)},
    {"accept-renderer",  0,  SWITCH(accept_renderer)},
    {"max-stalled-runs", 0,  TEXT(max_stalled_runs, "N"), .other_names = "give-up"},
    {"gl",               0,  KEY("render.gl", "BACKEND")},
    {"sandbox",          0,  KEY("limits.sandbox", "MODE")},
    {"shader-dir",       0,  KEY("render.shader_dir", "DIR")},
    {"model",            0,  TEXT(model, "ID")},
    {"scene",            0,  TEXT(scene, "N")},
    {"bone",             0,  TEXT(bone, "NAME")},
    {"fps",             'r', TEXT(fps, "RATE"), .other_names = "framerate frame-rate rate"},
    {"preset",           0,  TEXT(preset, "NAME"), .other_names = "place target"},
    {"camera",           0,  TEXT(camera, "FILE")},
    {"previews",         0,  SWITCH(previews)},
    {"looks",            0,  SWITCH(looks)},
    {"vertices",         0,  TEXT(vertices, "FILE")},
    {"no-physics",       0,  SWITCH(no_physics)},
    {"summary",          0,  TEXT(summary, "FILE")},
    {"base",             0,  TEXT(base, "FILE")},
    {"embed-limit",      0,  TEXT(embed_limit, "SIZE")},
    {"assets",           0,  TEXT(assets, "DIR")},
    {"demo-dir",         0,  TEXT(demo_dir, "DIR"), .other_names = "assets"},
    {"dry-run",          0,  SWITCH(dry_run)},
    {"print-job",        0,  SWITCH(print_job)},
    {"dump-config",      0,  SWITCH(dump_config)},
    {"json",             0,  SWITCH(json)},
    {"format",           0,  CHOICE(format, "FORMAT", formats)},
    {"junit",            0,  TEXT(junit, "FILE")},
    {"try",              0,  SWITCH(measure)},
    {"threshold",        0,  TEXT(threshold, "N")},
    {"tolerance",        0,  TEXT(tolerance, "N")},
    {"morphs",           0,  TEXT(morphs, "FILE")},
    {"bones",            0,  SWITCH(bones)},
    {"names",            0,  SWITCH(names)},
    {"times",            0,  SWITCH(times)},
    {"slurm",            0,  SWITCH(slurm)},
    {"socket",           0,  TEXT(socket, "PATH"), .other_names = "listen"},
    {"stdio",            0,  SWITCH(stdio)},
    {"queue",            0,  TEXT(queue, "N")},
    {"parallel",         0,  TEXT(parallel, "N")},
    {"scenes",           0,  TEXT(scenes, "N")},
    {"scenes-memory",    0,  TEXT(scenes_memory, "MIB")},
    {"strict",           0,  OPTIONAL(strict, "CLASSES"), .other_names = "werror"},
    {"warnings",        'W', LIST(warnings, "CLASS")},
    {"progress",         0,  CHOICE(progress, "MODE", modes)},
    {"color",            0,  CHOICE(color, "WHEN", colors)},
    {"quiet",           'q', SWITCH(quiet), .other_names = "silent"},
    {"verbose",         'v', SWITCH(verbose), .other_names = "debug"},
    {"markdown",         0,  SWITCH(markdown)},
    {"man",              0,  SWITCH(man)},
    {"help",            'h', SWITCH(help)},
    {0},
};
/* clang-format on */

/* ---- flags of keys ---- */

enum { OWN_FLAGS = sizeof own_flags / sizeof *own_flags - 1, MAX_KEY_FLAGS = 48, KEY_SIZE = 48 };

/* The table, and the texts of the rows that are made of keys. */
typedef struct Flags {
    Flag rows[OWN_FLAGS + MAX_KEY_FLAGS + 1];
    char keys[MAX_KEY_FLAGS][KEY_SIZE], names[MAX_KEY_FLAGS][KEY_SIZE];
    size_t key_count;
} Flags;

/* What stands for the value in help; NULL: the flag takes none. */
static const char *value_name(const Option *option)
{
    switch (option->type) {
    case OPTION_BOOL:
        return NULL;
    case OPTION_INT:
    case OPTION_NUMBER:
    case OPTION_FLOAT:
        return "N";
    case OPTION_INTS:
        return "WxH";
    case OPTION_PATH:
    case OPTION_OPTIONAL: /* its main key is a file */
        return "FILE";
    case OPTION_RENAMES:
        return "KEY=VALUE";
    default:
        return "NAME";
    }
}

/* The first key that declares a flag has it: of what scenes repeat, that of the job. */
static bool has_key_flag(const Flags *flags, const Option *option)
{
    const size_t length = strcspn(option->flag, " ");
    for (size_t i = 0; i < flags->key_count; i++)
        if (!strncmp(flags->names[i], option->flag, length) && !flags->names[i][length])
            return true;
    return false;
}

/* Of the names, one of a single letter is the short form. */
static void add_key_flag(Flags *flags, const Option *option, const char *key)
{
    const size_t index = flags->key_count++;
    const size_t length = strcspn(option->flag, " ");
    const char *others = option->flag + length;
    assert(index < MAX_KEY_FLAGS && strlen(key) < KEY_SIZE && length < KEY_SIZE);
    memcpy(flags->keys[index], key, strlen(key));
    memcpy(flags->names[index], option->flag, length);
    flags->rows[OWN_FLAGS + index] =
        (Flag){.name = flags->names[index],
               .letter = others[0] && (!others[2] || others[2] == ' ') ? others[1] : '\0',
               .type = FLAG_KEY,
               .value = value_name(option),
               .key = flags->keys[index],
               .other_names = others[0] ? others + 1 : NULL};
}

/* Of a list the first item is meant: of the outputs, that of -o. */
static void add_table(Flags *flags, const OptionTable *table, const char *prefix)
{
    for (size_t i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "%s%s", prefix, row->key);
        if (row->flag && !has_key_flag(flags, row))
            add_key_flag(flags, row, key);
        snprintf(key, sizeof key, "%s%s%s", prefix, row->key,
                 row->type == OPTION_LIST ? ".0." : ".");
        if (row->table)
            add_table(flags, row->table, key);
    }
}

const Flag *flag_table(void)
{
    static Flags flags;
    if (!flags.rows[0].name) {
        memcpy(flags.rows, own_flags, sizeof own_flags);
        add_table(&flags, &option_job, "");
    }
    return flags.rows;
}

/* ---- rows ---- */

bool flag_is_listed(const char *list, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = list; size && (at = strcasestr(at, name)); at++)
        if ((at == list || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
            return true;
    return false;
}

const char *flag_id(const Flag *flag)
{
    return flag->id ? flag->id : flag->name;
}

const Flag *flag_find(const char *name)
{
    for (const Flag *flag = flag_table(); flag->name; flag++)
        if (!strcmp(flag->name, name))
            return flag;
    return NULL;
}

const Flag *flag_find_letter(char letter)
{
    for (const Flag *flag = flag_table(); flag->name; flag++)
        if (flag->letter == letter)
            return flag;
    return NULL;
}

bool flag_takes_value(const Flag *flag)
{
    return flag->value && flag->type != FLAG_OPTIONAL;
}

const char *const *flag_choices(const Flag *flag)
{
    const Option *option = flag->key ? option_at(flag->key) : NULL;
    return option ? option->choices : flag->choices;
}

bool flag_is_of_key(const Flag *flag)
{
    return flag - flag_table() >= OWN_FLAGS;
}

const char *flag_help(const Flag *flag, Arena *arena)
{
    const char *all = embedded_text_find(embedded_texts, "flags.txt");
    if (flag_is_of_key(flag))
        return option_description(option_at(flag->key), arena);
    const char *section = embedded_text_section(all, flag_id(flag), arena);
    return arena_strndup(arena, section, strcspn(section, "\n"));
}
