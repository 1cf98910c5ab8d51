#include "run/pipeline/demo_run.h"

#include <string.h>

#include "base/path.h"
#include "demo/demo.h"
#include "run/checkpoint/checkpoint_files.h"
#include "run/checkpoint/written_files.h"

static const char *directory_beside(const char *output, Arena *arena)
{
    const char *name = path_name(output), *dot = strrchr(name, '.');
    if (!dot || dot == name)
        return arena_printf(arena, "%s-assets", output);
    return arena_strndup(arena, output, (size_t)(dot - output));
}

bool demo_prepare(JobSource *source, const char *directory, bool hall, bool overwrite, Arena *arena,
                  Diag *diag)
{
    if (!directory)
        directory = directory_beside(source->output, arena);
    source->path = arena_printf(arena, "%s/%s", directory, hall ? DEMO_HALL_JOB : DEMO_JOB);
    const WrittenFiles *written = written_files_load(
        checkpoint_directory_beside(source->path, arena), overwrite, NULL, arena);
    return demo_write(directory, hall, written_files_approval(written), arena, diag);
}
