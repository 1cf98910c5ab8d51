// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a tree with correct counts, keys and positions. */
#include <string.h>

#include "base/text.h"
#include "fuzz.h"
#include "record/yaml.h"

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

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    const YamlSource source = {
        .name = "a.yaml", .text = (const char *)bytes.data, .size = bytes.size};
    YamlNode *root = NULL;
    if (!yaml_load(&root, &source, arena, diag))
        return false;
    fuzz_require(is_tree(root, 0));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 512 * size);
}
