// SPDX-License-Identifier: MIT
#include "hlsl_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "scratch.h"

/* glslang's program has another name in newer packages. */
static const char *compiler(void)
{
    static const char *const NAMES[] = {"glslangValidator", "glslang"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char command[128];
        snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", NAMES[i]);
        if (system(command) == 0)
            return NAMES[i];
    }
    return NULL;
}

bool hlsl_peer_exists(void)
{
    if (compiler() && system("command -v spirv-cross >/dev/null 2>&1") == 0)
        return true;
    fprintf(stderr, "skipped: no glslang or no spirv-cross\n");
    return false;
}

const char *hlsl_peer_translate(const char *text, const char *entry, Arena *arena)
{
    Scratch scratch;
    scratch_make(&scratch);
    FILE *out = fopen(scratch_path(&scratch, "a.frag"), "w");
    const char *result = NULL;
    if (out) {
        fputs(text, out);
        fclose(out);
        const char *command = arena_printf(
            arena,
            "cd %s && ulimit -c 0 && timeout 200 %s -D -V -S frag -e %s --amb --aml -o a.spv "
            "a.frag "
            ">log 2>&1 && timeout 200 spirv-cross --version 330 --no-es a.spv --output a.glsl "
            ">>log 2>&1",
            scratch.directory, compiler(), entry);
        Diag diag = diag_quiet();
        Bytes bytes;
        const bool translated = system(command) == 0;
        if (file_load(&bytes, scratch_path(&scratch, translated ? "a.glsl" : "log"), 16 << 20,
                      arena, &diag)) {
            char *all = arena_strndup(arena, (const char *)bytes.data, bytes.size);
            if (translated)
                result = all + strcspn(all, "\n") + 1;
            else if (getenv("ODORI_ORACLE_LOG"))
                fprintf(stderr, "glslang: %.600s\n", all);
        }
    }
    scratch_remove(&scratch);
    return result;
}
