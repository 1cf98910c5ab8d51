/*
 * memory_bullet.hpp - the memory policy for Bullet, which does not check its allocations
 */
#ifndef EVALUATE_PHYSICS_MEMORY_BULLET_HPP
#define EVALUATE_PHYSICS_MEMORY_BULLET_HPP

/* Failed allocations of Bullet and of C++ end the process as base/memory.h says.  May be called
 * again. */
void memory_bullet_init();

#endif
