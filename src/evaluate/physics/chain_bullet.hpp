/*
 * chain_bullet.hpp - keeps chains of bodies together, and still when nothing moves them
 *
 * Applied after each of Bullet's steps, which lets joints come apart in quick motions, and lets
 * contacts and stops tremble without end (evaluate/README.md 9.2 and 9.3).
 */
#ifndef EVALUATE_PHYSICS_CHAIN_BULLET_HPP
#define EVALUATE_PHYSICS_CHAIN_BULLET_HPP

#include "evaluate/physics/world_bullet.hpp"

/* The value of World.speed_limit while bones move quickly. */
const float CHAIN_NO_LIMIT = 6400;

/* Sets the ends of all links of a model, whose bodies exist. */
void chain_build(World *world, uint32_t model, float scale);

/* The greater of a home's linear and angular speed, units and radians a second. */
float chain_speed(const btTransform &from, const btTransform &to, float hz);

/* Whether a home's speed lifts the limit, so that those of others make no difference. */
bool chain_is_quick(float speed);

/* Updates the speed limit of this tick.  speed: the greatest of all homes, or a quick one. */
void chain_limit_speed(World *world, float speed);

/* Moves fitted bodies to their bones, bodies that are too far from their anchor or link back, and
 * limits speeds. */
void chain_finish_tick(World *world, const WorldInput *inputs);

/* See world_strain. */
float chain_strain(const World *world);

#endif
