// SPDX-License-Identifier: MIT
/* gl: whether a process may fork with the threads that it has */

#include <pthread.h>

#include "render/gl/gl.h"
#include "unit_test.h"

static void *wait_for_end(void *user)
{
    pthread_mutex_lock(user);
    pthread_mutex_unlock(user);
    return NULL;
}

static void a_process_without_threads_may_fork(void **state)
{
    (void)state;
    assert_true(gl_threads_allow_fork(gl_threads_open()));
    assert_false(gl_threads_allow_fork(-1)); /* unknown */
}

static void a_thread_that_sleeps_forbids_it(void **state)
{
    (void)state;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t id;
    const int list = gl_threads_open(); /* before the thread exists */
    pthread_mutex_lock(&lock);
    assert_int_equal(pthread_create(&id, NULL, wait_for_end, &lock), 0);
    assert_false(gl_threads_allow_fork(list));
    pthread_mutex_unlock(&lock);
    pthread_join(id, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_without_threads_may_fork),
        cmocka_unit_test(a_thread_that_sleeps_forbids_it),
    };
    return cmocka_run_group_tests_name("gl_threads", tests, NULL, NULL);
}
