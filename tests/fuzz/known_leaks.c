// SPDX-License-Identifier: MIT
/* Suppresses a leak that is not ours: libfyaml 0.7 keeps a buffer if a long quoted scalar is
 * invalid. */

/* Called by the leak sanitizer. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml";
}
