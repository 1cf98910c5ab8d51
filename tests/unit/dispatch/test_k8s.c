// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "dispatch/k8s.h"
#include "record/yaml.h"
#include "unit_test.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const words[] = {"踊り \"1\".yaml", "--set", "name='a: $(HOME)' # c"};

static Stages stages_named(const char *name)
{
    return (Stages){.name = name,
                    .bake = true,
                    .shards = 4,
                    .resources = {{1, 500}, {4, 2000}, {1, 600}},
                    .program = "odori",
                    .arguments = words,
                    .argument_count = COUNT(words),
                    .checkpoint = "out/.a b.odori"};
}

/* ---- names: RFC 1123, 63 characters with the suffixes "-shards" and "-9999" of a pod ---- */

static void test_names(void **state)
{
    static const struct {
        const char *name, *beginning; /* before the dash and the digest */
    } rows[] = {
        {"my-dance", "my-dance"},
        {"My Dance (final).2", "my-dance-final-2"},
        {"踊り", "film"},
        {"踊り miku 2", "miku-2"},
        {"--a--", "a"},
        {"", "film"},
        {"'; rm -rf / #", "rm-rf"},
        {"a-very-long-name-of-a-dance-that-never-ends", "a-very-long-name-of-a-dance-th"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char name[STAGES_LABEL_SIZE];
        const Stages stages = stages_named(rows[i].name);
        stages_label(name, &stages);
        const size_t size = strlen(rows[i].beginning);
        if (strncmp(name, rows[i].beginning, size) != 0 || strlen(name) != size + 9 ||
            name[size] != '-' || strspn(name + size + 1, "0123456789abcdef") != 8)
            fail_msg("'%s' became '%s'", rows[i].name, name);
    }
}

/* Names without usable characters differ by the digest. */
static void test_names_differ(void **state)
{
    char a[STAGES_LABEL_SIZE], b[STAGES_LABEL_SIZE], c[STAGES_LABEL_SIZE];
    Stages stages = stages_named("踊り");
    (void)state;
    stages_label(a, &stages);
    stages.argument_count--;
    stages_label(b, &stages);
    stages = stages_named("歌");
    stages_label(c, &stages);
    assert_string_not_equal(a, b);
    assert_string_not_equal(a, c);
    assert_string_not_equal(b, c);
}

/* ---- the manifest, parsed as YAML ---- */

typedef struct Manifest {
    Arena *arena;
    char *text;
    const YamlNode *jobs[STAGE_KINDS];
    size_t count;
} Manifest;

/* The YAML reader accepts one document, so each is read separately. */
static void read_manifest(Manifest *m, const Stages *stages, const K8sOptions *options)
{
    static YamlSource sources[STAGE_KINDS];
    size_t size;
    Diag diag;
    diag_init(&diag, NULL, NULL);
    m->arena = arena_create();
    m->count = 0;
    FILE *out = open_memstream(&m->text, &size);
    assert_true(k8s_write(out, stages, options, m->arena, &diag));
    fclose(out);
    char *at = strstr(m->text, "\n---\n");
    while (at) {
        char *const start = at + 5;
        at = strstr(start, "\n---\n");
        YamlNode *root;
        assert_true(m->count < STAGE_KINDS);
        sources[m->count] =
            (YamlSource){"x.yaml", start, at ? (size_t)(at + 1 - start) : strlen(start), 0};
        assert_true(yaml_load(&root, &sources[m->count], m->arena, &diag));
        m->jobs[m->count++] = root;
    }
}

static void free_manifest(Manifest *m)
{
    arena_destroy(m->arena);
    free(m->text);
}

/* "spec.template.spec.containers.0.name" */
static const YamlNode *node_at(const YamlNode *node, const char *path)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *key = strtok(copy, "."); key && node; key = strtok(NULL, "."))
        node = node->kind == YAML_LIST ? yaml_item(node, (size_t)atoi(key)) : yaml_find(node, key);
    return node;
}

static const char *text_at(const YamlNode *node, const char *path)
{
    node = node_at(node, path);
    return node && node->kind == YAML_SCALAR ? node->text : "(nothing)";
}

#define CONTAINER "spec.template.spec.containers.0."

static void test_manifest(void **state)
{
    static const struct {
        StageKind job;
        const char *path, *value;
    } rows[] = {
        {STAGE_BAKE, "apiVersion", "batch/v1"},
        {STAGE_BAKE, "kind", "Job"},
        {STAGE_BAKE, "spec.backoffLimit", "3"},
        {STAGE_BAKE, "spec.podFailurePolicy.rules.1.action", "FailJob"},
        {STAGE_BAKE, CONTAINER "command.1", "bake"},
        {STAGE_BAKE, CONTAINER "resources.limits.memory", "500Mi"},
        {STAGE_SHARDS, "spec.completionMode", "Indexed"},
        {STAGE_SHARDS, "spec.completions", "4"},
        {STAGE_SHARDS, "spec.parallelism", "4"},
        {STAGE_SHARDS, "spec.backoffLimitPerIndex", "3"},
        {STAGE_SHARDS, "spec.podFailurePolicy.rules.0.action", "Ignore"},
        {STAGE_SHARDS, "spec.podFailurePolicy.rules.0.onPodConditions.0.type", "DisruptionTarget"},
        {STAGE_SHARDS, "spec.podFailurePolicy.rules.1.action", "FailIndex"},
        {STAGE_SHARDS, "spec.podFailurePolicy.rules.1.onExitCodes.containerName", "odori"},
        {STAGE_SHARDS, "spec.podFailurePolicy.rules.1.onExitCodes.values.0", "2"},
        {STAGE_SHARDS, "spec.podFailurePolicy.rules.1.onExitCodes.values.4", "78"},
        {STAGE_SHARDS, "spec.template.spec.restartPolicy", "Never"},
        {STAGE_SHARDS, "spec.template.spec.terminationGracePeriodSeconds", "60"},
        {STAGE_SHARDS, CONTAINER "name", "odori"},
        {STAGE_SHARDS, CONTAINER "image", "registry.example/odori:1 \"x\""},
        {STAGE_SHARDS, CONTAINER "workingDir", "/data/夢"},
        {STAGE_SHARDS, CONTAINER "command.0", "odori"},
        {STAGE_SHARDS, CONTAINER "command.1", "render"},
        {STAGE_SHARDS, CONTAINER "command.2", "踊り \"1\".yaml"},
        {STAGE_SHARDS, CONTAINER "command.4", "name='a: $$(HOME)' # c"},
        {STAGE_SHARDS, CONTAINER "command.5", "--state"},
        {STAGE_SHARDS, CONTAINER "command.6", "out/.a b.odori"},
        {STAGE_SHARDS, CONTAINER "command.7", "--shard"},
        {STAGE_SHARDS, CONTAINER "command.8", "auto"},
        {STAGE_SHARDS, CONTAINER "env.0.name", "ODORI_SHARDS"},
        {STAGE_SHARDS, CONTAINER "env.0.value", "4"},
        {STAGE_SHARDS, CONTAINER "resources.requests.cpu", "4"},
        {STAGE_SHARDS, CONTAINER "resources.requests.memory", "2000Mi"},
        {STAGE_SHARDS, CONTAINER "volumeMounts.0.mountPath", "/data/夢"},
        {STAGE_SHARDS, "spec.template.spec.volumes.0.persistentVolumeClaim.claimName", "films"},
        {STAGE_JOIN, CONTAINER "command.1", "join"},
        {STAGE_JOIN, CONTAINER "resources.requests.memory", "600Mi"},
    };
    const K8sOptions options = {"registry.example/odori:1 \"x\"", "films", "/data/夢"};
    const Stages stages = stages_named("踊り");
    Manifest m;
    (void)state;

    read_manifest(&m, &stages, &options);
    assert_int_equal(m.count, STAGE_KINDS);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *value = text_at(m.jobs[rows[i].job], rows[i].path);
        if (strcmp(value, rows[i].value) != 0)
            fail_msg("%s %s is '%s', not '%s'", stage_names[rows[i].job], rows[i].path, value,
                     rows[i].value);
    }
    /* Quoted numbers are texts, as required by env, but not by completions. */
    assert_false(node_at(m.jobs[STAGE_SHARDS], CONTAINER "env.0.value")->plain);
    assert_true(node_at(m.jobs[STAGE_SHARDS], "spec.completions")->plain);
    /* The commands in the comments wait for the names of the Jobs. */
    for (StageKind kind = STAGE_BAKE; kind < STAGE_KINDS; kind++) {
        char wait[128];
        snprintf(wait, sizeof wait, "kubectl wait --for=condition=complete --timeout=24h job/%s\n",
                 text_at(m.jobs[kind], "metadata.name"));
        assert_non_null(strstr(m.text, wait));
    }
    free_manifest(&m);
}

static void test_without_bake(void **state)
{
    const K8sOptions options = {"odori", "films", "/data"};
    Stages stages = stages_named("a");
    Manifest m;
    (void)state;
    stages.bake = false;
    read_manifest(&m, &stages, &options);
    assert_int_equal(m.count, 2);
    assert_string_equal(text_at(m.jobs[0], "spec.completionMode"), "Indexed");
    assert_null(strstr(m.text, "bake"));
    free_manifest(&m);
}

static void test_rejects_invalid_options(void **state)
{
    static const struct {
        const char *what;
        K8sOptions options;
    } rows[] = {
        {"no image", {"", "films", "/data"}},
        {"no claim", {"odori", "", "/data"}},
        {"a claim in capitals", {"odori", "Films", "/data"}},
        {"a claim that starts with a dash", {"odori", "-films", "/data"}},
        {"a claim with a line break", {"odori", "a\nb", "/data"}},
        {"a relative mount path", {"odori", "films", "data"}},
        {"a mount path with a colon", {"odori", "films", "/a:b"}},
    };
    const Stages stages = stages_named("a");
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        FILE *out = fopen("/dev/null", "w");
        DiagLog log;
        diag_log_init(&log);
        if (k8s_write(out, &stages, &rows[i].options, arena, &log.diag) ||
            log.diag.kind != DIAG_USAGE)
            fail_msg("%s: accepted", rows[i].what);
        fclose(out);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_differ),
        cmocka_unit_test(test_manifest),
        cmocka_unit_test(test_without_bake),
        cmocka_unit_test(test_rejects_invalid_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
