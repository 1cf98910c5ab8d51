// SPDX-License-Identifier: MIT
/* gl_probe: names the renderer and leaves no context, no child and no file descriptor behind */

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag_log.h"
#include "render/gl/gl_probe.h"
#include "unit_test.h"

static void test_probe(void **unused)
{
    GlProbe first, second;
    DiagLog log;
    (void)unused;

    diag_log_init(&log);
    const int free_descriptor = dup(0);
    close(free_descriptor);
    assert_true(gl_probe(&first, (GlChoice){0}, &log.diag));
    assert_true(gl_probe(&second, (GlChoice){0}, &log.diag));
    assert_string_equal(first.backend, second.backend);
    assert_string_equal(first.renderer, second.renderer);
    assert_true(!strcmp(first.backend, "OSMesa") || !strcmp(first.backend, "EGL"));
    assert_non_null(strstr(first.renderer, ", "));
    assert_null(strstr(first.renderer, "Core Profile")); /* from "Mesa" on */

    gl_probe_begin((GlChoice){0});
    gl_probe_begin((GlChoice){0});
    assert_true(gl_probe(&second, (GlChoice){0}, &log.diag));
    assert_string_equal(first.renderer, second.renderer);
    gl_probe_begin((GlChoice){0});
    gl_probe_cancel();
    gl_probe_cancel();

    const int descriptor = dup(0);
    assert_int_equal(descriptor, free_descriptor);
    close(descriptor);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

/* The name is that of the context that a worker will have. */
static void test_same_as_context(void **unused)
{
    GlProbe probe;
    DiagLog log;
    (void)unused;

    diag_log_init(&log);
    assert_true(gl_probe(&probe, (GlChoice){0}, &log.diag));
    GlContext *gl = gl_create((GlChoice){0}, &log.diag);
    assert_non_null(gl);
    assert_string_equal(probe.backend, gl_backend_name(gl));
    assert_string_equal(probe.renderer, gl_renderer(gl));
    gl_destroy(gl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_same_as_context),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
