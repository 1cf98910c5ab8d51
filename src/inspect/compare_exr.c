#include "inspect/compare_exr.h"

#include <inttypes.h>

#include "base/json.h"
#include "base/text_escape.h"
#include "inspect/comparison/frame_pairing.h"
#include "media/exr/exr_difference.h"

typedef struct Comparison {
    const CompareOptions *options;
    FILE *out;
    Json json;
    ExrDifference channels;
    FramePairing pairs;
    int64_t compared, equal;
    int64_t above; /* frames that are not within the tolerance */
    int64_t first; /* that differs, or -1 */
} Comparison;

/* ---- pairs of frames ---- */

static void write_pair(Comparison *c, int64_t number, const ExrPair *pair)
{
    if (c->options->format == REPORT_JSON) {
        json_newline(&c->json);
        json_open(&c->json, '{');
        json_pair_int(&c->json, "frame", number);
        json_pair_bool(&c->json, "equal", pair->equal);
        json_pair_short(&c->json, "max_difference", pair->max);
        json_pair_bool(&c->json, "ok", pair->within);
        json_close(&c->json, '}');
    } else if (c->options->verbose) {
        fprintf(c->out,
                pair->equal ? "frame %" PRId64 ": equal\n"
                            : "frame %" PRId64 ": differs, by at most %.9g where both are finite\n",
                number, pair->max);
    }
}

static bool compare_pair(Comparison *c, Diag *diag)
{
    const ExrImage *a = c->pairs.a->exr, *b = c->pairs.b->exr;
    const int64_t number = c->pairs.a->number;
    if (a->width != b->width || a->height != b->height)
        return diag_fail(diag, DIAG_FAILED, "frame %" PRId64 ": the sizes differ: %dx%d and %dx%d",
                         number, a->width, a->height, b->width, b->height);
    const ExrPair pair = exr_difference_add(&c->channels, a, b, number, c->options->tolerance);
    c->compared++;
    c->equal += pair.equal;
    c->above += !pair.within;
    if (!pair.equal && c->first < 0)
        c->first = number;
    write_pair(c, number, &pair);
    return true;
}

static bool compare_pairs(Comparison *c, Diag *diag)
{
    bool good = frame_pairing_next(&c->pairs, diag);
    while (good && c->pairs.a)
        good = compare_pair(c, diag) && frame_pairing_next(&c->pairs, diag);
    return good;
}

/* ---- summary ---- */

static bool is_match(const Comparison *c)
{
    return c->compared && !c->above && !c->pairs.only_a && !c->pairs.only_b;
}

static void write_channel_text(const Comparison *c, const ExrChannelDifference *d)
{
    if (d->only_a)
        text_printf(c->out, "channel '%s': only in %s in %" PRId64 " frames\n", d->name,
                    c->options->a, d->only_a);
    if (d->only_b)
        text_printf(c->out, "channel '%s': only in %s in %" PRId64 " frames\n", d->name,
                    c->options->b, d->only_b);
    if (d->is_id && d->differing)
        text_printf(c->out, "channel '%s': %" PRId64 " ids differ\n", d->name, d->differing);
    else if (d->max > 0)
        text_printf(c->out,
                    "channel '%s': %" PRId64 " samples differ, by at most %.9g (frame %" PRId64
                    ")\n",
                    d->name, d->differing, d->max, d->max_frame);
    if (d->not_finite && !d->is_id)
        text_printf(c->out,
                    "channel '%s': %" PRId64
                    " samples differ of which one is infinite or not a number\n",
                    d->name, d->not_finite);
}

static void write_text(const Comparison *c)
{
    fprintf(c->out, "%" PRId64 " frames compared: %" PRId64 " equal, %" PRId64 " different\n",
            c->compared, c->equal, c->compared - c->equal);
    if (c->pairs.only_a || c->pairs.only_b)
        text_printf(c->out, "%" PRId64 " frames only in %s, %" PRId64 " only in %s\n",
                    c->pairs.only_a, c->options->a, c->pairs.only_b, c->options->b);
    for (size_t i = 0; i < c->channels.channels.count; i++)
        write_channel_text(c, &c->channels.channels.items[i]);
    if (c->first >= 0)
        fprintf(c->out, "first difference: frame %" PRId64 "\n", c->first);
    if (c->above && c->options->tolerance > 0)
        fprintf(c->out, "%" PRId64 " frames differ by more than %.10g\n", c->above,
                c->options->tolerance);
}

static void write_channel_json(Json *json, const ExrChannelDifference *d)
{
    json_newline(json);
    json_open(json, '{');
    json_pair_text(json, "name", d->name);
    json_pair_int(json, "differing", d->differing);
    if (!d->is_id) {
        json_pair_int(json, "not_finite", d->not_finite);
        json_pair_short(json, "max_difference", d->max);
        json_pair_int(json, "max_frame", d->max_frame); /* -1 if there is none */
    }
    json_pair_int(json, "only_a", d->only_a);
    json_pair_int(json, "only_b", d->only_b);
    json_close(json, '}');
}

static void write_json_end(Comparison *c)
{
    Json *json = &c->json;
    json_close(json, ']');
    json_newline(json);
    json_pair_open(json, "channels", '[');
    for (size_t i = 0; i < c->channels.channels.count; i++)
        write_channel_json(json, &c->channels.channels.items[i]);
    json_close(json, ']');
    json_newline(json);
    json_pair_int(json, "compared", c->compared);
    json_pair_int(json, "equal", c->equal);
    json_pair_int(json, "only_a", c->pairs.only_a);
    json_pair_int(json, "only_b", c->pairs.only_b);
    json_pair_int(json, "first_difference", c->first); /* -1 if there is none */
    json_pair_int(json, "above_tolerance", c->above);
    json_pair_bool(json, "ok", is_match(c));
    json_close(json, '}');
    json_newline(json);
}

static const char *describe_difference(const Comparison *c, Arena *arena)
{
    if (!c->compared)
        return "no frames were compared";
    const char *only = frame_pairing_describe(c->pairs.only_a, c->pairs.only_b, arena);
    return arena_printf(arena,
                        "%s%" PRId64 " of %" PRId64
                        " frames have other channels or differ by more than %.10g",
                        only, c->above, c->compared, c->options->tolerance);
}

bool compare_exr_write(FILE *out, const CompareOptions *options, FrameSource *a, FrameSource *b,
                       const char **difference, Arena *arena, Diag *diag)
{
    Comparison c = {.options = options,
                    .out = out,
                    .json = json_init(out),
                    .channels.arena = arena,
                    .pairs = frame_pairing_init(a, b, options->stop),
                    .first = -1};
    if (options->format == REPORT_JSON) {
        json_open(&c.json, '{');
        json_pair_open(&c.json, "frames", '[');
    }
    const bool compared_all = compare_pairs(&c, diag);
    if (options->format == REPORT_JSON)
        write_json_end(&c);
    else if (compared_all)
        write_text(&c);
    if (compared_all && !is_match(&c))
        *difference = describe_difference(&c, arena);
    return compared_all && is_match(&c);
}
