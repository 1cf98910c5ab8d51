// SPDX-License-Identifier: MIT
#include "job/preset.h"

#include <string.h>

#include "base/embedded_text.h"
#include "base/file.h"
#include "base/text.h"
#include "record/yaml.h"

static const char prefix[] = "preset-", suffix[] = ".yaml";

/* Reads "# .mp4: vertical, ..." and what follows. */
static Preset preset_of(const EmbeddedText *text, Arena *arena)
{
    const char *name = text->name + strlen(prefix), *extension = text->text + strlen("# .");
    const char *help = strchr(extension, ':') + strlen(": ");
    const char *end = strchr(help, '\n');
    return (Preset){arena_strndup(arena, name, strlen(name) - strlen(suffix)),
                    arena_strndup(arena, extension, strcspn(extension, ":")),
                    arena_strndup(arena, help, (size_t)(end - help)), end + 1};
}

const Preset *preset_list(Arena *arena)
{
    ARENA_LIST(Preset) list = {0};
    for (const EmbeddedText *text = embedded_texts; text->name; text++)
        if (!strncmp(text->name, prefix, strlen(prefix)))
            *arena_push(arena, &list) = preset_of(text, arena);
    *arena_push(arena, &list) = (Preset){0};
    return list.items;
}

Preset preset_find(const char *name, Arena *arena)
{
    const Preset *preset = preset_list(arena);
    while (preset->name && strcmp(preset->name, name) != 0)
        preset++;
    return *preset;
}

static bool report_unknown(const char *name, Arena *arena, Diag *diag)
{
    const char *names = "";
    ARENA_LIST(const char *) list = {0};
    for (const Preset *preset = preset_list(arena); preset->name; preset++) {
        names = arena_printf(arena, "%s%s%s", names, *names ? ", " : "", preset->name);
        *arena_push(arena, &list) = preset->name;
    }
    const char *nearest = text_nearest(name, list.items, list.count);
    return diag_fail(
        diag, DIAG_USAGE,
        "--preset: '%s' is neither one of %s nor a file in ~/.config/odori/presets; %s", name,
        names,
        nearest ? arena_printf(arena, "did you mean '%s'?", nearest)
                : "presets of encoders are --encoder-preset");
}

const YamlNode *preset_load(const char *name, const char *file, Arena *arena, Diag *diag)
{
    YamlSource *source = arena_array(arena, YamlSource, 1);
    YamlNode *root = NULL;
    Bytes bytes;
    if (file) {
        diag_file(diag, file);
        if (!file_load(&bytes, file, YAML_MAX_SIZE, arena, diag))
            return NULL;
        *source = (YamlSource){file, (const char *)bytes.data, bytes.size, 0};
    } else {
        const Preset preset = preset_find(name, arena);
        if (!preset.name) {
            report_unknown(name, arena, diag);
            return NULL;
        }
        *source = (YamlSource){arena_printf(arena, "--preset %s", name), preset.keys,
                               strlen(preset.keys), 0};
    }
    const bool good = yaml_load(&root, source, arena, diag);
    diag_file(diag, NULL);
    if (good && root->kind != YAML_MAP)
        yaml_error(root, diag, "expected a map of dotted keys, with lines like 'render.fps: 30'");
    return good && root->kind == YAML_MAP ? root : NULL;
}
