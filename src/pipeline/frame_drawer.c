#include "pipeline/frame_drawer.h"

#include "base/clock.h"
#include "look/grade.h"

struct FrameDrawer {
    const Film *film;
    FrameState *state;
    Grade *grade;         /* or NULL */
    PassPainter *painter; /* NULL if there are no passes */
    int64_t prepared;     /* the frame whose state the renderer has; -1: none */
    double look_s;
};

/* NULL if the film has only the picture. */
static PassPainter *create_painter(const Film *film, Arena *arena)
{
    Pass passes[PASS_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < film->image_count; i++)
        if (film->images[i].pass != PASS_BEAUTY)
            passes[count++] = film->images[i].pass;
    return count ? pass_painter_create(&film->passes, &film->scene, passes, count,
                                       film->render.width, film->render.height, arena)
                 : NULL;
}

FrameDrawer *frame_drawer_create(const Film *film, Arena *arena)
{
    FrameDrawer *drawer = arena_array(arena, FrameDrawer, 1);

    drawer->film = film;
    drawer->state = frame_state_create(&film->scene, arena);
    if (film->look.has_grade)
        drawer->grade = grade_create(&film->look.grade, light_tables_create(arena), arena);
    drawer->painter = create_painter(film, arena);
    drawer->prepared = -1;
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
    drawer->prepared = frame;
    apply_look(image, drawer, frame);
    return true;
}

bool frame_drawer_draw_passes(Image *images, FrameDrawer *drawer, Renderer *renderer,
                              const void *packed, int64_t frame, Diag *diag)
{
    const Film *film = drawer->film;
    if (!drawer->painter)
        return true;
    if (drawer->prepared != frame) {
        frame_state_unpack(drawer->state, packed, &film->scene);
        render_prepare(renderer, drawer->state);
    }
    if (!pass_painter_begin(drawer->painter, renderer, diag))
        return false;
    for (size_t i = 0; i < film->image_count; i++)
        if (film->images[i].pass != PASS_BEAUTY)
            pass_painter_paint(images[i].pixels, drawer->painter, film->images[i].pass);
    return true;
}

double frame_drawer_look_s(const FrameDrawer *drawer)
{
    return drawer->look_s;
}
