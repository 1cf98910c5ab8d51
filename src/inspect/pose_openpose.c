#include "inspect/pose_openpose.h"

#include <errno.h>
#include <string.h>

#include "evaluate/frame.h"
#include "film/film_images.h"
#include "render/passes/openpose.h"

static size_t find_people(Person *people, const Skeleton *skeletons, size_t count,
                          const Scene *scene, const FrameState *state, const Job *job)
{
    const int *size = job->render.size;
    size_t visible = 0;
    for (size_t i = 0; i < count; i++)
        visible += keypoints_project(&people[visible], &skeletons[i], scene, state, size[0],
                                     size[1], NULL);
    return visible;
}

bool pose_openpose_write(FILE *out, Evaluator *evaluator, const Scene *scene, const Job *job,
                         const double *frames, size_t count, Diag *diag)
{
    Arena *arena = arena_create();
    size_t skeleton_count, alias_count;
    const BoneAlias *aliases = film_bone_aliases(&alias_count, job, arena);
    const Skeleton *skeletons = skeletons_find(&skeleton_count, scene, aliases, alias_count, arena);
    Person *people = arena_array(arena, Person, skeleton_count);
    FrameState *state = frame_state_create(scene, arena);
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = evaluate_frame(state, evaluator, scene, frames[i]) ||
               evaluator_report(evaluator, frames[i], diag);
        if (good)
            openpose_write(out, people,
                           find_people(people, skeletons, skeleton_count, scene, state, job),
                           job->render.size[0], job->render.size[1]);
    }
    arena_destroy(arena);
    if (!good)
        return false;
    if (fflush(out) != 0 || ferror(out))
        return errno != EPIPE &&
               diag_fail(diag, DIAG_IO, "cannot write the pose: %s", strerror(errno));
    return true;
}
