#include "cli/flags.h"

#include <string.h>

#include "base/embedded_text.h"
#include "cli/arguments.h"
#include "job/options.h"

static const char *const modes[] = {"auto", "tty", "plain", "json", "none", "openjd", NULL};
static const char *const formats[] = {"text", "json", "github", "openpose",
                                      NULL}; /* by ReportFormat; openpose: of pose */
static const char *const legs[] = {"fk", "ik", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};

/* clang-format off */
#define SWITCH(field)                .type = FLAG_SWITCH, .offset = offsetof(Arguments, field)
#define TEXT(field, text)            .type = FLAG_TEXT, .offset = offsetof(Arguments, field), .value = text
#define WORDS(field, text)           .type = FLAG_WORDS, .offset = offsetof(Arguments, field), .value = text
#define OPTIONAL(field, text)        .type = FLAG_OPTIONAL, .offset = offsetof(Arguments, field), .value = text
#define LIST(field, text)            .type = FLAG_LIST, .offset = offsetof(Arguments, field), .value = text
#define CHOICE(field, text, names)   .type = FLAG_CHOICE, .offset = offsetof(Arguments, field), .value = (text), .choices = (names)
#define KEY(name, text)              .type = FLAG_KEY, .value = (text), .key = (name)

const Flag flags[] = {
    {"output",          'o', TEXT(output, "FILE")},
    {"output-format",    0,  TEXT(output_format, "FORMAT")},
    {"set",              0,  .type = FLAG_SET, .value = "KEY=VALUE", .other_names = "config define option"},
    {"frames",          'f', TEXT(frames, "LIST"), .other_names = "range start end"},
    {"shards",           0,  TEXT(shards, "N")},
    {"state",            0,  TEXT(state, "DIR")},
    {"limits",           0,  TEXT(limits, "FILE")},
    {"no-bake",          0,  SWITCH(no_bake)},
    {"submit",           0,  SWITCH(submit)},
    {"sbatch",           0,  WORDS(sbatch, "OPTIONS")},
    {"image",            0,  TEXT(image, "IMAGE")},
    {"legs",             0,  CHOICE(legs, "MODE", legs)},
    {"bundle",           0,  TEXT(bundle, "DIR")},
    {"claim",            0,  TEXT(claim, "NAME")},
    {"mount",            0,  TEXT(mount, "DIR")},
    {"workers",         'j', KEY("render.workers", "N"), .other_names = "threads jobs procs"},
    {"shard",            0,  TEXT(shard, "I/N")},
    {"resume",           0,  SWITCH(resume)},
    {"overwrite",       'y', SWITCH(overwrite), .other_names = "force yes replace"},
    {"no-clobber",      'n', SWITCH(no_clobber)},
    {"accept-renderer",  0,  SWITCH(accept_renderer)},
    {"max-stalled-runs", 0,  TEXT(max_stalled_runs, "N"), .former_name = "give-up"},
    {"gl",               0,  KEY("render.gl", "BACKEND")},
    {"sandbox",          0,  KEY("limits.sandbox", "MODE")},
    {"shader-dir",       0,  KEY("render.shader_dir", "DIR")},
    {"model",            0,  TEXT(model, "ID")},
    {"bone",             0,  TEXT(bone, "NAME")},
    {"size",             0,  KEY("render.size", "WxH"), .other_names = "resolution width height"},
    {"fps",              0,  TEXT(fps, "RATE"), .other_names = "framerate frame-rate rate"},
    {"camera",           0,  TEXT(camera, "FILE")},
    {"previews",         0,  SWITCH(previews)},
    {"vertices",         0,  TEXT(vertices, "FILE")},
    {"no-physics",       0,  SWITCH(no_physics)},
    {"summary",          0,  TEXT(summary, "FILE")},
    {"base",             0,  TEXT(base, "FILE")},
    {"embed-limit",      0,  TEXT(embed_limit, "SIZE")},
    {"assets",           0,  TEXT(assets, "DIR")},
    {"demo-dir",         0,  TEXT(demo_dir, "DIR"), .former_name = "assets"},
    {"hall",             0,  SWITCH(hall)},
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

bool flag_is_listed(const char *list, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = list; size && (at = strcasestr(at, name)); at++)
        if ((at == list || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
            return true;
    return false;
}

const Flag *flag_find(const char *name)
{
    for (const Flag *flag = flags; flag->name; flag++)
        if (!strcmp(flag->name, name))
            return flag;
    return NULL;
}

const Flag *flag_find_letter(char letter)
{
    for (const Flag *flag = flags; flag->name; flag++)
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

const char *flag_help(const Flag *flag, Arena *arena)
{
    const char *all = embedded_text_find(embedded_texts, "flags.txt");
    const char *section = embedded_text_section(all, flag->name, arena);
    return arena_strndup(arena, section, strcspn(section, "\n"));
}
