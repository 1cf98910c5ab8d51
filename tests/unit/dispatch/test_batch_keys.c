// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text_stream.h"
#include "diag_log.h"
#include "dispatch/batch_keys.h"
#include "record/help/option_help.h"
#include "record/help/option_schema.h"
#include "record/yaml.h"
#include "unit_test.h"

/* The value at a dotted path of a JSON document, "" if it is missing. */
static const char *value_at(const YamlNode *node, const char *path, Arena *arena)
{
    while (node && *path) {
        const size_t size = strcspn(path, "/");
        node = yaml_find(node, arena_strndup(arena, path, size));
        path += size + (path[size] == '/');
    }
    return node && node->kind == YAML_SCALAR ? node->text : "";
}

static void test_schema_describes_every_key(void **state)
{
    static const struct {
        const char *path, *expected;
    } rows[] = {
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"type", "object"},
        {"additionalProperties", "false"},
        {"properties/version/type", "integer"},
        {"properties/version/maximum", "1"},
        {"properties/run/properties/retries/maximum", "100"},
        {"properties/run/properties/retries/default", "2"},
        {"properties/run/properties/share_bakes/default", "true"},
        {"properties/run/properties/on_failure/default", "continue"},
        {"properties/run/additionalProperties", "false"},
        {"properties/include/maxItems", "10000"},
        {"properties/include/items/additionalProperties", "false"},
        {"properties/include/items/properties/set/description",
         "map from keys of the job file to values, which override base and with"},
    };
    Arena *arena = arena_create();
    DiagLog log;
    YamlNode *root;
    (void)state;
    diag_log_init(&log);
    TextStream stream;
    option_schema(text_stream_open(&stream, arena), batch_keys_reference(arena), "id", "title");
    const char *text = text_stream_close(&stream);
    const YamlSource source = {.name = "schema", .text = text, .size = strlen(text)};
    assert_true(yaml_load(&root, &source, arena, &log.diag));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(value_at(root, rows[i].path, arena), rows[i].expected) != 0)
            fail_msg("%s is '%s', expected '%s'", rows[i].path, value_at(root, rows[i].path, arena),
                     rows[i].expected);
    for (size_t i = 0; i < batch_keys.count; i++)
        assert_non_null(yaml_find(yaml_find(root, "properties"), batch_keys.rows[i].key));
    arena_destroy(arena);
}

static void test_manual_has_types_and_defaults(void **state)
{
    static const char *const parts[] = {
        ".B version\n",
        "required\n",
        ".B run.jobs\n",
        "auto or 1..256; default 1\n",
        ".B out\n",
        ".B matrix\n",
        "continue, stop; default continue\n",
        ".B include.N.with\n",
    };
    Arena *arena = arena_create();
    TextStream stream;
    option_manual(text_stream_open(&stream, arena), batch_keys_reference(arena), arena);
    const char *text = text_stream_close(&stream);
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i]))
            fail_msg("'%s' is missing in:\n%s", parts[i], text);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema_describes_every_key),
        cmocka_unit_test(test_manual_has_types_and_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
