#include "inspect/info_facts.h"

#include <inttypes.h>

#include "base/text_escape.h"

void facts_text(Facts *facts, const char *key, const char *value)
{
    if (facts->options->json) {
        json_pair_text(&facts->json, key, value);
    } else if (value && value[0]) {
        text_printf(facts->out, "  %s: %s\n", key, value);
    }
}

void facts_count(Facts *facts, const char *key, uint64_t value)
{
    if (facts->options->json) {
        json_pair_int(&facts->json, key, (int64_t)value);
    } else if (value) {
        text_printf(facts->out, "  %s: %" PRIu64 "\n", key, value);
    }
}

void facts_number(Facts *facts, const char *key, double value)
{
    if (facts->options->json) {
        json_pair_short(&facts->json, key, value);
    } else {
        text_printf(facts->out, "  %s: %.6g\n", key, value);
    }
}

bool facts_names_begin(Facts *facts, const char *key)
{
    if (facts->options->json) {
        json_pair_open(&facts->json, key, '[');
    } else if (facts->options->names) {
        text_printf(facts->out, "  %s:\n", key);
    }
    return facts->options->json || facts->options->names;
}

void facts_name(Facts *facts, const char *name)
{
    if (facts->options->json)
        json_text(&facts->json, name);
    else if (facts->options->names)
        text_printf(facts->out, "    %s\n", name);
}

void facts_names_end(Facts *facts)
{
    if (facts->options->json)
        json_close(&facts->json, ']');
}
