// SPDX-License-Identifier: MIT
#include "dispatch/slurm.h"

#include "unit_test.h"

/* Outputs of sinfo, as its manual describes them. */
static void test_cores(void **state)
{
    static const struct {
        const char *output;
        bool named;
        int cores;
    } rows[] = {
        {"2 main*\n", false, 2},
        {"64 big\n2 main*\n1 main*\n", false, 2},
        {"64 big\n2 main*\n", true, 64},
        {"2 both\n16+ both\n", true, 16},
        {"8 a\n4 b\n", false, 8},
        {"", false, 0},
        {"slurm_load_partitions: error\n", false, 0},
        {"0 main*\n-3 main*\n99999999999999999999 main*\n", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(slurm_parse_cores(rows[i].output, rows[i].named), rows[i].cores);
}

/* Texts of slurm_strerror. */
static void test_refusals(void **state)
{
    static const struct {
        const char *line;
        bool final;
    } rows[] = {
        {"sbatch: error: Batch job submission failed: Requested node configuration is not "
         "available",
         true},
        {"sbatch: error: Batch job submission failed: Invalid account or account/partition "
         "combination specified",
         true},
        {"sbatch: error: invalid partition specified: none", true},
        {"sbatch: error: CPU count per node can not be satisfied", true},
        {"sbatch: fatal: Invalid numeric value \"x\" for --cpus-per-task.", true},
        {"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect "
         "failure)",
         false},
        {"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
         false},
        {"sbatch: error: QOSMaxSubmitJobPerUserLimit", false},
        {"sbatch: error: Batch job submission failed: Resource temporarily unavailable", false},
        {"sh: 1: sbatch: not found", false},
        {"", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(slurm_refusal_is_final(rows[i].line), rows[i].final);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cores),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
