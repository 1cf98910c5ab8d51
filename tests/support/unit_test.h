// SPDX-License-Identifier: MIT
/*
 * unit_test.h - cmocka, with the headers that it needs before it
 */
#ifndef SUPPORT_UNIT_TEST_H
#define SUPPORT_UNIT_TEST_H

/* clang-format off: in this order */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif
/* clang-format on */

#endif
