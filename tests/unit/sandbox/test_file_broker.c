// SPDX-License-Identifier: MIT
/* A broker makes the calls of its clients, and what happens when one of them ends. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_calls.h"
#include "diag_log.h"
#include "sandbox/file_broker.h"
#include "unit_test.h"

/* ---- a directory with two outputs ---- */

static char root[] = "/tmp/odori-broker-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return !mkdtemp(root) || chdir(root) != 0 || mkdir("a", 0777) != 0 || mkdir("b", 0777) != 0;
}

static int tear_down(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return chdir("/") != 0 || system(command) != 0;
}

static SandboxRules rules_of(const char *directory, Arena *arena)
{
    SandboxRules rules = {0};
    sandbox_allow_names(&rules, directory, "out", SANDBOX_READ | SANDBOX_WRITE, arena);
    return rules;
}

/* The wait status of a child that runs `act` with a broker for a/ and b/. */
static int run_client(void (*act)(Arena *, Diag *))
{
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        Arena *arena = arena_create();
        Diag diag = diag_quiet();
        SandboxRules rules = rules_of("a", arena);
        sandbox_allow_names(&rules, "b", "out", SANDBOX_READ | SANDBOX_WRITE, arena);
        if (!file_broker_start(&rules, &diag))
            _exit(100);
        act(arena, &diag);
        file_broker_stop();
        _exit(0);
    }
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    return status;
}

static void expect(bool good, int status)
{
    if (!good)
        _exit(status);
}

/* The process that serves this one: its only child. */
static pid_t broker_of(long pid)
{
    char name[64];
    long child = 0;
    snprintf(name, sizeof name, "/proc/%ld/task/%ld/children", pid, pid);
    FILE *in = fopen(name, "r");
    expect(in && fscanf(in, "%ld", &child) == 1, 120);
    fclose(in);
    return (pid_t)child;
}

/* ---- files ---- */

static void save_files(Arena *arena, Diag *diag)
{
    struct stat st;
    expect(file_save("a/out", "content", 7, diag), 1);
    expect(stat("a/out", &st) == 0 && st.st_size == 7, 2);
    expect(!file_save("a/other", "content", 7, diag), 3);
    expect(stat("a/other", &st) != 0, 4);
    expect(file_calls_open(AT_FDCWD, "a/out", O_RDONLY | O_CLOEXEC, 0) >= 0, 5);
    expect(file_calls_unlink(AT_FDCWD, "a/none") == -1 && errno == EACCES, 6);
    expect(file_calls_unlink(AT_FDCWD, "a/out") == 0, 7);
    expect(file_calls_unlink(AT_FDCWD, "a/out") == -1 && errno == ENOENT, 8);
    (void)arena;
}

static void makes_the_calls_of_a_client(void **state)
{
    (void)state;
    assert_int_equal(run_client(save_files), 0);
}

/* A child with rights to b/ only, at the same time as its parent. */
static void save_in_child(Arena *arena, Diag *diag)
{
    const SandboxRules rules = rules_of("b", arena);
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        expect(file_broker_join(&rules, diag), 1);
        expect(file_save("b/out", "b", 1, diag), 2);
        _exit(file_save("a/out", "b", 1, diag) ? 3 : 0);
    }
    for (int i = 0; i < 50; i++)
        expect(file_save("a/out", "a", 1, diag), 10);
    expect(waitpid(pid, &status, 0) == pid && WIFEXITED(status), 11);
    expect(WEXITSTATUS(status) == 0, 20 + WEXITSTATUS(status));
}

static void gives_a_child_fewer_rights(void **state)
{
    (void)state;
    assert_int_equal(run_client(save_in_child), 0);
}

/* A child that asks for all names in a/ gets no more than its parent has. */
static void join_with_more(Arena *arena, Diag *diag)
{
    SandboxRules rules = {0};
    sandbox_allow(&rules, "a", SANDBOX_READ | SANDBOX_WRITE | SANDBOX_RMDIR, arena);
    expect(file_broker_join(&rules, diag), 1);
    expect(!file_save("a/.bashrc", "b", 1, diag), 2);
    expect(file_save("a/out", "b", 1, diag), 3);
}

static void gives_a_child_no_more_rights(void **state)
{
    (void)state;
    assert_int_equal(run_client(join_with_more), 0);
}

/* ---- requests of a client that was taken over ---- */

static const FileCall opening = {
    .kind = FILE_CALL_OPEN, .flags = O_WRONLY | O_CREAT, .mode = 0666, .path = "a/out"};

static void send_with_two(const int passed[2])
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)(uintptr_t)&opening, sizeof opening};
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = CMSG_LEN(2 * sizeof(int))};
    struct cmsghdr *c = CMSG_FIRSTHDR(&head);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(2 * sizeof(int));
    memcpy(CMSG_DATA(c), passed, 2 * sizeof(int));
    expect(sendmsg(file_calls_socket(), &head, MSG_NOSIGNAL) == sizeof opening, 10);
}

/* More descriptors than it can have open, passed with requests of one. */
static void pass_two_descriptors(Arena *arena, Diag *diag)
{
    enum { LIMIT = 32 };
    const pid_t broker = broker_of((long)getpid());
    const int passed[2] = {open("/dev/null", O_RDONLY), open("/dev/null", O_RDONLY)};
    (void)arena;
    expect(prlimit(broker, RLIMIT_NOFILE, &(struct rlimit){LIMIT, LIMIT}, NULL) == 0, 1);
    for (int i = 0; i < 2 * LIMIT; i++) {
        int32_t error = 0;
        int opened;
        send_with_two(passed);
        const size_t size = file_calls_receive(file_calls_socket(), &error, sizeof error, &opened);
        expect(size == sizeof error && error == EMFILE && opened == -1, 2);
    }
    expect(file_save("a/out", "a", 1, diag), 3);
}

static void keeps_no_descriptor_of_a_client(void **state)
{
    (void)state;
    assert_int_equal(run_client(pass_two_descriptors), 0);
}

/* A child that reads no answer stops its own broker only, which ends with it. */
static void flood(Arena *arena, Diag *diag)
{
    const SandboxRules rules = rules_of("a", arena);
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        expect(file_broker_join(&rules, diag), 1);
        alarm(1);
        while (file_calls_send(file_calls_socket(), &opening, sizeof opening, -1))
            ;
        _exit(2);
    }
    expect(waitpid(pid, &status, 0) == pid, 10);
    expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM, 11);
    expect(file_save("a/out", "a", 1, diag), 12);
}

static void survives_a_flood_of_requests(void **state)
{
    (void)state;
    assert_int_equal(run_client(flood), 0);
}

/* Asks for a broker for a/out; its socket if it has started, else -1. */
static int ask_for_broker(void)
{
    struct {
        FileCall call;
        char rule[1 + 2 + 4]; /* access, path, names */
    } packet = {.call.kind = FILE_CALL_JOIN, .rule = {SANDBOX_WRITE, 'a', 0, 'o', 'u', 't', 0}};
    int pair[2], passed;
    int32_t error = 0;
    expect(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0, 1);
    expect(file_calls_send(file_calls_socket(), &packet, sizeof packet.call + sizeof packet.rule,
                           pair[1]),
           2);
    close(pair[1]);
    if (file_calls_receive(pair[0], &error, sizeof error, &passed) == sizeof error && !error)
        return pair[0];
    close(pair[0]);
    return -1;
}

/* A client cannot fill the system with brokers; those that have ended do not count. */
static void ask_for_many(Arena *arena, Diag *diag)
{
    enum { MANY = 700, LEAST = 257, MOST = 512 }; /* LEAST: render.workers and the encoder */
    static int sockets[MANY];
    int count = 0;
    (void)arena;
    for (int i = 0; i < MANY; i++) {
        const int socket = ask_for_broker();
        if (socket >= 0)
            sockets[count++] = socket;
    }
    expect(count >= LEAST, 10);
    expect(count <= MOST, 11);
    for (int i = 0; i < count; i++)
        close(sockets[i]);
    int again = -1;
    for (int i = 0; again < 0 && i < 6000; i++, usleep(10000)) /* until some have ended */
        again = ask_for_broker();
    expect(again >= 0, 12);
    close(again);
    expect(file_save("a/out", "a", 1, diag), 13);
}

static void bounds_its_brokers(void **state)
{
    (void)state;
    assert_int_equal(run_client(ask_for_many), 0);
}

/* ---- starts ---- */

/* A broker that lacks descriptors for its directories says so, and is no broker. */
static void join_without_descriptors(Arena *arena, Diag *diag)
{
    const SandboxRules rules = rules_of("b", arena);
    const pid_t broker = broker_of((long)getpid());
    DiagLog log;
    (void)diag;
    expect(prlimit(broker, RLIMIT_NOFILE, &(struct rlimit){8, 8}, NULL) == 0, 1);
    const pid_t pid = fork();
    if (pid == 0) {
        SandboxRules many = rules;
        for (int i = 0; i < 8; i++) {
            const char *directory = arena_printf(arena, "many-%d", i);
            expect(mkdir(directory, 0777) == 0, 2);
            sandbox_allow_names(&many, directory, "out", SANDBOX_WRITE, arena);
        }
        diag_log_init(&log);
        expect(!file_broker_join(&many, &log.diag), 3);
        expect(log.diag.kind == DIAG_RESOURCE, 4);
        expect(strstr(log.text, "the process that writes files: Too many open files") != NULL, 5);
        _exit(0);
    }
    int status = 0;
    expect(waitpid(pid, &status, 0) == pid && WIFEXITED(status), 10);
    expect(WEXITSTATUS(status) == 0, 20 + WEXITSTATUS(status));
}

static void reports_why_it_does_not_start(void **state)
{
    (void)state;
    assert_int_equal(run_client(join_without_descriptors), 0);
}

/* ---- ends ---- */

static void lose_broker(Arena *arena, Diag *diag)
{
    const pid_t broker = broker_of((long)getpid());
    (void)arena;
    expect(freopen("/dev/null", "w", stderr) != NULL, 1);
    expect(kill(broker, SIGKILL) == 0, 2);
    file_save("a/out", "a", 1, diag);
}

static void main_ends_without_its_broker(void **state)
{
    const int status = run_client(lose_broker);
    (void)state;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 75);
}

static void lose_joined_broker(Arena *arena, Diag *diag)
{
    const SandboxRules rules = rules_of("b", arena);
    const pid_t broker = broker_of((long)getpid());
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        expect(file_broker_join(&rules, diag), 1);
        expect(file_save("b/out", "b", 1, diag), 2); /* so that it has started */
        expect(kill(broker_of((long)broker), SIGKILL) == 0, 3);
        file_save("b/out", "b", 1, diag);
        _exit(0);
    }
    expect(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status), 10);
    expect(WTERMSIG(status) == SIGKILL, 11);
    expect(file_save("a/out", "a", 1, diag), 12); /* that of main is alive */
}

static void a_child_dies_like_its_broker(void **state)
{
    (void)state;
    assert_int_equal(run_client(lose_joined_broker), 0);
}

/* The signals that end a run leave the broker, so that files can be removed. */
static void survive_signals(Arena *arena, Diag *diag)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1};
    const pid_t broker = broker_of((long)getpid());
    (void)arena;
    expect(file_save("a/out", "a", 1, diag), 1); /* so that it has started */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        kill(broker, numbers[i]);
    expect(file_save("a/out", "a", 1, diag), 2);
    file_broker_stop();
    expect(kill(broker, 0) != 0 && errno == ESRCH, 3);
}

static void ends_with_its_clients_only(void **state)
{
    (void)state;
    assert_int_equal(run_client(survive_signals), 0);
}

/* ---- rules ---- */

static void needs_a_broker_to_write_only(void **state)
{
    Arena *arena = arena_create();
    SandboxRules rules = {0};
    (void)state;
    sandbox_allow(&rules, "a", SANDBOX_READ, arena);
    sandbox_allow(&rules, "/dev/null", SANDBOX_READ | SANDBOX_WRITE, arena);
    assert_false(file_broker_is_needed(&rules));
    sandbox_allow(&rules, "b", SANDBOX_READ | SANDBOX_WRITE | SANDBOX_RMDIR, arena);
    assert_true(file_broker_is_needed(&rules));
    const SandboxRules rest = file_broker_remaining(&rules, arena);
    assert_int_equal(rest.count, 3);
    assert_int_equal(rest.items[0].access, SANDBOX_READ);
    assert_int_equal(rest.items[1].access, SANDBOX_READ | SANDBOX_WRITE);
    assert_int_equal(rest.items[2].access, SANDBOX_READ);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest rules[] = {cmocka_unit_test(needs_a_broker_to_write_only)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_calls_of_a_client),
        cmocka_unit_test(gives_a_child_fewer_rights),
        cmocka_unit_test(gives_a_child_no_more_rights),
        cmocka_unit_test(keeps_no_descriptor_of_a_client),
        cmocka_unit_test(survives_a_flood_of_requests),
        cmocka_unit_test(bounds_its_brokers),
        cmocka_unit_test(reports_why_it_does_not_start),
        cmocka_unit_test(main_ends_without_its_broker),
        cmocka_unit_test(a_child_dies_like_its_broker),
        cmocka_unit_test(ends_with_its_clients_only),
    };
    const int failed = cmocka_run_group_tests(rules, NULL, NULL);
    if (!sandbox_support().landlock) {
        print_message("the kernel or this build has no Landlock: there is no broker\n");
        return failed;
    }
    return failed + cmocka_run_group_tests(tests, set_up, tear_down);
}
