#include "job/option_trace.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text_stream.h"
#include "job/job_files.h"

enum { MAX_TEXT_SIZE = 1000 }; /* bytes; a longer value, such as a list of frames, is truncated */

/* As in the file, but on one line. */
static void write_node(FILE *out, const YamlNode *node)
{
    if (node->kind == YAML_SCALAR && node->plain) {
        fputs(node->text[0] ? node->text : "null", out);
        return;
    }
    if (node->kind == YAML_SCALAR) {
        Json json = json_init(out);
        json_text(&json, node->text);
        return;
    }
    fputc(node->kind == YAML_LIST ? '[' : '{', out);
    for (const YamlNode *child = node->first; child; child = child->next) {
        if (node->kind == YAML_MAP)
            fprintf(out, "%s: ", child->key->text);
        write_node(out, child);
        fputs(child->next ? ", " : "", out);
    }
    fputc(node->kind == YAML_LIST ? ']' : '}', out);
}

static const char *node_text(const YamlNode *node, Arena *arena)
{
    TextStream stream;
    write_node(text_stream_open(&stream, arena), node);
    const char *text = text_stream_close(&stream);
    const size_t size = stream.size;
    size_t kept = size <= MAX_TEXT_SIZE ? size : MAX_TEXT_SIZE;
    while (kept < size && kept &&
           ((unsigned char)text[kept] & 0xc0) == 0x80) /* inside a UTF-8 character */
        kept--;
    return arena_printf(arena, "%.*s%s", (int)kept, text, kept < size ? "..." : "");
}

/* "job.yaml:14"; the command line has only one line. */
static const char *source_text(const YamlNode *node, Arena *arena)
{
    const char *name = node->source ? node->source->name : JOB_FILES_NAME;
    if (name[0] == '-' || !strcmp(name, JOB_FILES_NAME))
        return name;
    return arena_printf(arena, "%s:%u", name, node->line);
}

void option_trace(OptionTrace *trace, const char *name, const YamlNode *node, Arena *arena)
{
    *arena_push(arena, trace) =
        (JobValue){arena_strdup(arena, name), node_text(node, arena), source_text(node, arena)};
}
