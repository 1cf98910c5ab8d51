// SPDX-License-Identifier: MIT
#include "render/effects/script.h"

#include <string.h>
#include <strings.h>

/* What the text after '=' is. */
typedef enum Operand {
    TARGET_OPERAND, /* a texture, or nothing */
    PARAMETER_OPERAND,
    PASS_OPERAND,
    WORD_OPERAND /* the word in the row */
} Operand;

typedef struct CommandName {
    const char *name;
    FxCommandKind kind;
    int number;
    Operand operand;
    const char *word; /* NULL: any */
    bool in_pass;     /* allowed in the script of a pass */
    bool in_technique;
} CommandName;

static const CommandName NAMES[] = {
    {"RenderColorTarget", FX_COLOR_TARGET, 0, TARGET_OPERAND, NULL, true, true},
    {"RenderColorTarget0", FX_COLOR_TARGET, 0, TARGET_OPERAND, NULL, true, true},
    {"RenderColorTarget1", FX_COLOR_TARGET, 1, TARGET_OPERAND, NULL, true, true},
    {"RenderColorTarget2", FX_COLOR_TARGET, 2, TARGET_OPERAND, NULL, true, true},
    {"RenderColorTarget3", FX_COLOR_TARGET, 3, TARGET_OPERAND, NULL, true, true},
    {"RenderDepthStencilTarget", FX_DEPTH_TARGET, 0, TARGET_OPERAND, NULL, true, true},
    {"ClearSetColor", FX_SET_COLOR, 0, PARAMETER_OPERAND, NULL, true, true},
    {"ClearSetDepth", FX_SET_DEPTH, 0, PARAMETER_OPERAND, NULL, true, true},
    {"Clear", FX_CLEAR_COLOR, 0, WORD_OPERAND, "Color", true, true},
    {"Clear", FX_CLEAR_DEPTH, 0, WORD_OPERAND, "Depth", true, true},
    {"ScriptExternal", FX_EXTERNAL, 0, WORD_OPERAND, "Color", false, true},
    {"Pass", FX_PASS, 0, PASS_OPERAND, NULL, false, true},
    {"LoopByCount", FX_LOOP, 0, PARAMETER_OPERAND, NULL, false, true},
    {"LoopEnd", FX_LOOP_END, 0, WORD_OPERAND, NULL, false, true},
    {"LoopGetIndex", FX_LOOP_GET, 0, PARAMETER_OPERAND, NULL, true, true},
    {"LoopSetIndex", FX_LOOP_SET, 0, PARAMETER_OPERAND, NULL, true, true},
    {"Draw", FX_DRAW_GEOMETRY, 0, WORD_OPERAND, "Geometry", true, false},
    {"Draw", FX_DRAW_BUFFER, 0, WORD_OPERAND, "Buffer", true, false},
};

typedef struct Word {
    const char *text;
    size_t length;
} Word;

static Word trimmed(const char *begin, const char *end)
{
    static const char SPACE[] = " \t\r\n\f\v";

    while (begin < end && strchr(SPACE, *begin) != NULL)
        begin++;
    while (end > begin && strchr(SPACE, end[-1]) != NULL)
        end--;
    return (Word){begin, (size_t)(end - begin)};
}

static bool is_word(Word word, const char *text)
{
    return strlen(text) == word.length && strncasecmp(word.text, text, word.length) == 0;
}

static int find_parameter(const Effect *effect, Word name)
{
    for (size_t i = 0; i < effect->parameter_count; i++)
        if (is_word(name, effect->parameters[i].name))
            return (int)i;
    return -1;
}

static int find_pass(const EffectTechnique *technique, Word name)
{
    for (size_t i = 0; technique && i < technique->pass_count; i++)
        if (is_word(name, technique->passes[i].name))
            return (int)i;
    return -1;
}

/* Fills in what the operand names; false if it names nothing. */
static bool resolve(FxCommand *command, Operand operand, Word value, const Effect *effect,
                    const EffectTechnique *technique)
{
    command->parameter = -1;
    if (operand == WORD_OPERAND || (operand == TARGET_OPERAND && value.length == 0))
        return true;
    if (operand == PASS_OPERAND) {
        command->number = find_pass(technique, value);
        return command->number >= 0;
    }
    command->parameter = find_parameter(effect, value);
    return command->parameter >= 0 && (effect->parameters[command->parameter].type.base ==
                                       EFFECT_TEXTURE) == (operand == TARGET_OPERAND);
}

static bool parse_command(FxCommand *out, Word name, Word value, const Effect *effect,
                          const EffectTechnique *technique)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const CommandName *row = &NAMES[i];

        if (!is_word(name, row->name) || (row->word != NULL && !is_word(value, row->word)))
            continue;
        *out = (FxCommand){.kind = row->kind, .number = row->number};
        return (technique != NULL ? row->in_technique : row->in_pass) &&
               resolve(out, row->operand, value, effect, technique);
    }
    return false;
}

/* Lets loops and their ends know each other; an end without a loop, and a loop without an end or
 * too deep, become turns of nothing. */
static size_t match_loops(FxCommand *commands, size_t count, bool *dropped)
{
    int open[FX_MAX_LOOP_DEPTH];
    int depth = 0;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        FxCommand command = commands[i];

        if (command.kind == FX_LOOP && depth == FX_MAX_LOOP_DEPTH)
            *dropped = true;
        if ((command.kind == FX_LOOP && depth == FX_MAX_LOOP_DEPTH) ||
            (command.kind == FX_LOOP_END && depth == 0))
            continue;
        if (command.kind == FX_LOOP)
            open[depth++] = (int)kept;
        if (command.kind == FX_LOOP_END) {
            command.number = open[--depth];
            commands[command.number].number = (int)kept;
        }
        commands[kept++] = command;
    }
    while (depth-- > 0) {
        commands[kept] = (FxCommand){.kind = FX_LOOP_END, .number = open[depth], .parameter = -1};
        commands[open[depth]].number = (int)kept++;
    }
    return kept;
}

FxScript fx_script_parse(const char *text, const Effect *effect, const EffectTechnique *technique,
                         Arena *arena)
{
    FxCommand *commands = arena_array(arena, FxCommand, FX_MAX_COMMANDS + FX_MAX_LOOP_DEPTH);
    FxScript script = {.commands = commands};
    size_t count = 0;
    bool too_deep = false;

    for (const char *at = text; *at != '\0';) {
        const char *end = at + strcspn(at, ";");
        const char *equal = memchr(at, '=', (size_t)(end - at));
        const Word all = trimmed(at, end);

        if (all.length > 0) {
            const bool known = equal != NULL && count < FX_MAX_COMMANDS &&
                               parse_command(&commands[count], trimmed(at, equal),
                                             trimmed(equal + 1, end), effect, technique);
            count += known;
            if (!known && script.ignored == NULL)
                script.ignored = arena_strndup(arena, all.text, all.length);
        }
        at = *end == ';' ? end + 1 : end;
    }
    script.count = match_loops(commands, count, &too_deep);
    if (too_deep && script.ignored == NULL)
        script.ignored = "LoopByCount";
    return script;
}

FxScript fx_script_default(const EffectTechnique *technique, Arena *arena)
{
    const size_t count = technique != NULL ? technique->pass_count : 1;
    FxCommand *commands = arena_array(arena, FxCommand, count);

    for (size_t i = 0; i < count; i++)
        commands[i] = technique != NULL
                          ? (FxCommand){.kind = FX_PASS, .number = (int)i, .parameter = -1}
                          : (FxCommand){.kind = FX_DRAW_GEOMETRY, .parameter = -1};
    return (FxScript){.commands = commands, .count = count};
}

bool fx_script_has(const FxScript *script, FxCommandKind kind)
{
    for (size_t i = 0; i < script->count; i++)
        if (script->commands[i].kind == kind)
            return true;
    return false;
}
