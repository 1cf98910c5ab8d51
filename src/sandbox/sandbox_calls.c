// SPDX-License-Identifier: MIT
#include "sandbox/sandbox_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

bool sandbox_calls_supported(void)
{
#ifdef OUR_ARCH
    const unsigned action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return false;
#endif
}

#ifdef OUR_ARCH

/* ---- a filter: the first rule that matches a call decides ---- */

enum { MAX_INSTRUCTIONS = 2048, LAST_CALL = 450 /* set_mempolicy_home_node, Linux 5.17 */ };

typedef enum Test { ALWAYS, EQUAL, DIFFERS } Test;

typedef struct CallRule {
    int call;
    Test test;         /* compares the lower half of an argument & mask with the value */
    unsigned argument; /* 0..5 */
    uint32_t mask, value;
} CallRule;

typedef struct Filter {
    struct sock_filter items[MAX_INSTRUCTIONS];
    unsigned short count;
} Filter;

static const uint32_t ALLOW = SECCOMP_RET_ALLOW, REFUSE = SECCOMP_RET_ERRNO | EPERM,
                      MISSING = SECCOMP_RET_ERRNO | ENOSYS;
static const uint32_t ALL_BITS = UINT32_MAX, SIGN = UINT32_C(1) << 31;

static void add(Filter *filter, unsigned code, uint32_t value, unsigned if_true, unsigned if_false)
{
    if (filter->count < MAX_INSTRUCTIONS)
        filter->items[filter->count++] =
            (struct sock_filter){(uint16_t)code, (uint8_t)if_true, (uint8_t)if_false, value};
}

static void load(Filter *filter, size_t offset)
{
    add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void decide(Filter *filter, uint32_t action)
{
    add(filter, BPF_RET | BPF_K, action, 0, 0);
}

/* The number of the call is loaded before and after. */
static void add_rule(Filter *filter, const CallRule *rule, uint32_t action)
{
    enum { SKIP_DECISION = 1, SKIP_TEST = 5 };
    if (rule->test == ALWAYS) {
        add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->call, 0, SKIP_DECISION);
        decide(filter, action);
        return;
    }
    const bool equal = rule->test == EQUAL;
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->call, 0, SKIP_TEST);
    load(filter, offsetof(struct seccomp_data, args) + 8 * (size_t)rule->argument);
    add(filter, BPF_ALU | BPF_AND | BPF_K, rule->mask, 0, 0);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, rule->value, !equal, equal);
    decide(filter, action);
    load(filter, offsetof(struct seccomp_data, nr));
}

static void add_rules(Filter *filter, const CallRule *rules, size_t count, uint32_t action)
{
    for (size_t i = 0; i < count; i++)
        add_rule(filter, &rules[i], action);
}

static void add_calls(Filter *filter, const int *calls, size_t count, uint32_t action)
{
    for (size_t i = 0; i < count; i++)
        add_rule(filter, &(CallRule){.call = calls[i]}, action);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Calls of other processors' conventions (i386, x32) have other numbers and are refused. */
static void begin(Filter *filter)
{
    enum { X32_BIT = 0x40000000 };
    load(filter, offsetof(struct seccomp_data, arch));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0);
    decide(filter, REFUSE);
    load(filter, offsetof(struct seccomp_data, nr));
    add(filter, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    decide(filter, REFUSE);
}

/* ---- calls since Linux 5.1, which have the same numbers on all processors ---- */

enum {
    CALL_PIDFD_SEND_SIGNAL = 424,
    CALL_IO_URING_SETUP = 425,
    CALL_IO_URING_ENTER = 426,
    CALL_IO_URING_REGISTER = 427,
    CALL_OPEN_TREE = 428,
    CALL_MOVE_MOUNT = 429,
    CALL_FSOPEN = 430,
    CALL_FSCONFIG = 431,
    CALL_FSMOUNT = 432,
    CALL_FSPICK = 433,
    CALL_PIDFD_OPEN = 434,
    CALL_CLONE3 = 435,
    CALL_OPENAT2 = 437,
    CALL_PIDFD_GETFD = 438,
    CALL_FACCESSAT2 = 439,
    CALL_PROCESS_MADVISE = 440,
    CALL_MOUNT_SETATTR = 442,
    CALL_QUOTACTL_FD = 443,
    CALL_LANDLOCK_CREATE_RULESET = 444,
    CALL_LANDLOCK_ADD_RULE = 445,
    CALL_LANDLOCK_RESTRICT_SELF = 446,
    CALL_PROCESS_MRELEASE = 448
};

/* ---- refused to every process that handles assets ---- */

/* clang-format off */
static const int REFUSED[] = {
    /* other programs and processes */
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
    CALL_PIDFD_OPEN, CALL_PIDFD_GETFD, CALL_PIDFD_SEND_SIGNAL, CALL_PROCESS_MADVISE,
    CALL_PROCESS_MRELEASE, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_migrate_pages,
    SYS_move_pages, SYS_setpriority, SYS_ioprio_set, SYS_sched_setaffinity,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
    /* network, named sockets and queues */
    SYS_socket, SYS_bind, SYS_connect, SYS_listen, SYS_accept, SYS_accept4,
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semctl, SYS_semtimedop,
    SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    /* attributes and other ways to files, which Landlock does not control everywhere */
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_truncate,
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
    SYS_fremovexattr, SYS_linkat, SYS_symlinkat, SYS_mknodat, SYS_name_to_handle_at,
    SYS_open_by_handle_at, SYS_inotify_init1, SYS_inotify_add_watch, SYS_fanotify_init,
    SYS_fanotify_mark, CALL_IO_URING_SETUP, CALL_IO_URING_ENTER, CALL_IO_URING_REGISTER,
    /* the system */
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, CALL_OPEN_TREE, CALL_MOVE_MOUNT,
    CALL_FSOPEN, CALL_FSCONFIG, CALL_FSMOUNT, CALL_FSPICK, CALL_MOUNT_SETATTR, SYS_unshare,
    SYS_setns, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_kexec_load, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_personality, SYS_acct, SYS_quotactl,
    CALL_QUOTACTL_FD, SYS_syslog, SYS_vhangup, SYS_sethostname, SYS_setdomainname,
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_link, SYS_symlink,
    SYS_mknod, SYS_inotify_init, SYS_kexec_file_load, SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

/* Libraries use others where the kernel has no such calls.  The first two have their arguments in
 * memory, where a filter cannot see them; glibc uses clone, open.  Without the last libnuma does not
 * try to bind threads to processors, which is refused and which it would report. */
static const int ABSENT[] = {CALL_CLONE3, CALL_OPENAT2, SYS_get_mempolicy};

static const uint32_t NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                   CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
enum { SOCKET_TYPE = 15, TIOCL = 0x541C /* TIOCLINUX */, SET_OWNER = 8, SET_SIGNAL = 10,
       SET_OWNER_EX = 15, SOCKET_SET_OWNER = 0x8901, SOCKET_SET_GROUP = 0x8902 };

static const CallRule REFUSED_ARGUMENTS[] = {
    {SYS_clone, DIFFERS, 0, NAMESPACES, 0},
    /* to groups and to all processes */
    {SYS_kill, EQUAL, 0, ALL_BITS, 0},
    {SYS_kill, DIFFERS, 0, SIGN, 0},
    {SYS_prlimit64, DIFFERS, 0, ALL_BITS, 0},
    /* datagrams can be sent to any named socket */
    {SYS_socketpair, DIFFERS, 0, ALL_BITS, AF_UNIX},
    {SYS_socketpair, EQUAL, 1, SOCKET_TYPE, SOCK_DGRAM},
    /* empties a file that is opened for reading, before version 3 of Landlock */
    {SYS_openat, EQUAL, 2, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC},
#ifdef __x86_64__
    {SYS_open, EQUAL, 1, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC},
#endif
    /* typing into the terminal; signals by way of files */
    {SYS_ioctl, EQUAL, 1, ALL_BITS, TIOCSTI},
    {SYS_ioctl, EQUAL, 1, ALL_BITS, TIOCL},
    {SYS_ioctl, EQUAL, 1, ALL_BITS, TIOCSETD},
    {SYS_ioctl, EQUAL, 1, ALL_BITS, SOCKET_SET_OWNER},
    {SYS_ioctl, EQUAL, 1, ALL_BITS, SOCKET_SET_GROUP},
    {SYS_fcntl, EQUAL, 1, ALL_BITS, SET_OWNER},
    {SYS_fcntl, EQUAL, 1, ALL_BITS, SET_SIGNAL},
    {SYS_fcntl, EQUAL, 1, ALL_BITS, SET_OWNER_EX},
};
/* clang-format on */

static void add_refused(Filter *filter)
{
    add(filter, BPF_JMP | BPF_JGT | BPF_K, LAST_CALL, 0, 1);
    decide(filter, MISSING);
    add_calls(filter, ABSENT, COUNT(ABSENT), MISSING);
    add_calls(filter, REFUSED, COUNT(REFUSED), REFUSE);
    add_rules(filter, REFUSED_ARGUMENTS, COUNT(REFUSED_ARGUMENTS), REFUSE);
}

/* ---- encoders: threads, but no processes ---- */

static void add_encoder(Filter *filter)
{
    const uint32_t own = (uint32_t)getpid();
    const CallRule refused[] = {
        {SYS_clone, EQUAL, 0, CLONE_THREAD, 0},
        {SYS_kill, DIFFERS, 0, ALL_BITS, own},
        {SYS_tgkill, DIFFERS, 0, ALL_BITS, own},
        {SYS_tkill, ALWAYS, 0, 0, 0},
        {SYS_socketpair, ALWAYS, 0, 0, 0},
#ifdef __x86_64__
        {SYS_fork, ALWAYS, 0, 0, 0},
        {SYS_vfork, ALWAYS, 0, 0, 0},
#endif
    };
    add_refused(filter);
    add_rules(filter, refused, COUNT(refused), REFUSE);
    decide(filter, ALLOW);
}

/* ---- workers that draw on the CPU: what is listed, and nothing else ---- */

/* clang-format off */
static const int WORKER_CALLS[] = {
    SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_pwrite64, SYS_writev, SYS_close, SYS_lseek,
    SYS_fstat, SYS_newfstatat, SYS_ftruncate, SYS_fsync, SYS_fdatasync, SYS_fadvise64, SYS_fcntl,
    SYS_openat, SYS_unlinkat, SYS_renameat, SYS_mkdirat, SYS_getdents64, SYS_faccessat,
    CALL_FACCESSAT2, SYS_statx, SYS_readlinkat, SYS_getcwd,
    SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk, SYS_futex,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_recvfrom, SYS_sendto, SYS_recvmsg, SYS_sendmsg, SYS_ppoll,
    SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_sigaltstack, SYS_restart_syscall,
    SYS_exit, SYS_exit_group, SYS_sched_yield, SYS_getrandom, SYS_set_robust_list, SYS_rseq,
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_uname, SYS_sysinfo, SYS_getcpu, SYS_sched_getaffinity, SYS_getrusage,
#ifdef __x86_64__
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_open, SYS_unlink, SYS_rename, SYS_mkdir,
    SYS_poll,
    SYS_getrlimit, SYS_time,
#endif
#ifdef SYS_renameat2
    SYS_renameat2,
#endif
};
/* clang-format on */

/* A spawner draws before it forks the workers; they add a filter of their own. */
static void add_spawner(Filter *filter)
{
    static const int calls[] = {SYS_wait4,
                                SYS_kill,
                                SYS_tgkill,
                                SYS_socketpair,
                                SYS_dup,
                                SYS_seccomp,
                                CALL_LANDLOCK_CREATE_RULESET,
                                CALL_LANDLOCK_ADD_RULE,
                                CALL_LANDLOCK_RESTRICT_SELF};
    const CallRule allowed[] = {
        {SYS_clone, EQUAL, 0, CLONE_VM | CLONE_THREAD, 0},
        {SYS_prlimit64, EQUAL, 0, ALL_BITS, 0},
        {SYS_prctl, EQUAL, 0, ALL_BITS, PR_GET_NAME},
        {SYS_prctl, EQUAL, 0, ALL_BITS, PR_SET_NAME},
        {SYS_prctl, EQUAL, 0, ALL_BITS, PR_SET_PDEATHSIG},
        {SYS_prctl, EQUAL, 0, ALL_BITS, PR_SET_NO_NEW_PRIVS},
    };
    add_calls(filter, ABSENT, COUNT(ABSENT), MISSING);
    add_rules(filter, REFUSED_ARGUMENTS, COUNT(REFUSED_ARGUMENTS), REFUSE);
    add_calls(filter, WORKER_CALLS, COUNT(WORKER_CALLS), ALLOW);
    add_calls(filter, calls, COUNT(calls), ALLOW);
    add_rules(filter, allowed, COUNT(allowed), ALLOW);
    decide(filter, REFUSE);
}

static void add_worker(Filter *filter)
{
    const CallRule allowed[] = {
        {SYS_tgkill, EQUAL, 0, ALL_BITS, (uint32_t)getpid()}, /* abort, raise */
        {SYS_prlimit64, EQUAL, 0, ALL_BITS, 0},
        {SYS_prctl, EQUAL, 0, ALL_BITS, PR_GET_NAME},
    };
    add_rules(filter, REFUSED_ARGUMENTS, COUNT(REFUSED_ARGUMENTS), REFUSE);
    add_calls(filter, WORKER_CALLS, COUNT(WORKER_CALLS), ALLOW);
    add_rules(filter, allowed, COUNT(allowed), ALLOW);
    decide(filter, REFUSE);
}

int sandbox_calls_restrict(SandboxProfile profile)
{
    Filter filter = {.count = 0};
    begin(&filter);
    if (profile == SANDBOX_READER) {
        add_refused(&filter);
        decide(&filter, ALLOW);
    } else if (profile == SANDBOX_WORKER)
        add_worker(&filter);
    else if (profile == SANDBOX_SPAWNER)
        add_spawner(&filter);
    else
        add_encoder(&filter);
    const struct sock_fprog program = {filter.count, filter.items};
    const long rc =
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return rc == 0 ? 0 : rc < 0 ? errno : EBUSY; /* > 0: a thread that has another filter */
}

#else

int sandbox_calls_restrict(SandboxProfile profile)
{
    (void)profile;
    return ENOSYS;
}

#endif
