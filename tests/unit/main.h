// SPDX-License-Identifier: MIT
/*
 * main.h - included before each test file of a room's program
 *
 * The Makefile names the main of such a file after its path (-Dmain=unit_math_test_curve), so that
 * the program of the room can call it (main.c).
 */
#ifdef __cplusplus
extern "C"
#endif
    int
    main(void);
