/*
 * vectors_bullet.hpp - whether values of Bullet fit the processor's vectors of four floats
 */
#ifndef EVALUATE_PHYSICS_VECTORS_BULLET_HPP
#define EVALUATE_PHYSICS_VECTORS_BULLET_HPP

/* Not if Bullet was built with double precision, as some distributions do. */
#if defined(__SSE__) && !defined(BT_USE_DOUBLE_PRECISION)
#define BULLET_VECTORS 1
#include <xmmintrin.h>
#else
#define BULLET_VECTORS 0
#endif

#endif
