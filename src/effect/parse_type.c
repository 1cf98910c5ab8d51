// SPDX-License-Identifier: MIT
#include <string.h>

#include "effect/number.h"
#include "effect/parser.h"

/* Bases of numbers; with a size: "float4", "half3x3". */
static const struct {
    const char *name;
    EffectBase base;
} NUMBERS[] = {{"float", EFFECT_FLOAT}, {"half", EFFECT_FLOAT}, {"double", EFFECT_FLOAT},
               {"fixed", EFFECT_FLOAT}, {"int", EFFECT_INT},    {"uint", EFFECT_INT},
               {"dword", EFFECT_INT},   {"short", EFFECT_INT},  {"bool", EFFECT_BOOL}};

/* The other types; Direct3D reads the names without case. */
static const struct {
    const char *name;
    EffectBase base;
    EffectDimension dimension;
} OBJECTS[] = {{"void", EFFECT_VOID, EFFECT_DIMENSION_ANY},
               {"string", EFFECT_STRING, EFFECT_DIMENSION_ANY},
               {"texture", EFFECT_TEXTURE, EFFECT_DIMENSION_ANY},
               {"texture1D", EFFECT_TEXTURE, EFFECT_1D},
               {"texture2D", EFFECT_TEXTURE, EFFECT_2D},
               {"texture3D", EFFECT_TEXTURE, EFFECT_3D},
               {"textureCUBE", EFFECT_TEXTURE, EFFECT_CUBE},
               {"sampler", EFFECT_SAMPLER, EFFECT_DIMENSION_ANY},
               {"sampler1D", EFFECT_SAMPLER, EFFECT_1D},
               {"sampler2D", EFFECT_SAMPLER, EFFECT_2D},
               {"sampler3D", EFFECT_SAMPLER, EFFECT_3D},
               {"samplerCUBE", EFFECT_SAMPLER, EFFECT_CUBE}};

/* "", "3", "4x3"; a matrix of one column is a vector here. */
static bool set_size(Type *type, const char *size)
{
    unsigned rows = 1, columns = 1;
    if (size[0] >= '1' && size[0] <= '4') {
        columns = (unsigned)(size[0] - '0');
        size++;
        if (size[0] == 'x' && size[1] >= '1' && size[1] <= '4') {
            rows = columns;
            columns = (unsigned)(size[1] - '0');
            size += 2;
        }
    }
    *type = columns == 1 ? type_vector(type->base, rows) : type_matrix(type->base, rows, columns);
    return *size == '\0';
}

static bool find_type(const Parser *parser, const Token *token, Type *out)
{
    const char *name = token->text;
    if (token->kind != TOKEN_NAME)
        return false;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        const size_t size = strlen(NUMBERS[i].name);
        *out = (Type){.base = (uint8_t)NUMBERS[i].base};
        if (!strncmp(name, NUMBERS[i].name, size) && set_size(out, name + size))
            return true;
    }
    const Symbol *symbol = symbols_find(parser, SYMBOL_TYPE, name);
    if (symbol) {
        *out = symbol->type;
        return true;
    }
    for (size_t i = 0; i < sizeof OBJECTS / sizeof *OBJECTS; i++)
        if (text_equal_ignoring_case(name, OBJECTS[i].name)) {
            *out = (Type){.base = (uint8_t)OBJECTS[i].base,
                          .dimension = (uint8_t)OBJECTS[i].dimension};
            return true;
        }
    *out = !strcmp(name, "vector")   ? type_vector(EFFECT_FLOAT, 4)
           : !strcmp(name, "matrix") ? type_matrix(EFFECT_FLOAT, 4, 4)
                                     : TYPE_VOID;
    return out->base != EFFECT_VOID;
}

bool parse_at_type(const Parser *parser)
{
    Type type;
    return parser_at(parser, "struct") || find_type(parser, parser->token, &type);
}

/* vector<float, 3>, matrix<float, 4, 3>: the part after the name. */
static Type parse_template(Parser *parser, bool is_matrix)
{
    double rows = 1, columns = 1;
    const bool stops = parser->stops_at_greater;
    parser_expect(parser, "<");
    Type type = parse_type(parser);
    parser->stops_at_greater = true;
    if (is_matrix) {
        parser_expect(parser, ",");
        parse_constant(parser, &rows, "rows");
    }
    parser_expect(parser, ",");
    parse_constant(parser, &columns, "columns");
    parser->stops_at_greater = stops;
    parser_expect(parser, ">");
    if (!type_is_scalar(type) || !(rows >= 1 && rows <= 4 && columns >= 1 && columns <= 4)) {
        parser_fail(parser, parser->token->place, "vectors and matrices have 1 to 4 numbers");
        return TYPE_FLOAT;
    }
    const unsigned r = (unsigned)rows, c = (unsigned)columns;
    return c == 1 ? type_vector(type.base, r) : type_matrix(type.base, r, c);
}

Type parse_type(Parser *parser)
{
    Type type;
    if (parser_at(parser, "struct"))
        return parse_struct(parser);
    if (!find_type(parser, parser->token, &type)) {
        parser_fail(parser, parser->token->place, "expected a type, not '%.64s'",
                    parser->token->text);
        return TYPE_FLOAT;
    }
    const Token *name = parser->token++;
    if ((token_is(name, "vector") || token_is(name, "matrix")) && parser_at(parser, "<"))
        return parse_template(parser, token_is(name, "matrix"));
    return type;
}

/* The number in brackets; 0 for "[]", where that is allowed. */
static uint32_t parse_elements(Parser *parser, bool *is_open)
{
    double count = 0;
    const Place place = parser->token->place;
    parser_expect(parser, "[");
    if (is_open && parser_at(parser, "]"))
        *is_open = true;
    else if (parse_constant(parser, &count, "the size of an array") &&
             !(count >= 1 && count <= EFFECT_MAX_ELEMENTS))
        parser_fail(parser, place, "an array of %g elements (1..%d)", count, EFFECT_MAX_ELEMENTS);
    parser_expect(parser, "]");
    return parser->failed ? 0 : (uint32_t)count;
}

void parse_array(Parser *parser, Type *type, bool *is_open)
{
    const Place place = parser->token->place;
    if (!parser_at(parser, "["))
        return;
    if (type->base == EFFECT_SAMPLER || type->base == EFFECT_TEXTURE || type->elements)
        parser_fail(parser, place, "arrays of %s are not supported",
                    type_name(*type, parser->arena));
    uint32_t elements = parse_elements(parser, is_open);
    if (elements && parser_at(parser, "[")) {
        type->inner = parse_elements(parser, NULL);
        elements *= type->inner;
    }
    if (elements > EFFECT_MAX_ELEMENTS || parser_at(parser, "["))
        parser_fail(parser, place, "arrays of more than %d elements or two sizes are not supported",
                    EFFECT_MAX_ELEMENTS);
    type->elements = parser->failed ? 0 : elements;
}

const char *parse_semantic(Parser *parser, int *sampler_register)
{
    const char *semantic = "";
    while (parser_accept(parser, ":")) {
        const Token *name = parser->token;
        const char *text = parser_name(parser, "a semantic");
        if (strcmp(text, "register") != 0 && strcmp(text, "packoffset") != 0) {
            semantic = text;
            continue;
        }
        parser_expect(parser, "(");
        for (; !parser_at(parser, ")") && !parser_at_end(parser); parser->token++) {
            Number number;
            const char *at = parser->token->text;
            if (token_is(name, "register") && at[0] == 's' && number_parse(&number, at + 1) &&
                number.value < EFFECT_MAX_SAMPLERS)
                *sampler_register = (int)number.value;
        }
        parser_expect(parser, ")");
    }
    return semantic;
}

static bool is_member_modifier(const Parser *parser)
{
    static const char *const WORDS[] = {"const",     "linear",          "centroid",
                                        "row_major", "nointerpolation", "column_major"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (parser_at(parser, WORDS[i]))
            return true;
    return false;
}

Type parse_struct(Parser *parser)
{
    ARENA_LIST(Member) members = {0};
    Struct *structure = arena_alloc(parser->arena, sizeof *structure);
    const Place place = parser->token->place;
    int sampler_register = -1;
    parser_expect(parser, "struct");
    structure->name = parser->token->kind == TOKEN_NAME ? (parser->token++)->text : "struct";
    parser_expect(parser, "{");
    while (!parser_at(parser, "}") && !parser_at_end(parser) && parser_deepen(parser)) {
        while (is_member_modifier(parser))
            parser->token++;
        const Type type = parse_type(parser);
        if (!type_is_number(type) && type.base != EFFECT_STRUCT)
            parser_fail(parser, place, "a member of struct '%s' is no number", structure->name);
        do {
            Member *member = arena_push(parser->arena, &members);
            *member = (Member){.type = type};
            member->name = parser_name(parser, "the name of a member");
            parse_array(parser, &member->type, NULL);
            member->semantic = parse_semantic(parser, &sampler_register);
        } while (parser_accept(parser, ","));
        parser_expect(parser, ";");
        parser_leave(parser);
    }
    parser_expect(parser, "}");
    if (!members.count)
        parser_fail(parser, place, "struct '%s' has no members", structure->name);
    structure->members = members.items;
    structure->member_count = members.count;
    structure->index = (unsigned)parser->structs.count;
    *arena_push(parser->arena, &parser->structs) = structure;

    const Type type = {.base = EFFECT_STRUCT, .structure = structure};
    if (type_size(type) > 4 * EFFECT_MAX_ELEMENTS)
        parser_fail(parser, place, "struct '%s' has more than %d numbers", structure->name,
                    4 * EFFECT_MAX_ELEMENTS);
    if (!parser->failed)
        symbols_add(parser, SYMBOL_TYPE, structure->name)->type = type;
    return type;
}

void parse_typedef(Parser *parser)
{
    parser_expect(parser, "typedef");
    parser_accept(parser, "const");
    Type type = parse_type(parser);
    const char *name = parser_name(parser, "a name for the type");
    parse_array(parser, &type, NULL);
    parser_expect(parser, ";");
    if (!parser->failed)
        symbols_add(parser, SYMBOL_TYPE, name)->type = type;
}
