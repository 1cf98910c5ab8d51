/*
 * figure_body.h - the dancer's limbs, and the clothes that follow their shape
 *
 * Each function adds closed parts; a material is to be added after each.
 */
#ifndef DEMO_FIGURE_BODY_H
#define DEMO_FIGURE_BODY_H

#include "demo/figure_rig.h"

void body_add_skin(Shape *shape); /* neck, arms, hands, legs */

void dress_add_white(Shape *shape); /* shorts, socks */
void dress_add_shoes(Shape *shape);
void dress_add_blouse(Shape *shape);
void dress_add_sleeves(Shape *shape);
void dress_add_trim(Shape *shape); /* cuffs, sock bands, collar */
void dress_add_petticoat(Shape *shape);
void dress_add_skirt(Shape *shape);
void dress_add_bows(Shape *shape); /* belt, chest bow, back bow */

/* A ring around an arm, `s` units down from the shoulder joint (elbow 1.75, wrist 3.4), and around
 * a leg at height y.  `radius` is its half width. */
Ring arm_ring(Side side, float s, float radius);
Ring leg_ring(Side side, float y, float radius);

#endif
