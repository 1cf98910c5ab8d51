// SPDX-License-Identifier: MIT
#include "record/yaml.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/parser_entry.h"
#include "base/text.h"

enum {
    MESSAGE_SIZE = 1024,
    MAX_ATTEMPTS = 2,                     /* attempts to parse a text while memory is short */
    MAX_PUNCTUATION = 2 * YAML_MAX_NODES, /* brackets, braces and commas */
    EXCERPT_WIDTH = 96,                   /* characters of a line that an excerpt shows */
    EXCERPT_SIZE = 2 * (EXCERPT_WIDTH * 4 + 64)
};

/* ---- messages with an excerpt of the source ---- */

static size_t character_size(const char *at, const char *end)
{
    size_t n = 1;
    while (at + n < end && ((unsigned char)at[n] & 0xC0) == 0x80)
        n++;
    return n;
}

/* Terminal columns of a character; tabs and control characters are shown as one blank. */
static int character_width(const char *at, size_t size)
{
    utf8proc_int32_t code;
    if (utf8proc_iterate((const utf8proc_uint8_t *)at, (utf8proc_ssize_t)size, &code) <= 0)
        return 1;
    return code < 0x20 || code == 0x7F ? 1 : utf8proc_charwidth(code);
}

static void find_line(const YamlSource *source, unsigned line, const char **start, const char **end)
{
    const char *at = source->text, *stop = source->text + source->size;
    for (unsigned i = 1; i < line && at < stop; i++) {
        const char *next = memchr(at, '\n', (size_t)(stop - at));
        at = next ? next + 1 : stop;
    }
    const char *next = memchr(at, '\n', (size_t)(stop - at));
    *start = at;
    *end = next ? next : stop;
    if (*end > *start && (*end)[-1] == '\r')
        (*end)--;
}

/*
 *   "\n   14 |   fps: sixty"
 *   "\n      |        ^"
 * Of a long line only the part around the column is shown.
 */
static void write_excerpt(char out[EXCERPT_SIZE], const YamlSource *source, unsigned line,
                          unsigned column)
{
    const char *at, *end;
    find_line(source, line, &at, &end);
    unsigned first = 1; /* column of the first character shown */
    for (; column > first + EXCERPT_WIDTH - 16 && at < end; first++)
        at += character_size(at, end);

    char caret[EXCERPT_WIDTH * 2 + 8];
    size_t padding = 0;
    size_t used = (size_t)snprintf(out, EXCERPT_SIZE, "\n%5u | ", line);
    for (unsigned i = 0; i < EXCERPT_WIDTH && at < end; i++) {
        const size_t size = character_size(at, end);
        const int width = character_width(at, size);
        if (size == 1 && (*at < 0x20 || *at == 0x7F))
            out[used++] = ' ';
        else if (size <= 4)
            for (size_t k = 0; k < size; k++)
                out[used++] = at[k];
        for (int k = 0; first + i < column && k < width; k++)
            caret[padding++] = ' ';
        at += size;
    }
    snprintf(out + used, EXCERPT_SIZE - used, "\n      | %.*s^", (int)padding, caret);
}

/* Values in messages come from the file: their line breaks and escapes must not reach the terminal.
 */
static void replace_control_characters(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = ' ';
}

static void format_message(char out[MESSAGE_SIZE], const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static void format_message(char out[MESSAGE_SIZE], const char *format, va_list args)
{
    vsnprintf(out, MESSAGE_SIZE, format, args);
    replace_control_characters(out);
}

static bool error_at(const YamlSource *source, unsigned line, unsigned column, Diag *diag,
                     const char *message)
{
    char excerpt[EXCERPT_SIZE];
    write_excerpt(excerpt, source, line, column);
    diag_file(diag, source->name);
    diag_line(diag, line, column);
    return diag_fail(diag, DIAG_JOB, "%s%s", message, excerpt);
}

DiagLocation *yaml_location(const YamlNode *node, const char *key, Arena *arena)
{
    char excerpt[EXCERPT_SIZE];
    DiagLocation *location = arena_array(arena, DiagLocation, 1);
    write_excerpt(excerpt, node->source, node->line, node->column);
    *location = (DiagLocation){.file = node->source->name,
                               .line = node->line,
                               .column = node->column,
                               .key = key,
                               .excerpt = arena_strdup(arena, excerpt)};
    return location;
}

bool yaml_error(const YamlNode *node, Diag *diag, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    format_message(message, format, args);
    va_end(args);
    return error_at(node->source, node->line, node->column, diag, message);
}

/* ---- the tree ---- */

YamlNode *yaml_find(const YamlNode *map, const char *key)
{
    if (map->kind != YAML_MAP)
        return NULL;
    for (YamlNode *child = map->first; child; child = child->next)
        if (!strcmp(child->key->text, key))
            return child;
    return NULL;
}

YamlNode *yaml_item(const YamlNode *list, size_t index)
{
    YamlNode *child = list->kind == YAML_LIST ? list->first : NULL;
    while (child && index--)
        child = child->next;
    return child;
}

bool yaml_is_null(const YamlNode *node)
{
    return node->kind == YAML_SCALAR && node->plain &&
           (!node->text[0] || !strcmp(node->text, "null") || !strcmp(node->text, "~"));
}

YamlNode *yaml_new_node(YamlKind kind, const char *text, const YamlNode *origin, Arena *arena)
{
    YamlNode *node = arena_array(arena, YamlNode, 1);
    *node = (YamlNode){.kind = kind,
                       .text = text,
                       .source = origin->source,
                       .line = origin->line,
                       .column = origin->column};
    return node;
}

void yaml_append(YamlNode *parent, const YamlNode *key, YamlNode *child)
{
    YamlNode **end = &parent->first;
    while (*end)
        end = &(*end)->next;
    child->key = key;
    *end = child;
    parent->count++;
}

YamlNode *yaml_copy(const YamlNode *node, Arena *arena)
{
    YamlNode *copy = yaml_new_node(node->kind, node->text, node, arena);
    YamlNode **end = &copy->first;
    copy->plain = node->plain;
    copy->count = node->count;
    for (const YamlNode *child = node->first; child; child = child->next) {
        *end = yaml_copy(child, arena);
        (*end)->key = child->key;
        end = &(*end)->next;
    }
    return copy;
}

/* Letters, digits and numbers need no quotes. */
static void write_text(FILE *out, const YamlNode *node)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const size_t size = strlen(node->text);
    double number;
    Json json = json_init(out);
    if (node->plain && size &&
        (strspn(node->text, bare) == size || text_to_double(&number, node->text)))
        fputs(node->text, out);
    else
        json_text(&json, node->text);
}

void yaml_write_flow(FILE *out, const YamlNode *node)
{
    const char *between = "";
    if (node->kind == YAML_SCALAR) {
        /* A value; keys are texts, also one that is empty or says null. */
        if (yaml_is_null(node))
            fputs("null", out);
        else
            write_text(out, node);
        return;
    }
    fputc(node->kind == YAML_LIST ? '[' : '{', out);
    for (const YamlNode *child = node->first; child; child = child->next, between = ", ") {
        fputs(between, out);
        if (child->key) {
            write_text(out, child->key);
            fputs(": ", out);
        }
        yaml_write_flow(out, child);
    }
    fputc(node->kind == YAML_LIST ? ']' : '}', out);
}

/* ---- building the tree from events ---- */

typedef struct Level { /* a list or map that is not yet closed */
    YamlNode *node, *last;
    YamlNode *key; /* map: the key whose value is not yet read */
} Level;

typedef struct Builder {
    const YamlSource *source;
    Arena *arena;
    Diag *diag;
    Level levels[YAML_MAX_DEPTH];
    size_t depth;
    YamlNode *root;
    size_t node_count, documents;
    unsigned line, column; /* position of the last event that has one */
} Builder;

static bool fail(Builder *builder, const char *message)
{
    return error_at(builder->source, builder->line, builder->column, builder->diag, message);
}

/* The number of characters in the first line before the document. */
static unsigned start_column(const YamlSource *source)
{
    unsigned count = 0;
    const char *end = source->text + source->start;
    for (const char *at = source->text; at < end; at += character_size(at, end))
        count++;
    return count;
}

static void update_position(Builder *builder, const struct fy_mark *mark)
{
    if (!mark || mark->line < 0 || mark->column < 0)
        return;
    builder->line = (unsigned)mark->line + 1;
    builder->column = (unsigned)mark->column + 1;
    if (mark->line == 0)
        builder->column += start_column(builder->source);
}

static YamlNode *new_node(Builder *builder, YamlKind kind)
{
    if (++builder->node_count > YAML_MAX_NODES) {
        fail(builder, "too many values");
        return NULL;
    }
    YamlNode *node = arena_array(builder->arena, YamlNode, 1);
    node->kind = kind;
    node->text = "";
    node->source = builder->source;
    node->line = builder->line;
    node->column = builder->column;
    return node;
}

static bool set_key(Builder *builder, Level *level, YamlNode *node)
{
    if (node->kind != YAML_SCALAR)
        return fail(builder, "a key must be a scalar");
    if (node->plain && !strcmp(node->text, "<<"))
        return fail(builder, "merge keys (<<) are not allowed");
    level->key = node;
    return true;
}

/* Attaches a new node: as root, list item, key or value. */
static bool attach_node(Builder *builder, YamlNode *node)
{
    Level *level = builder->depth ? &builder->levels[builder->depth - 1] : NULL;

    if (!level) {
        builder->root = node;
        return true;
    }
    if (level->node->kind == YAML_MAP && !level->key)
        return set_key(builder, level, node);
    node->key = level->key;
    level->key = NULL;
    *(level->last ? &level->last->next : &level->node->first) = node;
    level->last = node;
    level->node->count++;
    return true;
}

static bool open_level(Builder *builder, YamlKind kind)
{
    if (builder->depth == YAML_MAX_DEPTH)
        return fail(builder, "nested too deeply");
    YamlNode *node = new_node(builder, kind);
    if (!node || !attach_node(builder, node))
        return false;
    builder->levels[builder->depth++] = (Level){.node = node};
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const YamlNode *x = *(const YamlNode *const *)a, *y = *(const YamlNode *const *)b;
    const int order = strcmp(x->text, y->text);
    if (order)
        return order;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static bool check_keys(Builder *builder, const YamlNode *map)
{
    if (map->count < 2)
        return true;
    const YamlNode **keys = arena_array(builder->arena, const YamlNode *, map->count);
    size_t count = 0;
    bool good = true;
    for (const YamlNode *child = map->first; child; child = child->next)
        keys[count++] = child->key;
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count && good; i++)
        if (!strcmp(keys[i - 1]->text, keys[i]->text))
            good = yaml_error(keys[i], builder->diag, "duplicate key '%s', first used in line %u",
                              keys[i]->text, keys[i - 1]->line);
    return good;
}

/* libfyaml 0.7.12 reads 'a''''b' as "a'''", and more of them with uninitialized bytes. */
static bool is_misread(const Builder *builder, struct fy_token *token)
{
    static const char apostrophes[] = "''''";
    const struct fy_mark *start = fy_token_start_mark(token), *end = fy_token_end_mark(token);
    const char *text = builder->source->text + builder->source->start;
    return fy_token_scalar_style(token) == FYSS_SINGLE_QUOTED && start && end &&
           memmem(text + start->input_pos, end->input_pos - start->input_pos, apostrophes,
                  sizeof apostrophes - 1) != NULL;
}

static bool add_scalar(Builder *builder, struct fy_token *token)
{
    YamlNode *node = new_node(builder, YAML_SCALAR);
    size_t size = 0;
    const char *text = fy_token_get_text(token, &size);
    if (!node)
        return false;
    if (is_misread(builder, token))
        return fail(builder, "two apostrophes in a row need double quotes: \"''\"");
    if (text && memchr(text, '\0', size))
        return fail(builder, "a scalar must not contain a NUL byte");
    if (text)
        node->text = arena_strndup(builder->arena, text, size);
    const enum fy_scalar_style style = fy_token_scalar_style(token);
    node->plain = style == FYSS_PLAIN;
    if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && node->column > 1)
        node->column--; /* the position of libfyaml is after the quote */
    return attach_node(builder, node);
}

/* The position of libfyaml for an anchor or alias is after its & or *. */
static bool fail_at_token(Builder *builder, struct fy_token *token, const char *message)
{
    update_position(builder, fy_token_start_mark(token));
    builder->column -= builder->column > 1;
    return fail(builder, message);
}

static bool check_properties(Builder *builder, struct fy_token *anchor, struct fy_token *tag)
{
    if (anchor)
        return fail_at_token(builder, anchor, "anchors (&name) are not allowed");
    if (tag)
        update_position(builder, fy_token_start_mark(tag));
    return !tag || fail(builder, "tags (!type) are not allowed");
}

static bool handle_event(Builder *builder, struct fy_event *event)
{
    if (event->type != FYET_STREAM_START && event->type != FYET_STREAM_END)
        update_position(builder, fy_event_start_mark(event));
    switch (event->type) {
    case FYET_DOCUMENT_START:
        return builder->documents++ == 0 || fail(builder, "a second document is not allowed");
    case FYET_ALIAS:
        return fail_at_token(builder, event->alias.anchor, "aliases (*name) are not allowed");
    case FYET_SCALAR:
        return check_properties(builder, event->scalar.anchor, event->scalar.tag) &&
               add_scalar(builder, event->scalar.value);
    case FYET_MAPPING_START:
        return check_properties(builder, event->mapping_start.anchor, event->mapping_start.tag) &&
               open_level(builder, YAML_MAP);
    case FYET_SEQUENCE_START:
        return check_properties(builder, event->sequence_start.anchor, event->sequence_start.tag) &&
               open_level(builder, YAML_LIST);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: {
        const Level *level = &builder->levels[--builder->depth];
        return level->node->kind != YAML_MAP || check_keys(builder, level->node);
    }
    default:
        return true;
    }
}

/* ---- libfyaml ---- */

/* libfyaml reports an unclosed bracket at the end of the file; its start is more useful. */
static void use_unclosed_bracket(Builder *builder, const char *message)
{
    const YamlNode *open = builder->depth ? builder->levels[builder->depth - 1].node : NULL;
    if (open && strstr(message, "without a closing")) {
        builder->line = open->line;
        builder->column = open->column;
    }
}

static bool report_parse_error(Builder *builder, struct fy_diag *errors)
{
    void *iterator = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(errors, &iterator);
    if (memory_has_failed())
        memory_exhausted(0);
    if (!error)
        return fail(builder, "invalid YAML");
    update_position(builder,
                    &(struct fy_mark){.line = error->line - 1, .column = error->column - 1});
    use_unclosed_bracket(builder, error->msg);
    return fail(builder, error->msg);
}

static bool parse(Builder *builder, struct fy_parser *parser, struct fy_diag *errors)
{
    for (;;) {
        struct fy_event *event = fy_parser_parse(parser);
        if (!event)
            break;
        const bool good = handle_event(builder, event);
        const bool finished = event->type == FYET_STREAM_END;
        fy_parser_event_free(parser, event);
        if (!good)
            return false;
        if (finished)
            return true;
    }
    return report_parse_error(builder, errors);
}

static bool run_parser(Builder *builder)
{
    const YamlSource *source = builder->source;
    struct fy_diag_cfg config_errors;
    fy_diag_cfg_default(&config_errors);
    config_errors.fp = NULL;
    config_errors.level = FYET_ERROR;
    struct fy_diag *errors = fy_diag_create(&config_errors);
    if (!errors)
        memory_exhausted(0);
    fy_diag_set_collect_errors(errors, true);
    const struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = errors};
    struct fy_parser *parser = fy_parser_create(&config);

    errno = 0; /* the library does not report every lack of memory */
    if (!parser || fy_parser_set_string(parser, source->text + source->start,
                                        source->size - source->start) != 0)
        memory_exhausted(0);
    const bool good = parse(builder, parser, errors);
    fy_parser_destroy(parser);
    fy_diag_destroy(errors);
    return good;
}

/* ---- checks before libfyaml parses the text ---- */

static bool check_size(const YamlSource *source, Diag *diag)
{
    if (source->size <= YAML_MAX_SIZE)
        return true;
    diag_file(diag, source->name);
    return diag_fail(diag, DIAG_JOB, "document of %zu bytes is too large (at most %d)",
                     source->size, YAML_MAX_SIZE);
}

static size_t count_punctuation(const char *at, const char *end)
{
    size_t count = 0;
    for (; at < end; at++)
        count += *at == '[' || *at == ']' || *at == '{' || *at == '}' || *at == ',';
    return count;
}

/* Refuses directives, because libfyaml needs minutes for a long one, and too many brackets and
 * commas, because it allocates 400 bytes for each until it knows that they are not part of a key.
 */
static bool check_lines(Builder *builder)
{
    const YamlSource *source = builder->source;
    const char *at = source->text, *end = source->text + source->size;
    size_t punctuation = 0;

    for (builder->line = 1; at < end; builder->line++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        const char *stop = next ? next : end;
        if (!text_is_utf8(at, (size_t)(stop - at)) || memchr(at, '\0', (size_t)(stop - at)))
            return fail(builder, "this line is not valid UTF-8 text");
        if (*at == '%')
            return fail(builder, "directives (lines that start with %) are not allowed");
        punctuation += count_punctuation(at, stop);
        if (punctuation > MAX_PUNCTUATION)
            return fail(builder, "too many values");
        at = stop + 1;
    }
    builder->line = 1;
    return true;
}

static bool build_tree(Builder *builder)
{
    if (!check_lines(builder) || !run_parser(builder))
        return false;
    if (!builder->root) {
        builder->root = new_node(builder, YAML_SCALAR);
        builder->root->plain = true;
    }
    return true;
}

/* Without memory libfyaml reads a scalar as empty text and reports nothing; only errno shows it.
 * But malloc also leaves ENOMEM where brk failed once and mmap did not, so the text is parsed
 * again.
 */
bool yaml_load(YamlNode **root, const YamlSource *source, Arena *arena, Diag *diag)
{
    parser_enter("yaml");
    if (!check_size(source, diag))
        return false;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        Builder builder = {.source = source, .arena = arena, .diag = diag, .line = 1, .column = 1};
        if (!build_tree(&builder))
            return false;
        *root = builder.root;
        if (!memory_has_failed())
            return true;
    }
    memory_exhausted(0);
}
