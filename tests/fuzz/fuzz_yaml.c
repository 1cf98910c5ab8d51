/* Any bytes: refused with a message, or a tree whose counts, keys and places are right. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Asked by the leak sanitizer: libfyaml 0.7 loses a buffer when a long quoted text goes wrong. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml";
}

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

static bool is_tree(const YamlNode *node, int depth)
{
    size_t count = 0;
    if (depth > YAML_MAX_DEPTH + 1 || !node->line || !node->column)
        return false;
    if (node->kind == YAML_SCALAR)
        return !node->first && text_is_utf8(node->text, strlen(node->text));
    for (const YamlNode *child = node->first; child; child = child->next, count++)
        if ((node->kind == YAML_MAP) != (child->key != NULL) || !is_tree(child, depth + 1))
            return false;
    return count == node->count && count <= YAML_MAX_NODES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_PER_BYTE = 512, MOST_MORE = 256 * 1024 };
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, ignore, NULL);
    const YamlSource source = {.name = "a.yaml", .text = (const char *)data, .size = size};
    YamlNode *root = NULL;
    const bool loaded = yaml_load(&root, &source, arena, &diag);
    if (loaded ? !is_tree(root, 0) : diag.errors == 0)
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * size + MOST_MORE)
        abort();
    arena_destroy(arena);
    return 0;
}
