#include "pipeline/frame_drawer.h"

#include "base/clock.h"
#include "look/grade.h"

struct FrameDrawer {
    const Film *film;
    FrameState *state;
    Grade *grade; /* or NULL */
    double look_s;
};

FrameDrawer *frame_drawer_create(const Film *film, Arena *arena)
{
    FrameDrawer *drawer = arena_array(arena, FrameDrawer, 1);

    drawer->film = film;
    drawer->state = frame_state_create(&film->scene, arena);
    if (film->look.has_grade)
        drawer->grade = grade_create(&film->look.grade, light_tables_create(arena), arena);
    return drawer;
}

static void apply_look(Image *image, FrameDrawer *drawer, int64_t frame)
{
    const double start_s = clock_thread_cpu_s();

    if (drawer->grade)
        grade_apply(image, drawer->grade, frame);
    drawer->look_s = clock_thread_cpu_s() - start_s;
}

bool frame_drawer_draw(Image *image, FrameDrawer *drawer, Renderer *renderer, const void *packed,
                       int64_t frame, Diag *diag)
{
    frame_state_unpack(drawer->state, packed, &drawer->film->scene);
    if (!render_frame(image, renderer, drawer->state, diag))
        return false;
    apply_look(image, drawer, frame);
    return true;
}

double frame_drawer_look_s(const FrameDrawer *drawer)
{
    return drawer->look_s;
}
