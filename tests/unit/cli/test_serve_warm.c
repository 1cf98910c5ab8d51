// SPDX-License-Identifier: MIT
/*
 * serve_warm: which drawer gets a request, and which films and drawers end (cli/serve/README.md 1,
 * 2)
 *
 * The process of a film is the other end of its socket here: it gets the socket of each new drawer,
 * and a drawer ends when that is closed.
 */

#include <sys/socket.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "cli/serve/serve_warm.h"
#include "unit_test.h"

typedef struct Fixture {
    WarmScenes warm;
    int process; /* the other end of the last film's socket */
} Fixture;

static const char anna, bert; /* clients */

static WarmScene *load(Fixture *f, int number)
{
    int pair[2];
    const Digest key = {.bytes = {(uint8_t)number}};
    WarmScene *scene = warm_scene_add(&f->warm, &key);
    if (!scene)
        return NULL;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    scene->socket = pair[0];
    f->process = pair[1];
    warm_scene_ready(&f->warm, scene);
    return scene;
}

static bool is_loaded(Fixture *f, int number)
{
    const Digest key = {.bytes = {(uint8_t)number}};
    return warm_scene_find(&f->warm, &key) != NULL;
}

/* A film in this process, for drawers.  unload: it must not be ended. */
static WarmScene *load_here(Fixture *f, int max_drawers)
{
    warm_scenes_init(&f->warm, 4, 1 << 20, max_drawers);
    WarmScene *scene = load(f, 1);
    scene->pid = getpid();
    return scene;
}

static void unload(Fixture *f)
{
    for (size_t i = 0; i < WARM_MAX_SCENES; i++)
        f->warm.scenes[i].pid = 0;
    warm_scenes_finish(&f->warm);
}

/* The other end of a new drawer's socket; -1: no drawer was asked for. */
static int asked(const Fixture *f)
{
    char byte;
    int passed;
    if (recv(f->process, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 1)
        return -1;
    assert_int_equal(file_calls_receive(f->process, &byte, 1, &passed), 1);
    return passed;
}

static bool has_ended(int other_end)
{
    char byte;
    const ssize_t n = recv(other_end, &byte, 1, MSG_DONTWAIT);
    assert_true(n <= 0);
    return n == 0;
}

static void one_drawer_for_each_client(void **state)
{
    (void)state;
    Fixture f;
    WarmScene *scene = load_here(&f, 4);
    Drawer *first = warm_drawer_take(&f.warm, scene, &anna);
    const int other_end = asked(&f);
    assert_true(other_end >= 0);
    warm_drawer_release(&f.warm, first, true, getpid());

    assert_ptr_equal(warm_drawer_take(&f.warm, scene, &anna), first); /* it has waited */
    assert_int_equal(asked(&f), -1);
    Drawer *second = warm_drawer_take(&f.warm, scene, &anna); /* while that one draws */
    assert_ptr_not_equal(second, first);
    const int second_end = asked(&f);
    warm_drawer_release(&f.warm, first, true, getpid());
    Drawer *of_bert = warm_drawer_take(&f.warm, scene, &bert);
    assert_ptr_not_equal(of_bert, first);
    const int end_of_bert = asked(&f);
    assert_true(end_of_bert >= 0);

    warm_drawers_forget(&f.warm, &anna);
    assert_true(has_ended(other_end));
    assert_false(has_ended(second_end)); /* it still draws */
    assert_false(has_ended(end_of_bert));
    warm_drawer_release(&f.warm, second, true, getpid());
    assert_true(has_ended(second_end));
    unload(&f);
}

static void drawers_that_do_not_remain(void **state)
{
    (void)state;
    Fixture f;
    WarmScene *scene = load_here(&f, 4);
    Drawer *drawer = warm_drawer_take(&f.warm, scene, &anna);
    const int failed = asked(&f);
    warm_drawer_release(&f.warm, drawer, false, getpid());
    assert_true(has_ended(failed));

    drawer = warm_drawer_take(&f.warm, scene, &anna);
    const int killed = asked(&f);
    assert_true(killed >= 0);
    warm_drawer_release(&f.warm, drawer, true, getpid());
    close(killed);
    warm_drawer_release(&f.warm, warm_drawer_take(&f.warm, scene, &anna), true, getpid());
    const int after = asked(&f); /* another one takes its place */
    assert_true(after >= 0);
    assert_false(has_ended(after));
    unload(&f);
}

/* Of those that wait, the one that was used longest ago ends. */
static void no_more_drawers_than_allowed(void **state)
{
    (void)state;
    Fixture f;
    Drawer *drawers[3];
    int ends[3];
    WarmScene *scene = load_here(&f, 2);
    for (int i = 0; i < 3; i++) {
        drawers[i] = warm_drawer_take(&f.warm, scene, &anna);
        ends[i] = asked(&f);
        assert_true(ends[i] >= 0);
    }
    static const int order[] = {1, 2, 0};
    for (int i = 0; i < 3; i++)
        warm_drawer_release(&f.warm, drawers[order[i]], true, getpid());
    assert_false(has_ended(ends[0]));
    assert_true(has_ended(ends[1]));
    assert_false(has_ended(ends[2]));
    unload(&f);
}

/* The film that was used longest ago ends, and none that a request uses. */
static void no_more_films_than_allowed(void **state)
{
    (void)state;
    Fixture f;
    warm_scenes_init(&f.warm, 2, 1 << 20, 4);
    load(&f, 1)->running = 1;
    load(&f, 2);
    WarmScene *third = load(&f, 3);
    assert_true(is_loaded(&f, 1) && !is_loaded(&f, 2) && is_loaded(&f, 3));
    third->running = 1;
    assert_null(load(&f, 4)); /* both are used */
    third->running = 0;
    assert_non_null(load(&f, 4));
    assert_true(is_loaded(&f, 1) && !is_loaded(&f, 3) && is_loaded(&f, 4));
    assert_int_equal(warm_scenes_count(&f.warm), 2);
    unload(&f);

    warm_scenes_init(&f.warm, 0, 1 << 20, 4);
    assert_null(load(&f, 1));
}

/* Memory counts films and the drawers that wait for requests. */
static void no_more_memory_than_allowed(void **state)
{
    (void)state;
    Fixture f;
    warm_scenes_init(&f.warm, 4, 100, 4);
    load(&f, 1)->mib = 60;
    load(&f, 2)->mib = 30;
    assert_int_equal(warm_scenes_mib(&f.warm), 90);
    load(&f, 3)->mib = 20;
    assert_true(is_loaded(&f, 1)); /* until the next one is loaded */
    load(&f, 4);
    assert_true(!is_loaded(&f, 1) && is_loaded(&f, 2) && is_loaded(&f, 3) && is_loaded(&f, 4));
    unload(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_drawer_for_each_client),
        cmocka_unit_test(drawers_that_do_not_remain),
        cmocka_unit_test(no_more_drawers_than_allowed),
        cmocka_unit_test(no_more_films_than_allowed),
        cmocka_unit_test(no_more_memory_than_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
