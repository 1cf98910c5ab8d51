/* gl_threads: whether a process may fork with the threads that it has */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/prctl.h>

#include "gl/gl_threads.h"

typedef struct Thread {
    const char *name;
    bool busy; /* else it sleeps */
    atomic_bool runs, ends;
    pthread_mutex_t lock; /* held by the test */
    pthread_t id;
} Thread;

static void *live(void *user)
{
    Thread *t = user;
    prctl(PR_SET_NAME, t->name);
    t->runs = true;
    while (t->busy && !t->ends)
        continue;
    pthread_mutex_lock(&t->lock);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void start(Thread *t, const char *name, bool busy)
{
    *t = (Thread){.name = name, .busy = busy};
    pthread_mutex_init(&t->lock, NULL);
    pthread_mutex_lock(&t->lock);
    assert_int_equal(pthread_create(&t->id, NULL, live, t), 0);
    while (!t->runs)
        continue;
}

static void end(Thread *t)
{
    t->ends = true;
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->id, NULL);
    pthread_mutex_destroy(&t->lock);
}

static bool allows(const char *name, bool busy)
{
    Thread thread;
    GlThreads threads;
    start(&thread, name, busy);
    gl_threads_open(&threads);
    assert_int_equal(threads.count, 1);
    const bool allowed = gl_threads_allow_fork(&threads);
    gl_threads_close(&threads);
    end(&thread);
    return allowed;
}

static void a_process_without_threads_may_fork(void **state)
{
    (void)state;
    GlThreads threads;
    gl_threads_open(&threads);
    assert_int_equal(threads.count, 0);
    assert_true(gl_threads_allow_fork(&threads));
    gl_threads_close(&threads);
}

/* Names are as Mesa gives them: those of a driver with threads for drawing, too. */
static void only_a_sleeping_writer_is_harmless(void **state)
{
    (void)state;
    assert_true(allows("odori:disk$0", false));
    assert_true(allows("a (b) c:disk$0", false));
    assert_false(allows("odori:disk$0", true));
    assert_false(allows("llvmpipe-0", false));
    assert_false(allows("odori:gdrv0", false));
}

static void a_thread_that_came_later_is_found(void **state)
{
    (void)state;
    Thread thread;
    GlThreads threads;
    gl_threads_open(&threads);
    start(&thread, "odori:disk$0", false);
    assert_false(gl_threads_allow_fork(&threads));
    end(&thread);
    gl_threads_close(&threads);
    assert_false(gl_threads_allow_fork(&threads)); /* unknown */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_without_threads_may_fork),
        cmocka_unit_test(only_a_sleeping_writer_is_harmless),
        cmocka_unit_test(a_thread_that_came_later_is_found),
    };
    return cmocka_run_group_tests_name("gl_threads", tests, NULL, NULL);
}
