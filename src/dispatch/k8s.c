#include "dispatch/k8s.h"

#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "film/shard.h"

enum { DIGEST_DIGITS = 8, LONGEST_CLAIM = 253 };

#define LABEL "app.kubernetes.io/"
#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789"

/* ---- names ---- */

/* Lower case; all else becomes one dash. */
static size_t simplify(char *out, size_t size, const char *name)
{
    size_t used = 0;
    for (const char *at = name; *at && used + 1 < size; at++) {
        const char letter = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
        if (strchr(LETTERS, letter))
            out[used++] = letter;
        else if (used && out[used - 1] != '-')
            out[used++] = '-';
    }
    while (used && out[used - 1] == '-')
        used--;
    return used;
}

void k8s_name(char out[K8S_NAME_SIZE], const Stages *stages)
{
    char digest[DIGEST_TEXT_SIZE];
    Hash *hash = hash_create();
    hash_add(hash, stages->name, strlen(stages->name) + 1);
    for (size_t i = 0; i < stages->argument_count; i++)
        hash_add(hash, stages->arguments[i], strlen(stages->arguments[i]) + 1);
    hash_add(hash, stages->state, strlen(stages->state) + 1);
    const Digest sum = hash_finish(hash);
    digest_text(digest, &sum);

    size_t used = simplify(out, K8S_NAME_SIZE - DIGEST_DIGITS - 1, stages->name);
    if (!used)
        used = simplify(out, K8S_NAME_SIZE - DIGEST_DIGITS - 1, "film");
    snprintf(out + used, K8S_NAME_SIZE - used, "-%.*s", DIGEST_DIGITS, digest);
}

static bool check_options(const K8sOptions *options, Diag *diag)
{
    const char *claim = options->claim;
    const size_t size = strlen(claim);
    if (!options->image[0])
        return diag_fail(diag, DIAG_USAGE, "--image: the name of a container image is needed");
    if (!size || size > LONGEST_CLAIM || claim[strspn(claim, LETTERS "-.")] ||
        !strchr(LETTERS, claim[0]) || !strchr(LETTERS, claim[size - 1]))
        return diag_fail(diag, DIAG_USAGE,
                         "--claim: '%s' is no name of a volume claim (a-z, 0-9, - and .)", claim);
    if (options->mount[0] != '/' || strchr(options->mount, ':'))
        return diag_fail(diag, DIAG_USAGE, "--mount: '%s' is no absolute path without colons",
                         options->mount);
    return true;
}

/* ---- YAML: texts in double quotes, as JSON has them ---- */

static void write_text(FILE *out, const char *text)
{
    Json json = json_init(out);
    json_text(&json, text);
}

/* Kubernetes takes $(NAME) for a variable, and $$ for a $. */
static const char *without_variables(const char *word, Arena *arena)
{
    char *copy = arena_alloc(arena, 2 * strlen(word) + 1), *out = copy;
    for (const char *at = word; *at; at++) {
        if (*at == '$')
            *out++ = '$';
        *out++ = *at;
    }
    return copy;
}

static void write_command(FILE *out, const Stages *stages, StageKind kind, Arena *arena)
{
    const StageCommand words = stages_command(stages, kind, arena);
    Json json = json_init(out);
    fputs("          command: ", out);
    json_open(&json, '[');
    for (size_t i = 0; i < words.count; i++)
        json_text(&json, without_variables(words.items[i], arena));
    if (kind == STAGE_SHARDS) {
        json_text(&json, "--shard");
        json_text(&json, "auto");
    }
    json_close(&json, ']');
    fputc('\n', out);
}

static void write_head(FILE *out, const Stages *stages, const char *name)
{
    fprintf(out,
            "# '%s' drawn by %d pod%s at once; made by 'odori k8s'.\n"
            "# A Job does not wait for another, so apply them one by one.  When a wait fails, see\n"
            "# kubectl describe job and kubectl logs; applied again, a step goes on with what is "
            "there\n"
            "# (kubectl delete job first).\n#\n",
            stages->name, stages->shards, stages->shards == 1 ? "" : "s");
    for (StageKind kind = stages->bake ? STAGE_BAKE : STAGE_SHARDS; kind < STAGE_KINDS; kind++)
        fprintf(out,
                "#   kubectl apply -f THIS.yaml -l " LABEL "component=%s\n"
                "#   kubectl wait --for=condition=complete --timeout=24h job/%s-%s\n",
                stage_names[kind], name, stage_names[kind]);
    fputs("#\n# The volume must be one that many nodes can write (ReadWriteMany).\n", out);
}

static void write_metadata(FILE *out, const char *name, StageKind kind)
{
    fprintf(out,
            "---\n"
            "apiVersion: batch/v1\n"
            "kind: Job\n"
            "metadata:\n"
            "  name: %s-%s\n"
            "  labels:\n"
            "    " LABEL "name: odori\n"
            "    " LABEL "instance: %s\n"
            "    " LABEL "component: %s\n",
            name, stage_names[kind], name, stage_names[kind]);
}

/* A pod that its node has to give up is no failure.  Of our exit statuses those are final that
 * another run cannot mend: usage, data, input missing, output not possible, job invalid. */
static void write_spec(FILE *out, const Stages *stages, StageKind kind)
{
    fputs("spec:\n", out);
    if (kind == STAGE_SHARDS)
        fprintf(out,
                "  completionMode: Indexed\n"
                "  completions: %d\n"
                "  parallelism: %d\n"
                "  backoffLimitPerIndex: 3\n",
                stages->shards, stages->shards);
    else
        fputs("  backoffLimit: 3\n", out);
    fprintf(out,
            "  podFailurePolicy:\n"
            "    rules:\n"
            "      - action: Ignore # the node went away: begin again, at no cost\n"
            "        onPodConditions:\n"
            "          - type: DisruptionTarget\n"
            "            status: \"True\"\n"
            "      - action: %s # nothing that another run could mend\n"
            "        onExitCodes:\n"
            "          containerName: odori\n"
            "          operator: In\n"
            "          values: [2, 65, 66, 73, 78]\n",
            kind == STAGE_SHARDS ? "FailIndex" : "FailJob");
}

static void write_container(FILE *out, const Stages *stages, const K8sOptions *options,
                            StageKind kind, Arena *arena)
{
    const StageResources need = stages->resources[kind];
    fputs("        - name: odori\n          image: ", out);
    write_text(out, options->image);
    fputs("\n          workingDir: ", out);
    write_text(out, options->mount);
    fputc('\n', out);
    write_command(out, stages, kind, arena);
    if (kind == STAGE_SHARDS)
        fprintf(out,
                "          env:\n"
                "            - name: " SHARD_COUNT_VARIABLE "\n"
                "              value: \"%d\"\n",
                stages->shards);
    fprintf(out,
            "          resources:\n"
            "            requests:\n"
            "              cpu: \"%d\"\n"
            "              memory: %dMi\n"
            "            limits:\n"
            "              cpu: \"%d\"\n"
            "              memory: %dMi\n"
            "          volumeMounts:\n"
            "            - name: films\n"
            "              mountPath: ",
            need.cores, need.memory_mib, need.cores, need.memory_mib);
    write_text(out, options->mount);
    fputc('\n', out);
}

static void write_job(FILE *out, const Stages *stages, const K8sOptions *options, const char *name,
                      StageKind kind, Arena *arena)
{
    write_metadata(out, name, kind);
    write_spec(out, stages, kind);
    fputs("  template:\n"
          "    spec:\n"
          "      restartPolicy: Never\n"
          "      terminationGracePeriodSeconds: 60\n"
          "      containers:\n",
          out);
    write_container(out, stages, options, kind, arena);
    fputs("      volumes:\n"
          "        - name: films\n"
          "          persistentVolumeClaim:\n"
          "            claimName: ",
          out);
    write_text(out, options->claim);
    fputc('\n', out);
}

bool k8s_write(FILE *out, const Stages *stages, const K8sOptions *options, Arena *arena, Diag *diag)
{
    char name[K8S_NAME_SIZE];
    if (!check_options(options, diag))
        return false;
    k8s_name(name, stages);
    write_head(out, stages, name);
    for (StageKind kind = stages->bake ? STAGE_BAKE : STAGE_SHARDS; kind < STAGE_KINDS; kind++)
        write_job(out, stages, options, name, kind, arena);
    return true;
}
