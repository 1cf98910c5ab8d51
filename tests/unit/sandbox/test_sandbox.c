// SPDX-License-Identifier: MIT
/* What a process can still do after it has entered each profile.  Every attempt runs in a child of
 * its own; a table of the results is printed. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "sandbox/file_broker.h"
#include "sandbox/sandbox.h"
#include "unit_test.h"

/* ---- a directory with in/ (may be read), out/ (the output is out/file), other/ (neither) ---- */

static char root[] = "/tmp/odori-sandbox-XXXXXX";

static void make_file(const char *name)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0 && write(fd, "content", 7) == 7);
    close(fd);
}

static int set_up(void **state)
{
    static const char *const directories[] = {"in", "out", "other", "other/empty"};
    (void)state;
    if (!mkdtemp(root) || chdir(root) != 0)
        return -1;
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++)
        mkdir(directories[i], 0777);
    make_file("in/file");
    make_file("out/file");
    make_file("out/precious");
    make_file("other/file");
    make_file("other/linked");
    return symlink("../other/file", "in/link") != 0 ||
           symlink("../other/file", "out/.file.link") != 0 ||
           link("other/linked", "out/.file.hard") != 0 || mkfifo("out/.file.fifo", 0666) != 0;
}

static int tear_down(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return chdir("/") != 0 || system(command) != 0;
}

/* ---- attempts: 0 or an errno ---- */

static int result(long value)
{
    return value < 0 ? errno : 0;
}

static int open_as(const char *path, int flags)
{
    return result(open(path, flags | O_CLOEXEC, 0666));
}

static int read_input(void)
{
    return open_as("in/file", O_RDONLY);
}
static int list_input(void)
{
    return open_as("in", O_RDONLY | O_DIRECTORY);
}
static int write_input(void)
{
    return open_as("in/file", O_WRONLY);
}
static int empty_input(void)
{
    return open_as("in/file", O_RDONLY | O_TRUNC);
}
static int read_link(void)
{
    return open_as("in/link", O_RDONLY);
}
static int write_output(void)
{
    return open_as("out/file", O_WRONLY | O_TRUNC);
}
static int create_output(void)
{
    return open_as("out/new", O_WRONLY | O_CREAT);
}
static int rename_output(void)
{
    return result(rename("out/file", "out/renamed"));
}
static int remove_output(void)
{
    return result(unlink("out/file"));
}
static int make_output_directory(void)
{
    return result(mkdir("out/directory", 0777));
}
static int read_other(void)
{
    return open_as("other/file", O_RDONLY);
}
static int list_other(void)
{
    return open_as("other", O_RDONLY | O_DIRECTORY);
}
static int write_other(void)
{
    return open_as("other/file", O_WRONLY);
}
static int create_other(void)
{
    return open_as("other/new", O_WRONLY | O_CREAT);
}
static int empty_other(void)
{
    return result(truncate("other/file", 0));
}
static int remove_other(void)
{
    return result(unlink("other/file"));
}
static int remove_directory(void)
{
    return result(rmdir("other/empty"));
}
static int make_directory(void)
{
    return result(mkdir("other/directory", 0777));
}
static int move_out(void)
{
    return result(rename("out/file", "other/moved"));
}
static int move_in(void)
{
    return result(rename("other/file", "out/moved"));
}
static int link_out(void)
{
    return result(link("other/file", "out/linked"));
}
static int make_link(void)
{
    return result(symlink("/etc/passwd", "out/link"));
}
static int make_fifo(void)
{
    return result(mkfifo("out/fifo", 0666));
}
static int change_mode(void)
{
    return result(chmod("other/file", 0777));
}
static int change_time(void)
{
    return result(utimensat(AT_FDCWD, "other/file", NULL, 0));
}
/* ---- attempts by way of the file broker ---- */

static int ask_to_open(const char *path, int flags)
{
    return result(file_calls_open(AT_FDCWD, path, flags | O_CLOEXEC, 0666));
}

static int ask_for_output(void)
{
    return ask_to_open("out/file", O_WRONLY | O_TRUNC);
}
static int ask_for_temporary(void)
{
    return ask_to_open("out/.file.1.tmp", O_WRONLY | O_CREAT);
}
static int ask_to_rename(void)
{
    const int error = ask_for_temporary();
    return error ? error : result(file_calls_rename("out/.file.1.tmp", "out/file"));
}
static int ask_to_remove(void)
{
    return result(file_calls_unlink(AT_FDCWD, "out/file"));
}
static int ask_for_checkpoint(void)
{
    const int error = result(file_calls_mkdir("out/.file.odori", 0777));
    return error ? error : ask_to_open("out/.file.odori/ledger", O_WRONLY | O_CREAT);
}
static int ask_for_precious(void)
{
    return ask_to_open("out/precious", O_WRONLY);
}
static int ask_for_new(void)
{
    return ask_to_open("out/.profile", O_WRONLY | O_CREAT);
}
static int ask_to_remove_precious(void)
{
    return result(file_calls_unlink(AT_FDCWD, "out/precious"));
}
static int ask_to_replace_precious(void)
{
    return result(file_calls_rename("out/file", "out/precious"));
}
static int ask_to_take_precious(void)
{
    return result(file_calls_rename("out/precious", "out/file"));
}
static int ask_elsewhere(void)
{
    return ask_to_open("other/file", O_WRONLY);
}
static int ask_by_parent(void)
{
    return ask_to_open("out/.file.odori/../../other/file", O_WRONLY | O_CREAT);
}
static int ask_by_directory(void)
{
    const int directory = open("other", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return result(file_calls_open(directory, "file", O_WRONLY | O_CLOEXEC, 0));
}
static int ask_by_link(void)
{
    return ask_to_open("out/.file.link", O_WRONLY);
}
static int ask_by_hard_link(void)
{
    return ask_to_open("out/.file.hard", O_WRONLY | O_TRUNC);
}
static int ask_for_fifo(void)
{
    return ask_to_open("out/.file.fifo", O_WRONLY);
}
static int ask_for_directory(void)
{
    return result(file_calls_mkdir("other/directory", 0777));
}
static int ask_to_remove_directory(void)
{
    return result(file_calls_rmdir("other/empty"));
}
static int ask_for_program(void)
{
    const int error = ask_for_temporary();
    return error ? error : result(chmod("out/.file.1.tmp", 0777));
}

/* ---- other attempts ---- */

static int read_passwords(void)
{
    return open_as("/etc/passwd", O_RDONLY);
}

static int read_parent_memory(void)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%ld/environ", (long)getppid());
    return open_as(name, O_RDONLY);
}

static int connect_loopback(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return errno;
    const int error = result(connect(fd, (const struct sockaddr *)&to, sizeof to));
    return error == ECONNREFUSED ? 0 : error; /* it got as far as the other side */
}

static int connect_unix(void)
{
    return result(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int make_pair(void)
{
    int pair[2];
    return result(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair));
}

static int make_datagram_pair(void)
{
    int pair[2];
    return result(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
}

static int run_program(void)
{
    char *const words[] = {NULL}, *const variables[] = {NULL};
    execve("/bin/true", words, variables);
    return errno;
}

static int run_memory(void)
{
    char *const words[] = {NULL}, *const variables[] = {NULL};
    const int fd = (int)syscall(SYS_memfd_create, "program", 0u);
    if (fd < 0)
        return errno;
    syscall(SYS_execveat, fd, "", words, variables, 0x1000);
    return errno;
}

static int fork_child(void)
{
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return result(pid);
}

static void *nothing(void *user)
{
    return user;
}

static int start_thread(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL);
}

static int trace_parent(void)
{
    const long value = ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
    const int error = errno;
    if (value == 0)
        ptrace(PTRACE_DETACH, getppid(), NULL, NULL);
    return value < 0 ? error : 0;
}

static int read_process(void)
{
    char here[4];
    struct iovec local = {here, sizeof here}, remote = {root, sizeof here};
    return result(process_vm_readv(getppid(), &local, 1, &remote, 1, 0));
}

static int signal_parent(void)
{
    return result(kill(getppid(), 0));
}
static int signal_group(void)
{
    return result(kill(0, 0));
}
static int signal_all(void)
{
    return result(kill(-1, 0));
}
static int limit_parent(void)
{
    return result(syscall(SYS_prlimit64, getppid(), 0, NULL, NULL));
}
static int new_namespace(void)
{
    return result(unshare(CLONE_NEWUSER));
}
static int clone_namespace(void)
{
    const long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return result(pid);
}
static int mount_directory(void)
{
    return result(mount("other", "out", NULL, MS_BIND, NULL));
}
static int use_io_uring(void)
{
    return result(syscall(425, 1, NULL));
}
static int use_keys(void)
{
    return result(syscall(SYS_keyctl, 0, 0, 0, 0, 0));
}
static int measure_events(void)
{
    return result(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0));
}
static int type_into_terminal(void)
{
    return result(ioctl(0, TIOCSTI, "x"));
}
static int own_signals(void)
{
    return result(fcntl(0, F_SETOWN, getppid()));
}

static int make_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : result(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int abort_self(void)
{
    return result(syscall(SYS_tgkill, getpid(), gettid(), 0));
}

/* ---- the table ---- */

/* The broker is one that has read nothing but rules. */
typedef enum Process { READING, ENCODING, WORKING, BROKING, SPAWNING } Process;

enum { READER = 1 << READING, ENCODER = 1 << ENCODING, WORKER = 1 << WORKING };
enum { BROKER = 1 << BROKING, SPAWNER = 1 << SPAWNING };
enum { CLIENTS = READER | ENCODER | WORKER | SPAWNER, ALL = CLIENTS | BROKER };
enum { FILES = 1, CALLS = 2, SCOPE = 4, ASKED = 8 }; /* what refuses it; ASKED: of a broker */

typedef struct Attempt {
    const char *what;
    int (*make)(void);
    int part;     /* FILES, CALLS, or 0 if it must always work */
    int possible; /* processes in which it must succeed */
} Attempt;

/* clang-format off */
static const Attempt attempts[] = {
    {"read an input", read_input, FILES, CLIENTS},
    {"list the directory of inputs", list_input, FILES, CLIENTS},
    {"write an input", write_input, FILES, 0},
    {"empty an input", empty_input, CALLS, 0},
    {"read by a link that leaves the inputs", read_link, FILES, 0},
    {"write an output", write_output, FILES, BROKER},
    {"create a file beside an output", create_output, FILES, BROKER},
    {"rename an output", rename_output, FILES, BROKER},
    {"remove an output", remove_output, FILES, BROKER},
    {"create a directory for outputs", make_output_directory, FILES, BROKER},
    {"ask for an output", ask_for_output, ASKED, CLIENTS},
    {"ask for a temporary file", ask_for_temporary, ASKED, CLIENTS},
    {"ask to rename it to an output", ask_to_rename, ASKED, CLIENTS},
    {"ask to remove an output", ask_to_remove, ASKED, CLIENTS},
    {"ask for a checkpoint directory", ask_for_checkpoint, ASKED, CLIENTS},
    {"ask for a file of others beside it", ask_for_precious, ASKED, 0},
    {"ask for a new file beside it", ask_for_new, ASKED, 0},
    {"ask to remove a file of others", ask_to_remove_precious, ASKED, 0},
    {"ask to replace a file of others", ask_to_replace_precious, ASKED, 0},
    {"ask to rename a file of others", ask_to_take_precious, ASKED, 0},
    {"ask for a file elsewhere", ask_elsewhere, ASKED, 0},
    {"ask for it by ..", ask_by_parent, ASKED, 0},
    {"ask for it by a directory", ask_by_directory, ASKED, 0},
    {"ask for it by a link", ask_by_link, ASKED, 0},
    {"ask for it by a hard link", ask_by_hard_link, ASKED, 0},
    {"ask for a FIFO", ask_for_fifo, ASKED, 0},
    {"ask for a directory elsewhere", ask_for_directory, ASKED, 0},
    {"ask to remove a directory elsewhere", ask_to_remove_directory, ASKED, 0},
    {"ask for a file and make it a program", ask_for_program, ASKED, 0},
    {"read elsewhere", read_other, FILES, 0},
    {"list elsewhere", list_other, FILES, 0},
    {"write elsewhere", write_other, FILES, 0},
    {"create elsewhere", create_other, FILES, 0},
    {"empty a file elsewhere", empty_other, CALLS, 0},
    {"remove elsewhere", remove_other, FILES, 0},
    {"remove a directory elsewhere", remove_directory, FILES, 0},
    {"create a directory elsewhere", make_directory, FILES, 0},
    {"move an output elsewhere", move_out, FILES, 0},
    {"move a file to the outputs", move_in, FILES, 0},
    {"link a file to the outputs", link_out, CALLS, 0},
    {"create a symbolic link", make_link, CALLS, 0},
    {"create a FIFO", make_fifo, CALLS, 0},
    {"change the mode of a file", change_mode, CALLS, 0},
    {"change the time of a file", change_time, CALLS, 0},
    {"read /etc/passwd", read_passwords, FILES, 0},
    {"read the environment of the parent", read_parent_memory, FILES, 0},
    {"connect to the loopback interface", connect_loopback, CALLS, 0},
    {"create a Unix socket", connect_unix, CALLS, 0},
    {"create a pair of sockets", make_pair, CALLS, READER | BROKER | SPAWNER},
    {"create a pair of datagram sockets", make_datagram_pair, CALLS, 0},
    {"run a program", run_program, CALLS, 0},
    {"run a program in memory", run_memory, CALLS, 0},
    {"fork", fork_child, CALLS, READER | BROKER | SPAWNER},
    {"start a thread", start_thread, CALLS, READER | ENCODER | BROKER},
    {"trace the parent", trace_parent, CALLS, 0},
    {"read memory of the parent", read_process, CALLS, 0},
    {"signal the parent", signal_parent, SCOPE, 0},
    {"signal the process group", signal_group, CALLS, 0},
    {"signal all processes", signal_all, CALLS, 0},
    {"limit the parent", limit_parent, CALLS, 0},
    {"enter a new namespace", new_namespace, CALLS, 0},
    {"clone into a new namespace", clone_namespace, CALLS, 0},
    {"mount", mount_directory, CALLS, 0},
    {"use io_uring", use_io_uring, CALLS, 0},
    {"use the keyring", use_keys, CALLS, 0},
    {"measure with perf", measure_events, CALLS, 0},
    {"type into the terminal", type_into_terminal, CALLS, 0},
    {"direct signals of a file to the parent", own_signals, CALLS, 0},
    {"make memory executable (JIT)", make_code, 0, ALL},
    {"signal itself (abort)", abort_self, 0, ALL},
};
/* clang-format on */

enum { SCOPE_VERSION = 6, NOT_CONFINED = 200, SETUP_FAILED = 201 };

static SandboxProfile profile_of(Process process)
{
    static const SandboxProfile profiles[] = {SANDBOX_READER, SANDBOX_ENCODER, SANDBOX_WORKER,
                                              SANDBOX_READER, SANDBOX_SPAWNER};
    return profiles[process];
}

/* As the processes of a run: a reader starts a broker, those that it starts get one of their own.
 */
static bool enter_files(Process process, Diag *diag)
{
    Arena *arena = arena_create();
    SandboxRules rules = {0};
    if (process != BROKING)
        sandbox_allow(&rules, "in", SANDBOX_READ, arena);
    sandbox_allow_names(&rules, "out", "file", SANDBOX_READ | SANDBOX_WRITE, arena);
    sandbox_allow(&rules, "absent", SANDBOX_READ | SANDBOX_WRITE, arena);
    if (process != BROKING) {
        if (!file_broker_start(&rules, diag) ||
            (process != READING && process != SPAWNING && !file_broker_join(&rules, diag)))
            return false;
        rules = file_broker_remaining(&rules, arena);
    }
    return sandbox_restrict_files(&rules, SANDBOX_REQUIRE, diag);
}

static bool enter(Process process, Diag *diag)
{
    const SandboxSupport has = sandbox_support();
    return (!has.landlock || enter_files(process, diag)) &&
           (!has.seccomp || sandbox_restrict_calls(profile_of(process), SANDBOX_REQUIRE, diag));
}

/* The errno of an attempt in a child, 0 if it succeeded. */
static int try_in_child(const Attempt *attempt, Process process, bool confined)
{
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        Diag diag = diag_quiet();
        if (confined && !enter(process, &diag))
            _exit(NOT_CONFINED);
        _exit(attempt->make());
    }
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : SETUP_FAILED;
}

static void restore_files(void)
{
    if (access("out/file", F_OK) != 0)
        make_file("out/file");
    if (access("out/precious", F_OK) != 0)
        make_file("out/precious");
    unlink("out/.file.1.tmp");
    unlink("out/.file.odori/ledger");
    rmdir("out/.file.odori");
    unlink("out/new");
    unlink("out/renamed");
    rmdir("out/directory");
}

static bool can_be_refused(const Attempt *attempt, Process process)
{
    const SandboxSupport has = sandbox_support();
    if (attempt->part == FILES || attempt->part == ASKED)
        return has.landlock > 0;
    if (attempt->part == SCOPE) /* other profiles may signal only themselves */
        return profile_of(process) == SANDBOX_READER || process == SPAWNING
                   ? has.landlock >= SCOPE_VERSION
                   : has.seccomp;
    return has.seccomp;
}

static int count_wrong(Process process, const char *name)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        const Attempt *attempt = &attempts[i];
        const bool possible = attempt->possible >> process & 1;
        if (attempt->part == ASKED && (process == BROKING || !sandbox_support().landlock))
            continue;
        if (!possible && !can_be_refused(attempt, process)) {
            print_message("%-8s %-40s not tested: the kernel cannot refuse it\n", name,
                          attempt->what);
            continue;
        }
        const int error = try_in_child(attempt, process, true);
        const bool refused = error == EPERM || error == EACCES || error == EXDEV ||
                             error == ENOSYS || error == ENXIO || error == ELOOP ||
                             error == EMLINK || (error == EAGAIN && attempt->make == start_thread);
        const bool right = possible ? error == 0 : refused;
        print_message("%-8s %-40s %s%s\n", name, attempt->what,
                      error == 0 ? "possible" : strerror(error), right ? "" : "   <-- WRONG");
        wrong += !right;
        restore_files();
    }
    return wrong;
}

static void confines_the_reader(void **state)
{
    (void)state;
    assert_int_equal(count_wrong(READING, "reader"), 0);
}

static void confines_the_encoder(void **state)
{
    (void)state;
    assert_int_equal(count_wrong(ENCODING, "encoder"), 0);
}

static void confines_a_worker(void **state)
{
    (void)state;
    assert_int_equal(count_wrong(WORKING, "worker"), 0);
}

static void confines_the_spawner(void **state)
{
    (void)state;
    assert_int_equal(count_wrong(SPAWNING, "spawner"), 0);
}

static void confines_the_broker(void **state)
{
    (void)state;
    assert_int_equal(count_wrong(BROKING, "broker"), 0);
}

/* The attempts work where nothing is confined, so that a refusal means something. */
static void attempts_work_unconfined(void **state)
{
    static const char *const names[] = {"write an input",
                                        "read elsewhere",
                                        "write elsewhere",
                                        "create elsewhere",
                                        "read by a link that leaves the inputs",
                                        "move an output elsewhere",
                                        "create a symbolic link",
                                        "create a FIFO",
                                        "change the mode of a file",
                                        "create a Unix socket",
                                        "create a pair of datagram sockets",
                                        "fork",
                                        "start a thread",
                                        "signal the parent",
                                        "read /etc/passwd",
                                        "ask for a file of others beside it",
                                        "ask to replace a file of others",
                                        "ask for it by a directory",
                                        "remove a directory elsewhere"};
    (void)state;
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (!strcmp(attempts[i].what, names[k])) {
                if (try_in_child(&attempts[i], READING, false) != 0)
                    fail_msg("%s does not work without a sandbox", names[k]);
                restore_files();
            }
}

/* Nothing is refused with SANDBOX_OFF, and SANDBOX_REQUIRE is an error where the kernel cannot. */
static void obeys_the_mode(void **state)
{
    const SandboxSupport has = sandbox_support();
    const SandboxRules none = {0};
    Diag diag = diag_quiet();
    (void)state;
    assert_true(sandbox_restrict_files(&none, SANDBOX_OFF, &diag));
    assert_true(sandbox_restrict_calls(SANDBOX_WORKER, SANDBOX_OFF, &diag));
    assert_int_equal(read_other(), 0);
    if (!has.landlock) {
        assert_true(sandbox_restrict_files(&none, SANDBOX_AUTO, &diag));
        assert_false(sandbox_restrict_files(&none, SANDBOX_REQUIRE, &diag));
        assert_int_equal(diag.kind, DIAG_RESOURCE);
    }
}

/* A process that cannot open a directory must not go on without its rules. */
static void needs_descriptors(void **state)
{
    (void)state;
    if (!sandbox_support().landlock)
        skip();
    const pid_t pid = fork();
    if (pid == 0) {
        const struct rlimit none = {0, 0};
        const SandboxRules rules = {0};
        Diag diag = diag_quiet();
        _exit(setrlimit(RLIMIT_NOFILE, &none) == 0 &&
                      !sandbox_restrict_files(&rules, SANDBOX_AUTO, &diag) &&
                      diag.kind == DIAG_RESOURCE
                  ? 0
                  : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void limits_processes(void **state)
{
    (void)state;
    if (!sandbox_support().seccomp)
        skip();
    const pid_t pid = fork();
    if (pid == 0) {
        enum { MOST = 0xFFFF + 8192 }; /* sysinfo counts processes with 16 bits */
        struct rlimit limit;
        Diag diag = diag_quiet();
        getrlimit(RLIMIT_NPROC, &limit);
        limit.rlim_cur = limit.rlim_max;
        _exit(setrlimit(RLIMIT_NPROC, &limit) == 0 &&
                      sandbox_restrict_calls(SANDBOX_READER, SANDBOX_AUTO, &diag) &&
                      getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur <= MOST
                  ? 0
                  : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void)
{
    const SandboxSupport has = sandbox_support();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_descriptors),        cmocka_unit_test(limits_processes),
        cmocka_unit_test(obeys_the_mode),           cmocka_unit_test(confines_the_reader),
        cmocka_unit_test(confines_the_encoder),     cmocka_unit_test(confines_a_worker),
        cmocka_unit_test(confines_the_spawner),     cmocka_unit_test(confines_the_broker),
        cmocka_unit_test(attempts_work_unconfined),
    };
    print_message("Landlock %d, seccomp %s\n", has.landlock, has.seccomp ? "yes" : "no");
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
