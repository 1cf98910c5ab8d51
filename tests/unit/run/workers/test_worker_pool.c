// SPDX-License-Identifier: MIT
/* worker_pool: frames arrive whole and in order, whichever process dies */

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process_memory.h"
#include "unit_test.h"

#include "run/workers/worker_pool.h"

enum { FRAMES = 40, STATE = 8, PICTURE = 4096, NEVER = -1 };
/* Shorter than the pool waits for frames in progress, and for children that it has killed. */
static const double STOP_S = 1, KILLED_S = 0.25;

struct FrameReceipt {
    int64_t frame;
};

typedef enum Prepare {
    PREPARE_NOT,
    PREPARE_SHARES,
    PREPARE_FAILS,
    PREPARE_DIES,
    PREPARE_HANGS
} Prepare;

static pid_t prepared_here; /* the process that has prepared what workers share */
static pid_t confined_here; /* the process that forks workers */

/* Shared by all processes. */
typedef struct Board {
    int64_t encoded[FRAMES];
    int encoded_count, wrong, finished, closed;
    atomic_int shared, alone; /* workers that were given what they share, and the others */
    atomic_int confined;      /* workers of a process that was confined before */
    atomic_int begun;         /* frames that workers have begun */
    int deaths;               /* workers that the deadly frame still kills */
    atomic_int left;          /* workers that were closed */
    atomic_int in_turn;       /* frames that a worker drew after the one before */
    pid_t drawer;             /* of the frame whose worker dies after it */
} Board;

typedef struct Case {
    Board *board;
    int64_t deadly_frame, failing_frame, slow_frame, encoder_dies_at, refused_frame;
    int64_t large_frame, memoryless_frame, encoder_hangs_at; /* uses 64 MiB; ends without memory */
    int64_t stop_after;                                      /* frames handed in; NEVER: no stop */
    int64_t memory_mib;
    Limit total_mib, cpu_s;
    bool restartable, lost_child;
    bool bound; /* frames are submitted for one worker, and for another one as priors */
    Prepare prepare;
    int prepared;
    bool unconfined; /* the process that forks workers reports an error */
    double draw_s;
    int awaited;            /* workers that the encoder waits for, before it ends the film */
    int64_t dies_after;     /* its worker is killed when main has the frame */
    int64_t awaits_workers; /* drawn when `opened` workers were opened, or after 60 s */
    int opened;
    int ticks;
    WorkerPoolStatus life;
    int64_t done[FRAMES];
    int done_count;
} Case;

static uint8_t shade(int64_t frame)
{
    return (uint8_t)(frame * 37 + 11);
}

static void *open_worker(void *user, void *shared, Diag *diag)
{
    (void)diag;
    const Case *c = user;
    if (confined_here == getppid())
        c->board->confined++;
    if (shared == &prepared_here)
        c->board->shared++;
    else
        c->board->alone++;
    return user;
}

static bool confine(void *user, Diag *diag)
{
    const Case *c = user;
    confined_here = getpid();
    return !c->unconfined || diag_fail(diag, DIAG_RESOURCE, "not confined");
}

static void *prepare(void *user, Diag *diag)
{
    const Case *c = user;
    if (c->prepare == PREPARE_DIES)
        raise(SIGKILL);
    if (c->prepare == PREPARE_HANGS)
        pause();
    if (c->prepare == PREPARE_FAILS) {
        diag_fail(diag, DIAG_RESOURCE, "no context");
        return NULL;
    }
    prepared_here = getpid();
    return confined_here == prepared_here ? &prepared_here : NULL;
}

static void prepared(void *user)
{
    Case *c = user;
    assert_int_equal(prepared_here, 0); /* not in the process that has prepared */
    c->prepared++;
}

static void *open_encoder(void *user, Diag *diag)
{
    (void)diag;
    return user;
}

/* Never released: the process is about to end. */
static void use_memory(size_t size)
{
    void *taken = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(taken != MAP_FAILED);
    memset(taken, 1, size);
}

static bool draw(void *worker, uint8_t *picture, FrameTimes *times, FrameReceipt *receipt,
                 const void *state, int64_t frame, Diag *diag)
{
    static int64_t last = -1; /* of this process */
    const Case *c = worker;
    int64_t said;
    memcpy(&said, state, sizeof said);
    c->board->in_turn += frame == last + 1;
    last = frame;
    if (said != frame * 1000)
        return diag_error(diag, "the state of another frame");
    if (frame == c->deadly_frame && c->board->deaths-- > 0)
        raise(SIGKILL);
    if (frame == c->failing_frame)
        return diag_fail(diag, DIAG_IO, "frame %d: disk full", (int)frame);
    if (frame == c->slow_frame)
        pause();
    if (frame == c->large_frame)
        use_memory(64 << 20);
    if (frame == c->memoryless_frame)
        _exit(69);
    const struct timespec moment = {0, 1000000};
    for (int i = 0;
         frame == c->awaits_workers && i < 60000 && c->board->alone + c->board->shared < c->opened;
         i++)
        nanosleep(&moment, NULL);
    if (frame == c->dies_after)
        c->board->drawer = getpid();
    c->board->begun++;
    const struct timespec pause = {0, (long)(c->draw_s * 1e9)};
    nanosleep(&pause, NULL);
    memset(picture, shade(frame), PICTURE);
    times->s[STAGE_SURFACE] = 0.5;
    receipt->frame = frame;
    return true;
}

static void close_worker(void *worker)
{
    const Case *c = worker;
    c->board->left++;
}

static bool encode(void *encoder, uint8_t *picture, int64_t frame, Diag *diag)
{
    (void)diag;
    const Case *c = encoder;
    if (frame == c->encoder_dies_at)
        raise(SIGKILL);
    if (frame == c->encoder_hangs_at)
        pause();
    for (int i = 0; i < PICTURE; i++)
        c->board->wrong += picture[i] != shade(frame);
    c->board->encoded[c->board->encoded_count++] = frame;
    return true;
}

static bool finish(void *encoder, Diag *diag)
{
    const Case *c = encoder;
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 60000 && c->board->left < c->awaited; i++)
        nanosleep(&pause, NULL);
    c->board->finished++;
    return c->board->left >= c->awaited || diag_fail(diag, DIAG_INTERNAL, "workers are left");
}

static void close_encoder(void *encoder)
{
    const Case *c = encoder;
    c->board->closed++;
}

static bool done(void *user, int64_t frame, uint8_t *pixels, const FrameTimes *times,
                 const FrameReceipt *receipt, Diag *diag)
{
    Case *c = user;
    assert_non_null(pixels);
    assert_int_equal(receipt->frame, frame);
    assert_true(times->s[STAGE_SURFACE] == 0.5);
    c->done[c->done_count++] = frame;
    if (frame == c->dies_after)
        kill(c->board->drawer, SIGKILL);
    return frame != c->refused_frame || diag_fail(diag, DIAG_IO, "frame %d: rejected", (int)frame);
}

static void tick(void *user, const WorkerPoolStatus *life)
{
    Case *c = user;
    c->ticks++;
    c->life = *life;
}

typedef struct DiagLog {
    char last_error[512];
} DiagLog;

static void hear(void *user, const DiagMessage *message)
{
    DiagLog *log = user;
    if (message->level == DIAG_ERROR)
        snprintf(log->last_error, sizeof log->last_error, "%s", message->shown);
}

static const Case quiet = {.deadly_frame = NEVER,
                           .failing_frame = NEVER,
                           .slow_frame = NEVER,
                           .encoder_dies_at = NEVER,
                           .refused_frame = NEVER,
                           .large_frame = NEVER,
                           .memoryless_frame = NEVER,
                           .encoder_hangs_at = NEVER,
                           .dies_after = NEVER,
                           .awaits_workers = NEVER,
                           .stop_after = NEVER};

/* No child remains, unless the machine is too busy for killed ones to end soon: these end later. */
static void destroy(WorkerPool *pool)
{
    const double begin_s = clock_monotonic_s();
    worker_pool_destroy(pool);
    const bool in_time = clock_monotonic_s() - begin_s < KILLED_S;
    const struct timespec pause = {0, 1000000};
    for (int i = 0; !in_time && i < 60000 && waitpid(-1, NULL, WNOHANG) >= 0; i++)
        nanosleep(&pause, NULL);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static bool run(Case *c, int workers, bool encoder, double timeout_s, Diag *diag)
{
    volatile sig_atomic_t stop = 0;
    WorkerPoolSpec spec = {
        .workers = workers,
        .state_bytes = STATE,
        .pixel_bytes = PICTURE,
        .frame_timeout_s = timeout_s,
        .user = c,
        .confine = confine,
        .open = open_worker,
        .render = draw,
        .close = close_worker,
        .done = done,
        .tick = tick,
        .memory_mib = c->memory_mib,
        .total_mib = c->total_mib,
        .cpu_s = c->cpu_s,
        .restartable = c->restartable,
    };
    if (c->prepare != PREPARE_NOT) {
        spec.prepare = prepare;
        spec.prepared = prepared;
    }
    if (encoder) {
        spec.encoder_open = open_encoder;
        spec.encoder_write = encode;
        spec.encoder_finish = finish;
        spec.encoder_close = close_encoder;
    }
    WorkerPool *pool = worker_pool_create(&spec, &stop, diag);
    if (!pool)
        return false;
    bool ok = true;
    for (int64_t frame = 0; ok && frame < FRAMES; frame++) {
        stop = frame == c->stop_after;
        int64_t *state = worker_pool_begin(pool, diag);
        ok = state != NULL;
        if (!ok)
            break;
        *state = frame * 1000;
        if (!c->bound) {
            ok = worker_pool_submit(pool, frame, diag);
            continue;
        }
        ok = worker_pool_submit_to(pool, frame, 1, false, diag) &&
             (state = worker_pool_begin(pool, diag)) != NULL;
        if (!ok)
            break;
        *state = frame * 1000;
        ok = worker_pool_submit_to(pool, frame, 2, true, diag);
    }
    ok = ok && worker_pool_finish(pool, diag);
    c->lost_child = worker_pool_result(pool).lost_child;
    destroy(pool);
    return ok;
}

static Case make_case(Case c)
{
    void *shared =
        mmap(NULL, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    c.board = shared;
    return c;
}

static void expect_all_in_order(const Case *c)
{
    assert_int_equal(c->board->encoded_count, FRAMES);
    for (int i = 0; i < FRAMES; i++)
        assert_int_equal(c->board->encoded[i], i);
    assert_int_equal(c->board->wrong, 0);
    assert_int_equal(c->board->finished, 1);
    assert_int_equal(c->done_count, FRAMES);
}

static void test_order(void **state)
{
    (void)state;
    for (int workers = 1; workers <= 5; workers += 2) {
        Case c = make_case(quiet);
        Diag diag;
        diag_init(&diag, NULL, NULL);
        assert_true(run(&c, workers, true, 60, &diag));
        expect_all_in_order(&c);
    }
}

/* Two of three workers get all frames, in order; only those of one of them are frames of the film.
 */
static void test_frames_of_one_worker(void **state)
{
    (void)state;
    for (int encoder = 0; encoder < 2; encoder++) {
        Case c = make_case(quiet);
        Diag diag;
        diag_init(&diag, NULL, NULL);
        c.bound = true;
        assert_true(run(&c, 3, encoder != 0, 60, &diag));
        assert_int_equal(c.board->in_turn, 2 * FRAMES);
        assert_int_equal(c.done_count, FRAMES);
        if (encoder)
            expect_all_in_order(&c);
    }
}

/* Its end is that of the pool, because another worker has not drawn the frames before. */
static void test_death_of_a_worker_with_frames_of_its_own(void **state)
{
    (void)state;
    for (int restartable = 0; restartable < 2; restartable++) {
        Case c = make_case(quiet);
        DiagLog log = {""};
        Diag diag;
        diag_init(&diag, hear, &log);
        c.bound = true;
        c.deadly_frame = 7;
        c.board->deaths = 1;
        c.restartable = restartable != 0;
        assert_false(run(&c, 3, true, 60, &diag));
        assert_int_equal(c.lost_child, restartable);
        assert_int_equal(diag.errors, !restartable);
        if (!restartable)
            assert_non_null(strstr(log.last_error, "a worker was killed by signal 9"));
    }
}

static void test_workers_leave_before_the_film_ends(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.awaited = 3;
    Diag diag;
    diag_init(&diag, NULL, NULL);
    assert_true(run(&c, 3, true, 60, &diag));
    expect_all_in_order(&c);
    assert_int_equal(c.life.alive, 3); /* they did not die */
}

static void test_without_encoder(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    Diag diag;
    diag_init(&diag, NULL, NULL);
    assert_true(run(&c, 3, false, 60, &diag));
    assert_int_equal(c.done_count, FRAMES);
    bool seen[FRAMES] = {false};
    for (int i = 0; i < FRAMES; i++)
        seen[c.done[i]] = true;
    for (int i = 0; i < FRAMES; i++)
        assert_true(seen[i]);
}

static void test_dead_worker_costs_one_retry(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.deadly_frame = 7;
    c.board->deaths = 1;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_true(run(&c, 2, true, 60, &diag));
    expect_all_in_order(&c);
    assert_int_equal(diag.warnings, 1);
    assert_int_equal(diag.errors, 0);
}

/* It was given no frame when it died: the other one is still at the only other frame. */
static void test_dead_idle_worker_is_replaced(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 0;
    Case c = make_case(quiet);
    c.dies_after = 0;
    c.awaits_workers = 1;
    c.opened = 3;
    const WorkerPoolSpec spec = {
        .workers = 2,
        .state_bytes = STATE,
        .pixel_bytes = PICTURE,
        .frame_timeout_s = 60,
        .user = &c,
        .open = open_worker,
        .render = draw,
        .close = close_worker,
        .done = done,
    };
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    WorkerPool *pool = worker_pool_create(&spec, &stop, &diag);
    assert_non_null(pool);
    for (int64_t frame = 0; frame < 2; frame++) {
        *(int64_t *)worker_pool_begin(pool, &diag) = frame * 1000;
        assert_true(worker_pool_submit(pool, frame, &diag));
    }
    const bool ok = worker_pool_finish(pool, &diag);
    assert_string_equal(log.last_error, "");
    assert_true(ok);
    assert_int_equal(worker_pool_result(pool).respawned, 1);
    worker_pool_destroy(pool);
    assert_int_equal(c.done_count, 2);
    assert_int_equal(c.board->alone, 3);
    assert_int_equal(diag.warnings, 1);
}

static void test_frame_that_kills_twice_ends_the_run(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.deadly_frame = 7;
    c.board->deaths = 100;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 2, true, 60, &diag));
    assert_int_equal(diag.kind, DIAG_INTERNAL);
    assert_string_equal(
        log.last_error,
        "frame 7: the second worker that rendered it was killed by signal 9 (Killed)");
    assert_int_equal(c.board->finished, 0);
    assert_int_equal(c.board->closed, 1);
}

static void test_error_in_worker_reaches_main(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.failing_frame = 21;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 2, true, 60, &diag));
    assert_int_equal(diag.kind, DIAG_IO);
    assert_string_equal(log.last_error, "frame 21: disk full");
    assert_int_equal(c.board->finished, 0);
}

static void test_dead_encoder_ends_the_run(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.encoder_dies_at = 12;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 2, true, 60, &diag));
    assert_int_equal(diag.kind, DIAG_INTERNAL);
    assert_non_null(strstr(log.last_error, "the encoder"));
}

/* For a caller that can render the rest again it is a warning. */
static void test_dead_encoder_can_be_replaced(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.encoder_dies_at = 12;
    c.restartable = true;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 2, true, 60, &diag));
    assert_true(c.lost_child);
    assert_int_equal(diag.kind, DIAG_NONE);
    assert_int_equal(diag.warnings, 1);

    diag_init(&diag, hear, &log); /* an error of a worker is not a lost child */
    c = make_case(quiet);
    c.failing_frame = 3;
    c.restartable = true;
    assert_false(run(&c, 2, true, 60, &diag));
    assert_false(c.lost_child);
    assert_int_equal(diag.kind, DIAG_IO);
}

/* Memory and CPU time of all processes together; each process alone is below the limit. */
static void test_totals_are_limited(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.large_frame = 3; /* 64 MiB */
    c.draw_s = 0.05;
    c.total_mib = (Limit){40, "memory_mib", "limits.yaml:3"};
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 2, true, 60, &diag));
    assert_int_equal(diag.kind, DIAG_RESOURCE);
    assert_non_null(strstr(log.last_error, " MiB exceeds the limit of 40 MiB (limits.yaml:3)"));

    diag_init(&diag, hear, &log);
    c = make_case(quiet);
    c.draw_s = 0.05;
    c.cpu_s = (Limit){1e-6, "cpu_s", "limits.yaml:4"};
    assert_false(run(&c, 2, true, 60, &diag));
    assert_int_equal(diag.kind, DIAG_INCOMPLETE);
    assert_non_null(
        strstr(log.last_error, "of CPU time exceed the limit of 1e-06 s (limits.yaml:4)"));
}

/* Ends with the message about the process that hangs; on a busy machine others may be late as well,
 * unless the limit is longer. */
static void expect_late(const Case *hanging, int workers, double timeout_s, const char *message)
{
    for (bool found = false; !found; timeout_s *= 10) {
        Case c = make_case(*hanging);
        DiagLog log = {""};
        char expected[128];
        Diag diag;
        diag_init(&diag, hear, &log);
        snprintf(expected, sizeof expected, "%s within %g s (limits.frame_timeout_s)", message,
                 timeout_s);
        assert_false(run(&c, workers, true, timeout_s, &diag));
        assert_int_equal(diag.kind, DIAG_INCOMPLETE);
        found = !strcmp(log.last_error, expected);
        if (!found && timeout_s > 10)
            fail_msg("'%s' is not '%s'", log.last_error, expected);
    }
}

static void test_slow_frame_is_reported(void **state)
{
    (void)state;
    Case c = quiet;
    c.slow_frame = 3;
    expect_late(&c, 2, 0.05, "frame 3: not rendered");
}

static void test_failed_write_ends_the_run(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.refused_frame = 9;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 2, true, 60, &diag));
    assert_int_equal(diag.kind, DIAG_IO);
    assert_string_equal(log.last_error, "frame 9: rejected");
    assert_int_equal(c.board->finished, 0);
}

/* Frames in progress are completed in order, if the machine is not too busy for that; no other
 * frame begins. */
static void test_stop_completes_frames_in_progress(void **state)
{
    (void)state;
    for (int encoder = 0; encoder < 2; encoder++) {
        Case c = make_case(quiet);
        c.draw_s = 0.02;
        c.stop_after = 4;
        Diag diag;
        diag_init(&diag, NULL, NULL);
        const double begin_s = clock_monotonic_s();
        assert_false(run(&c, 2, encoder, 60, &diag));
        const bool in_time = clock_monotonic_s() - begin_s < STOP_S;
        assert_int_equal(diag.errors, 0);
        assert_true(c.board->begun < FRAMES);
        if (!encoder && in_time) /* the encoder gets no frame behind one that was not begun */
            assert_int_equal(c.done_count, c.board->begun);
        for (int i = 0; encoder && i < c.done_count; i++)
            assert_int_equal(c.done[i], i);
        assert_int_equal(c.board->finished, 0);
        assert_int_equal(c.board->closed, encoder);
    }
}

/* As when the signal arrives while main evaluates: no waiting call has handled it. */
static void test_destroy_handles_a_stop(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 0;
    Case c = make_case(quiet);
    const WorkerPoolSpec spec = {
        .workers = 1,
        .state_bytes = STATE,
        .pixel_bytes = PICTURE,
        .frame_timeout_s = 60,
        .user = &c,
        .open = open_worker,
        .render = draw,
        .close = close_worker,
        .done = done,
    };
    c.draw_s = 0.02;
    Diag diag;
    diag_init(&diag, NULL, NULL);
    WorkerPool *pool = worker_pool_create(&spec, &stop, &diag);
    assert_non_null(pool);
    *(int64_t *)worker_pool_begin(pool, &diag) = 0;
    assert_true(worker_pool_submit(pool, 0, &diag));
    while (!c.board->begun)
        usleep(1000);
    stop = 1;
    const double begin_s = clock_monotonic_s();
    worker_pool_destroy(pool);
    assert_true(c.done_count == 1 || clock_monotonic_s() - begin_s >= STOP_S);
    assert_null(worker_pool_create(&spec, &stop, &diag));
    assert_int_equal(diag.errors, 0);
}

static void test_tick_reports_the_processes(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    Diag diag;
    diag_init(&diag, NULL, NULL);
    assert_true(run(&c, 3, true, 60, &diag));
    assert_true(c.ticks >= FRAMES);
    assert_int_equal(c.life.workers, 3);
    assert_int_equal(c.life.alive, 3);
}

static void test_memory_is_bounded(void **state)
{
    (void)state;
    const int64_t now = process_memory_usage(getpid());
    Case c = make_case(quiet);
    c.large_frame = 5;
    c.memory_mib = now + 32;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 1, true, 60, &diag));
    assert_int_equal(diag.kind, DIAG_RESOURCE);
    int64_t uses = 0, limit = 0;
    assert_int_equal(sscanf(log.last_error,
                            "worker 1 uses %" SCNd64 " MiB, more than limits.memory_mib %" SCNd64,
                            &uses, &limit),
                     2);
    assert_int_equal(limit, c.memory_mib);
    /* It is measured while the worker fills its memory, 64 MiB. */
    assert_true(uses > limit && uses <= now + 128);
}

static void test_worker_without_memory(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.memoryless_frame = 6;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 1, true, 60, &diag));
    assert_int_equal(diag.kind, DIAG_RESOURCE);
    assert_string_equal(log.last_error,
                        "frame 6: the second worker that rendered it ran out of memory");
    assert_int_equal(diag.warnings, 1);
}

static void test_encoder_that_hangs_is_reported(void **state)
{
    (void)state;
    Case c = quiet;
    c.encoder_hangs_at = FRAMES - 1; /* the last frame */
    expect_late(&c, 1, 0.15, "frame 39: the encoder did not respond");
}

static void test_workers_share_what_was_prepared(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.prepare = PREPARE_SHARES;
    c.deadly_frame = 7;
    c.board->deaths = 1;
    c.awaits_workers = FRAMES - 1;
    c.opened = 4;
    Diag diag;
    diag_init(&diag, NULL, NULL);
    assert_true(run(&c, 3, true, 60, &diag));
    expect_all_in_order(&c);
    assert_int_equal(c.prepared, 1);
    assert_int_equal(c.board->shared, 4); /* and the one that replaces a dead one */
    assert_int_equal(c.board->alone, 0);
    assert_int_equal(c.board->confined, 4);
}

/* Nothing is reported: a worker that cannot open its own reports that. */
static void test_workers_open_their_own(void **state)
{
    (void)state;
    for (Prepare how = PREPARE_NOT; how <= PREPARE_DIES; how++) {
        if (how == PREPARE_SHARES)
            continue;
        Case c = make_case(quiet);
        c.prepare = how;
        c.awaits_workers = FRAMES - 1;
        c.opened = 2;
        Diag diag;
        diag_init(&diag, NULL, NULL);
        assert_true(run(&c, 2, true, 60, &diag));
        expect_all_in_order(&c);
        assert_int_equal(c.prepared, 0);
        assert_int_equal(c.board->shared, 0);
        assert_int_equal(c.board->alone, 2);
        assert_int_equal(c.board->confined, 2);
        assert_int_equal(diag.errors + diag.warnings, 0);
    }
}

static void test_processes_that_cannot_be_confined(void **state)
{
    (void)state;
    for (Prepare how = PREPARE_NOT; how <= PREPARE_SHARES; how++) {
        Case c = make_case(quiet);
        c.prepare = how;
        c.unconfined = true;
        DiagLog log = {""};
        Diag diag;
        diag_init(&diag, hear, &log);
        assert_false(run(&c, 2, true, 60, &diag));
        assert_int_equal(diag.kind, DIAG_RESOURCE);
        assert_int_equal(diag.errors, 1);
        assert_string_equal(log.last_error, "not confined");
        assert_int_equal(c.board->shared + c.board->alone, 0);
    }
}

static void test_preparation_that_hangs_is_reported(void **state)
{
    (void)state;
    Case c = make_case(quiet);
    c.prepare = PREPARE_HANGS;
    DiagLog log = {""};
    Diag diag;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 2, true, 0.05, &diag));
    assert_int_equal(diag.kind, DIAG_INCOMPLETE);
    assert_string_equal(log.last_error,
                        "frame 0: not rendered within 0.05 s (limits.frame_timeout_s)");

    c = make_case(quiet);
    c.prepare = PREPARE_HANGS;
    c.stop_after = 1;
    diag_init(&diag, hear, &log);
    assert_false(run(&c, 2, true, 60, &diag));
    assert_int_equal(diag.errors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_frames_of_one_worker),
        cmocka_unit_test(test_death_of_a_worker_with_frames_of_its_own),
        cmocka_unit_test(test_workers_leave_before_the_film_ends),
        cmocka_unit_test(test_without_encoder),
        cmocka_unit_test(test_dead_worker_costs_one_retry),
        cmocka_unit_test(test_dead_idle_worker_is_replaced),
        cmocka_unit_test(test_frame_that_kills_twice_ends_the_run),
        cmocka_unit_test(test_error_in_worker_reaches_main),
        cmocka_unit_test(test_dead_encoder_ends_the_run),
        cmocka_unit_test(test_dead_encoder_can_be_replaced),
        cmocka_unit_test(test_totals_are_limited),
        cmocka_unit_test(test_slow_frame_is_reported),
        cmocka_unit_test(test_failed_write_ends_the_run),
        cmocka_unit_test(test_stop_completes_frames_in_progress),
        cmocka_unit_test(test_destroy_handles_a_stop),
        cmocka_unit_test(test_tick_reports_the_processes),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_worker_without_memory),
        cmocka_unit_test(test_encoder_that_hangs_is_reported),
        cmocka_unit_test(test_workers_share_what_was_prepared),
        cmocka_unit_test(test_processes_that_cannot_be_confined),
        cmocka_unit_test(test_workers_open_their_own),
        cmocka_unit_test(test_preparation_that_hangs_is_reported),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
