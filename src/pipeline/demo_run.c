#include "pipeline/demo_run.h"

#include <string.h>

#include "base/path.h"
#include "checkpoint/checkpoint.h"
#include "demo/demo.h"

static const char *folder_beside(const char *output, Arena *arena)
{
    const char *name = path_name(output), *dot = strrchr(name, '.');
    if (!dot || dot == name)
        return arena_printf(arena, "%s-assets", output);
    return arena_strndup(arena, output, (size_t)(dot - output));
}

bool demo_prepare(JobSource *source, const char *folder, bool hall, bool overwrite, Arena *arena,
                  Diag *diag)
{
    if (!folder)
        folder = folder_beside(source->output, arena);
    source->path = arena_printf(arena, "%s/%s", folder, hall ? DEMO_HALL_JOB : DEMO_JOB);
    const WrittenFiles *written =
        written_files_load(checkpoint_folder_beside(source->path, arena), overwrite, NULL, arena);
    return demo_write(folder, hall, written_files_approval(written), arena, diag);
}
