/*
 * fuzz_libfyaml.h - suppresses a known leak; included by the targets that parse YAML
 *
 * libfyaml 0.7 leaks a buffer if a long quoted scalar is invalid.
 */
#ifndef FUZZ_FUZZ_LIBFYAML_H
#define FUZZ_FUZZ_LIBFYAML_H

/* Called by the leak sanitizer. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml";
}

#endif
