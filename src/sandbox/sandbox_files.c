#include "sandbox/sandbox_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- linux/landlock.h, which is older than the kernel on many systems ---- */

enum { CALL_CREATE_RULESET = 444, CALL_ADD_RULE = 445, CALL_RESTRICT_SELF = 446 };
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

typedef struct RulesetAttributes {
    uint64_t files, network, scopes; /* what is refused unless a rule allows it */
} RulesetAttributes;

typedef struct PathBeneath { /* the kernel reads 12 bytes of it */
    uint64_t allowed;
    int32_t directory;
} PathBeneath;

#define BIT(n) (UINT64_C(1) << (n))
#define EXECUTE BIT(0)
#define WRITE_FILE BIT(1)
#define READ_FILE BIT(2)
#define READ_DIR BIT(3)
#define REMOVE_DIR BIT(4)
#define REMOVE_FILE BIT(5)
#define MAKE_DIR BIT(7)
#define MAKE_REG BIT(8)
#define ALL_OF_VERSION_1 (BIT(13) - 1)
#define REFER BIT(13)     /* version 2 */
#define TRUNCATE BIT(14)  /* version 3 */
#define IOCTL_DEV BIT(15) /* version 5 */
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)
#define ALL_NETWORK (BIT(0) | BIT(1)) /* version 4: TCP bind, connect */
#define ALL_SCOPES (BIT(0) | BIT(1))  /* version 6: abstract Unix sockets, signals */

int sandbox_files_version(void)
{
    const long version = syscall(CALL_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static uint64_t handled_files(int version)
{
    return ALL_OF_VERSION_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) |
           (version >= 5 ? IOCTL_DEV : 0);
}

/* Moving files to another directory (REFER) is never allowed. */
static uint64_t rights(unsigned access)
{
    uint64_t bits = 0;
    if (access & SANDBOX_READ)
        bits |= READ_FILE | READ_DIR;
    if (access & SANDBOX_WRITE)
        bits |= WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG;
    if (access & SANDBOX_DEVICE)
        bits |= READ_FILE | READ_DIR | WRITE_FILE | IOCTL_DEV;
    if (access & SANDBOX_UPDATE)
        bits |= READ_FILE | WRITE_FILE;
    if (access & SANDBOX_RMDIR)
        bits |= REMOVE_DIR;
    return bits;
}

/* A path that cannot be opened needs no rule: it cannot be used either. */
static int add_rule(int ruleset, const SandboxRule *rule, uint64_t handled)
{
    struct stat st;
    PathBeneath beneath = {.directory = open(rule->path, O_PATH | O_CLOEXEC)};
    if (beneath.directory < 0)
        return errno == EMFILE || errno == ENFILE ? errno : 0;
    beneath.allowed = rights(rule->access) & handled;
    if (fstat(beneath.directory, &st) == 0 && !S_ISDIR(st.st_mode))
        beneath.allowed &= OF_FILES;
    int error = 0;
    if (beneath.allowed && syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &beneath, 0) != 0)
        error = errno == EBADFD ? 0 : errno; /* pipes and sockets cannot be restricted */
    close(beneath.directory);
    return error;
}

int sandbox_files_restrict(const SandboxRules *rules)
{
    const int version = sandbox_files_version();
    const RulesetAttributes attributes = {
        .files = handled_files(version),
        .network = version >= 4 ? ALL_NETWORK : 0,
        .scopes = version >= 6 ? ALL_SCOPES : 0,
    };
    const int ruleset = (int)syscall(CALL_CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset < 0)
        return errno;
    int error = 0;
    for (size_t i = 0; !error && i < rules->count; i++)
        error = add_rule(ruleset, &rules->items[i], attributes.files);
    if (!error && syscall(CALL_RESTRICT_SELF, ruleset, 0) != 0)
        error = errno;
    close(ruleset);
    return error;
}
