#include "job/job_location.h"

#include <stdlib.h>
#include <string.h>

#include "format/yaml.h"
#include "job/job_files.h"

/* The part of a map or list that a word names, or NULL. */
static const YamlNode *child(const YamlNode *node, const char *word)
{
    if (node->kind == YAML_LIST)
        return yaml_item(node, strtoul(word, NULL, 10));
    return yaml_find(node, word);
}

const DiagLocation *job_location(const Job *job, const char *key, const char *name, Arena *arena)
{
    const YamlNode *node = job->root, *next = node;
    if (!node)
        return NULL;
    for (const char *at = key; *at && next; at += *at == '.') {
        const size_t size = strcspn(at, ".");
        next = child(node, arena_strndup(arena, at, size));
        node = next ? next : node;
        at += size;
    }
    if (name && next && (next = child(node, name)) != NULL)
        node = next->key ? next->key : next; /* the name, not its value */
    if (!strcmp(node->source->name, JOB_FILES_NAME))
        return NULL;
    return yaml_location(node, name ? arena_printf(arena, "%s.%s", key, name) : key, arena);
}
