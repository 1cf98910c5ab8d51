// SPDX-License-Identifier: MIT
#include "dispatch/slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- the partition ---- */

/* The value of an option at a word, "--partition=NAME", "-pNAME" or with the value in the next
 * word; or NULL. */
static const char *value_at(const char *at, const char *flag, Arena *arena)
{
    static const char blanks[] = " \t\n";
    const size_t size = strlen(flag);
    if (strncmp(at, flag, size) != 0)
        return NULL;
    at += size;
    at += *at == '=' ? 1 : strspn(at, blanks);
    return arena_strndup(arena, at, strcspn(at, blanks));
}

/* The last one counts. */
static const char *partition_of(const char *options, Arena *arena)
{
    const char *found = getenv("SBATCH_PARTITION");
    for (const char *at = options; at && *at; at += strcspn(at, " \t\n")) {
        at += strspn(at, " \t\n");
        const char *value = value_at(at, "--partition", arena);
        value = value ? value : value_at(at, "-p", arena);
        found = value ? value : found;
    }
    return found && *found ? found : NULL;
}

/* "64", or "16+" where nodes differ; the name of the default partition ends with a star. */
int slurm_parse_cores(const char *output, bool named)
{
    long most = 0, of_default = 0;
    for (const char *at = output; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char *end;
        const long cores = strtol(at, &end, 10);
        const size_t size = strcspn(at, "\n");
        if (cores < 1 || cores > 1 << 20)
            continue;
        most = cores > most ? cores : most;
        if (memchr(at, '*', size))
            of_default = cores > of_default ? cores : of_default;
    }
    return (int)(of_default && !named ? of_default : most);
}

int slurm_node_cores(const char *options, Arena *arena)
{
    const char *partition = partition_of(options, arena);
    const char *command =
        arena_printf(arena, "exec sinfo --noheader --format='%%c %%P'%s%s 2>/dev/null",
                     partition ? " -p " : "", partition ? text_shell_word(partition, arena) : "");
    char text[16384];
    fflush(stdout);
    FILE *in = popen(command, "r");
    if (!in)
        return 0;
    const size_t size = fread(text, 1, sizeof text - 1, in);
    text[size] = '\0';
    while (fgetc(in) != EOF)
        ;
    return pclose(in) == 0 ? slurm_parse_cores(text, partition != NULL) : 0;
}

/* ---- refusals ---- */

bool slurm_refusal_is_final(const char *line)
{
    static const char *const temporary[] = {
        "nable to contact", "imed out",          "emporar",       "onnection",
        "ommunication",     "Transport",         "Zero Bytes",    "standby mode",
        "SubmitJobLimit",   "job submit limit",  "MaxSubmit",     "not responding",
        "I/O error",        "No space left",     "Too many open", "Interrupted",
        "maintenance",      "Job submission to", "try again",     "rate limit"};
    bool final = strstr(line, "sbatch: error:") || strstr(line, "sbatch: fatal:");
    for (size_t i = 0; i < sizeof temporary / sizeof *temporary; i++)
        final &= !strstr(line, temporary[i]);
    return final;
}
