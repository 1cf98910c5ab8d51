// SPDX-License-Identifier: MIT
#include "effect/shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "effect/print.h"

/* ---- semantics ---- */

enum { SEMANTIC_SIZE = 40 };

/* In capitals, with the names of Direct3D 9, without number: "TEXCOORD" and 0. */
typedef struct Semantic {
    char name[SEMANTIC_SIZE];
    unsigned index;
    bool is_system; /* SV_..., of later versions */
} Semantic;

static Semantic read_semantic(const char *text)
{
    static const struct {
        const char *from, *to;
    } LATER[] = {{"SV_POSITION", "POSITION"},
                 {"POSITIONT", "POSITION"},
                 {"SV_TARGET", "COLOR"},
                 {"SV_DEPTH", "DEPTH"}};
    Semantic out = {.index = 0};
    size_t size = 0;
    for (; text[size] && size < SEMANTIC_SIZE - 1; size++)
        out.name[size] = text[size] >= 'a' && text[size] <= 'z' ? (char)(text[size] - 'a' + 'A')
                         : (uint8_t)text[size] >= 0x80          ? 'X'
                                                                : text[size];
    char *centroid = strstr(out.name, "_CENTROID");
    if (centroid)
        *centroid = '\0';
    size = strlen(out.name);
    size_t digits = size;
    while (digits && out.name[digits - 1] >= '0' && out.name[digits - 1] <= '9')
        digits--;
    out.index = digits < size ? (unsigned)strtoul(out.name + digits, NULL, 10) % 100 : 0;
    out.name[digits] = '\0';
    out.is_system = !strncmp(out.name, "SV_", 3);
    for (size_t i = 0; i < sizeof LATER / sizeof *LATER; i++)
        if (!strcmp(out.name, LATER[i].from))
            strcpy(out.name, LATER[i].to);
    return out;
}

static bool semantic_is(const Semantic *semantic, const char *name)
{
    return !strcmp(semantic->name, name);
}

/* The location of a vertex attribute, or -1. */
static int input_of(const Semantic *semantic)
{
    static const struct {
        const char *name;
        EffectInput first;
        unsigned count;
    } INPUTS[] = {{"POSITION", EFFECT_INPUT_POSITION, 1}, {"NORMAL", EFFECT_INPUT_NORMAL, 1},
                  {"COLOR", EFFECT_INPUT_COLOR0, 2},      {"TANGENT", EFFECT_INPUT_TANGENT, 1},
                  {"BINORMAL", EFFECT_INPUT_BINORMAL, 1}, {"_INDEX", EFFECT_INPUT_INDEX, 1},
                  {"TEXCOORD", EFFECT_INPUT_TEXCOORD0, 8}};
    if (semantic_is(semantic, "PSIZE"))
        return semantic->index == 15 ? EFFECT_INPUT_INDEX : EFFECT_INPUT_POINT_SIZE;
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++)
        if (semantic_is(semantic, INPUTS[i].name) && semantic->index < INPUTS[i].count)
            return (int)(INPUTS[i].first + semantic->index);
    return -1;
}

/* ---- an entry ---- */

typedef struct Shader {
    Printer printer;
    const Compilation *compilation;
    EffectShader *out;
    Text before, after; /* in main: the call of the function */
    ARENA_LIST(const char *) varyings;
    ARENA_LIST(EffectUniform) uniforms;
    ARENA_LIST(EffectUniform) samplers;
    bool has_color[EFFECT_COLOR_TARGETS], reads_pixel;
} Shader;

static bool has_varying(const Shader *shader, const char *name)
{
    return text_find(TEXT_WORDS(shader->varyings.items, shader->varyings.count), name) >= 0;
}

static const char *add_varying(Shader *shader, const Semantic *semantic, Place place)
{
    Parser *parser = shader->printer.parser;
    const char *name = arena_printf(parser->arena, "vary_%s%u",
                                    semantic->name + (*semantic->name == '_'), semantic->index);
    if (!has_varying(shader, name)) {
        if (shader->varyings.count == EFFECT_MAX_VARYINGS)
            parser_fail(parser, place, "more than %d semantics between vertex and pixel shader",
                        EFFECT_MAX_VARYINGS);
        *arena_push(parser->arena, &shader->varyings) = name;
    }
    return name;
}

/* The vec4 that an input reads. */
static const char *input_source(Shader *shader, const Semantic *semantic, Place place)
{
    Arena *arena = shader->printer.parser->arena;
    if (!shader->printer.is_fragment) {
        const int input = input_of(semantic);
        if (input < 0)
            return "vec4(0.0)"; /* vertices have no such value */
        shader->out->inputs |= 1u << input;
        return arena_printf(arena, "attribute_%d", input);
    }
    /* As an input of a pixel shader, SV_Position is the pixel. */
    const bool is_pixel = semantic->is_system && semantic_is(semantic, "POSITION");
    if (semantic_is(semantic, "VPOS") || is_pixel) {
        shader->reads_pixel = true;
        return "vec4(floor(gl_FragCoord.xy * odori_fragment.xy + odori_fragment.zw), "
               "gl_FragCoord.zw)";
    }
    if (semantic_is(semantic, "VFACE"))
        return "vec4(gl_FrontFacing ? 1.0 : -1.0)";
    return add_varying(shader, semantic, place);
}

typedef void PrintValue(Shader *shader, Type type, const char *name, Semantic *semantic,
                        Place place);

/* Calls `print_value` for each vector and scalar of an input or output: the members of a struct
 * have semantics of their own, the elements of an array and the rows of a matrix consecutive
 * ones. */
static void print_values(Shader *shader, Type type, const char *name, Semantic *semantic,
                         Place place, PrintValue *print_value)
{
    Printer *p = &shader->printer;
    Arena *arena = p->parser->arena;
    if (p->parser->failed)
        return;
    if (type.elements || type.rows > 1) {
        const unsigned count = type.elements ? type.elements : type.rows;
        for (unsigned i = 0; i < count; i++)
            print_values(shader, type_element(type), arena_printf(arena, "%s[%u]", name, i),
                         semantic, place, print_value);
    } else if (type.base == EFFECT_STRUCT) {
        for (size_t i = 0; i < type.structure->member_count; i++) {
            const Member *member = &type.structure->members[i];
            Semantic own = *member->semantic ? read_semantic(member->semantic) : *semantic;
            const char *part =
                arena_printf(arena, "%s.%s", name, print_member_name(p, type.structure, i));
            if (*own.name)
                print_values(shader, member->type, part, &own, place, print_value);
        }
    } else {
        print_value(shader, type, name, semantic, place);
        semantic->index++;
    }
}

/* "name = ...;": a conversion takes the first components. */
static void print_input(Shader *shader, Type type, const char *name, Semantic *semantic,
                        Place place)
{
    Printer *p = &shader->printer;
    print(p, "    %s = %s(%s);\n", name, print_type(p, type),
          input_source(shader, semantic, place));
}

/* The target that an output writes; NULL: none, it has no effect. */
static const char *output_target(Shader *shader, const Semantic *semantic, Place place)
{
    Arena *arena = shader->printer.parser->arena;
    if (shader->printer.is_fragment) {
        if (semantic_is(semantic, "DEPTH"))
            shader->out->writes_depth = true;
        else if (semantic_is(semantic, "COLOR") && semantic->index < EFFECT_COLOR_TARGETS)
            shader->has_color[semantic->index] = true;
        else
            parser_fail(shader->printer.parser, place, "a pixel shader has no output %s%u",
                        semantic->name, semantic->index);
        return semantic_is(semantic, "DEPTH") ? "depth"
                                              : arena_printf(arena, "color%u", semantic->index);
    }
    if (semantic_is(semantic, "PSIZE") || semantic_is(semantic, "FOG"))
        return NULL;
    if (semantic_is(semantic, "POSITION") && semantic->index == 0)
        return "position";
    return add_varying(shader, semantic, place);
}

static void print_output(Shader *shader, Type type, const char *name, Semantic *semantic,
                         Place place)
{
    static const char *const PADDING[] = {"", ", 0.0, 0.0, 0.0", ", 0.0, 0.0", ", 0.0", ""};
    Printer *p = &shader->printer;
    const char *target = output_target(shader, semantic, place);
    if (target && !strcmp(target, "depth"))
        print(p, "    gl_FragDepth = float(%s);\n", name);
    else if (target && semantic_is(semantic, "COLOR") && !p->is_fragment &&
             shader->compilation->model < 3)
        /* Of shader model 2, colors are clamped before they are interpolated. */
        print(p, "    %s = clamp(vec4(%s%s), 0.0, 1.0);\n", target, name, PADDING[type.columns]);
    else if (target)
        print(p, "    %s = vec4(%s%s);\n", target, name, PADDING[type.columns]);
}

/* The call of the entry, with variables for inputs and outputs before and after it. */
static void print_call_of_entry(Shader *shader)
{
    Printer *p = &shader->printer;
    Arena *arena = p->parser->arena;
    const Compilation *compilation = shader->compilation;
    const Function *function = compilation->function;
    const char *arguments = "";
    for (size_t i = 0; i < function->argument_count && !p->parser->failed; i++) {
        const Variable *variable = function->arguments[i];
        const char *name = arena_printf(arena, "argument%zu", i);
        Semantic semantic = read_semantic(variable->semantic);
        const Node *value = compilation->values[i];
        p->out = &shader->before;
        if (variable->type.base == EFFECT_SAMPLER) {
            name = print_variable_name(p, value->variable);
        } else {
            print(p, "    %s %s%s = ", print_type(p, variable->type), name,
                  print_array(p, variable->type));
            if (value)
                print_node(p, value);
            else
                print_zero(p, variable->type);
            print(p, ";\n");
        }
        if (!value && variable->is_in)
            print_values(shader, variable->type, name, &semantic, variable->place, print_input);
        if (variable->is_out) {
            semantic = read_semantic(variable->semantic);
            p->out = &shader->after;
            print_values(shader, variable->type, name, &semantic, variable->place, print_output);
        }
        arguments = arena_printf(arena, "%s%s%s", arguments, i ? ", " : "", name);
    }
    const bool is_void = function->type.base == EFFECT_VOID;
    p->out = &shader->before;
    print(p, "    ");
    if (!is_void)
        print(p, "%s result%s = ", print_type(p, function->type), print_array(p, function->type));
    print(p, "%s(%s);\n", print_function_name(p, function), arguments);
    if (is_void)
        return;
    Semantic semantic = read_semantic(*function->semantic                    ? function->semantic
                                      : function->type.base == EFFECT_STRUCT ? ""
                                      : p->is_fragment                       ? "COLOR0"
                                                                             : "POSITION0");
    p->out = &shader->after;
    print_values(shader, function->type, "result", &semantic, function->place, print_output);
}

/* ---- global variables ---- */

static int compare_places(const void *a, const void *b)
{
    const Variable *const *x = a, *const *y = b;
    if ((*x)->kind != (*y)->kind)
        return (*x)->kind < (*y)->kind ? -1 : 1;
    return (*x)->index < (*y)->index ? -1 : (*x)->index > (*y)->index;
}

static void add_uniform(Shader *shader, const Variable *variable, size_t *vectors)
{
    Printer *p = &shader->printer;
    Arena *arena = p->parser->arena;
    const Type type = variable->type;
    const EffectUniform uniform = {.parameter = (int)variable->index,
                                   .name = print_parameter_name(p, variable),
                                   .dimension = type.base != EFFECT_SAMPLER ? EFFECT_DIMENSION_ANY
                                                : type.dimension > EFFECT_2D
                                                    ? (EffectDimension)type.dimension
                                                    : EFFECT_2D};
    print(p, "uniform %s %s%s;\n", print_type(p, type), uniform.name, print_array(p, type));
    if (type.base == EFFECT_SAMPLER) {
        *arena_push(arena, &shader->samplers) = uniform;
        if (shader->samplers.count > EFFECT_MAX_SAMPLERS)
            parser_fail(p->parser, shader->compilation->place, "a shader has more than %d samplers",
                        EFFECT_MAX_SAMPLERS);
    } else {
        *vectors += (size_t)type.rows * (type.elements ? type.elements : 1);
        *arena_push(arena, &shader->uniforms) = uniform;
        if (*vectors > EFFECT_MAX_VECTORS)
            parser_fail(p->parser, shader->compilation->place,
                        "a shader has more than %d vectors of constants", EFFECT_MAX_VECTORS);
    }
}

static void print_global(Shader *shader, const Variable *variable, Text *globals, Text *assignments,
                         size_t *vectors)
{
    Printer *p = &shader->printer;
    const Type type = variable->type;
    if (variable->type.base == EFFECT_STRING || variable->type.base == EFFECT_TEXTURE) {
        parser_fail(p->parser, shader->compilation->place, "'%s' is read by a shader",
                    variable->name);
        return;
    }
    const double *constants = variable->is_written ? NULL : variable->constants;
    const char *name = print_variable_name(p, variable);
    p->out = globals;
    if (constants) {
        print(p, "const %s %s%s = ", print_type(p, type), name, print_array(p, type));
        print_constants(p, type, constants);
        print(p, ";\n");
        return;
    }
    if (variable->kind == VARIABLE_PARAMETER) {
        add_uniform(shader, variable, vectors);
        if (!variable->is_written)
            return;
    }
    print(p, "%s %s%s;\n", print_type(p, type), name, print_array(p, type));
    p->out = assignments;
    print(p, "    %s = ", name);
    if (variable->kind == VARIABLE_PARAMETER)
        print(p, "%s", print_parameter_name(p, variable));
    else if (variable->value)
        print_node(p, variable->value);
    else
        print_zero(p, type);
    print(p, ";\n");
}

/* ---- the text ---- */

static void print_interface(Shader *shader, const Shader *fragment)
{
    Printer *p = &shader->printer;
    EffectShader *out = shader->out;
    for (int i = 0; i < EFFECT_INPUT_COUNT; i++)
        if (out->inputs & 1u << i)
            print(p, "layout(location = %d) in vec4 attribute_%d;\n", i, i);
    for (size_t i = 0; i < shader->varyings.count; i++)
        print(p, "%s vec4 %s;\n", p->is_fragment ? "in" : "out", shader->varyings.items[i]);
    for (size_t i = 0; fragment && i < fragment->varyings.count; i++)
        if (!has_varying(shader, fragment->varyings.items[i]))
            print(p, "out vec4 %s;\n", fragment->varyings.items[i]);
    for (unsigned i = 0; i < EFFECT_COLOR_TARGETS; i++)
        if (shader->has_color[i]) {
            print(p, "layout(location = %u) out vec4 color%u;\n", i, i);
            out->color_count = i + 1;
        }
    if (!p->is_fragment)
        print(p, "uniform vec4 odori_viewport;\n");
    else if (shader->has_color[0])
        print(p, "#ifdef ODORI_ALPHA_FUNC\nuniform float odori_alpha_ref;\n#endif\n");
    if (shader->reads_pixel)
        print(p, "uniform vec4 odori_fragment;\n");
}

static void print_end_of_main(Shader *shader, const Shader *fragment)
{
    Printer *p = &shader->printer;
    if (p->is_fragment) {
        if (shader->has_color[0])
            print(p, "#ifdef ODORI_ALPHA_FUNC\n"
                     "    if (!(color0.a ODORI_ALPHA_FUNC odori_alpha_ref)) discard;\n"
                     "#endif\n");
        return;
    }
    for (size_t i = 0; fragment && i < fragment->varyings.count; i++)
        if (!has_varying(shader, fragment->varyings.items[i]))
            print(p, "    %s = %s;\n", fragment->varyings.items[i],
                  strcmp(fragment->varyings.items[i], "vary_POSITION0") ? "vec4(0.0)" : "position");
    print(p, "    gl_Position = vec4(position.x + odori_viewport.x * position.w,\n"
             "        position.y * odori_viewport.z + odori_viewport.y * position.w,\n"
             "        position.z + odori_viewport.w * (position.w - 2.0 * position.z), "
             "position.w);\n");
}

static void print_shader(Shader *shader, const Compilation *compilation, const Shader *fragment)
{
    Printer *p = &shader->printer;
    Arena *arena = p->parser->arena;
    Text globals = {0}, assignments = {0}, text = {0};
    size_t vectors = 0;
    shader->compilation = compilation;
    shader->out = arena_alloc(arena, sizeof *shader->out);
    p->is_fragment = compilation->is_fragment;

    print_reach_function(p, compilation->function);
    for (size_t i = 0; i < compilation->function->argument_count; i++)
        if (compilation->values[i])
            print_reach_node(p, compilation->values[i]);
    if (p->globals.count)
        qsort(p->globals.items, p->globals.count, sizeof *p->globals.items, compare_places);
    for (size_t i = 0; i < p->globals.count && !p->parser->failed; i++)
        print_global(shader, p->globals.items[i], &globals, &assignments, &vectors);
    for (size_t i = 0; i < p->order.count && !p->parser->failed; i++)
        print_function(p, p->order.items[i]);
    print_call_of_entry(shader);

    p->out = &text;
    print_interface(shader, fragment);
    const Text *parts[] = {&p->structs, &globals, &p->helpers, &p->functions};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]->items)
            print(p, "%s\n", parts[i]->items);
    print(p, "void main()\n{\n");
    if (!p->is_fragment)
        print(p, "    vec4 position = vec4(0.0);\n");
    const Text *statements[] = {&assignments, &shader->before, &shader->after};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (statements[i]->items)
            print(p, "%s", statements[i]->items);
    print_end_of_main(shader, fragment);
    print(p, "}\n");

    shader->out->entry = compilation->function->name;
    shader->out->text = text.items ? text.items : "";
    shader->out->model = compilation->model;
    shader->out->uniforms = shader->uniforms.items;
    shader->out->uniform_count = shader->uniforms.count;
    shader->out->samplers = shader->samplers.items;
    shader->out->sampler_count = shader->samplers.count;
}

bool shaders_print(PassShaders *out, Parser *parser, const PassSource *source, size_t *size,
                   unsigned *stamp)
{
    Shader *shaders[2] = {NULL, NULL};
    const Compilation *compilations[] = {source->fragment, source->vertex};
    for (size_t i = 0; i < 2 && !parser->failed; i++) {
        if (!compilations[i] || !compilations[i]->function)
            continue;
        shaders[i] = arena_alloc(parser->arena, sizeof *shaders[i]);
        shaders[i]->printer = (Printer){
            .parser = parser, .stamp = ++*stamp, .size = *size, .limit = EFFECT_MAX_OUTPUT};
        print_shader(shaders[i], compilations[i], i == 1 ? shaders[0] : NULL);
        *size = shaders[i]->printer.size;
    }
    out->fragment = shaders[0] ? shaders[0]->out : NULL;
    out->vertex = shaders[1] ? shaders[1]->out : NULL;
    return !parser->failed;
}
