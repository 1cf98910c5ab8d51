/*
 * figure_paint.h - the textures of the dancer
 */
#ifndef DEMO_FIGURE_PAINT_H
#define DEMO_FIGURE_PAINT_H

/* Index in the list of figure_paintings and in the model's textures. */
enum {
    PICTURE_SKIN,
    PICTURE_FACE,
    PICTURE_WHITE_OF_EYE,
    PICTURE_IRIS,
    PICTURE_MOUTH,
    PICTURE_BLUSH,
    PICTURE_BLOUSE,
    PICTURE_SKIRT,
    PICTURE_SHOE,
    PICTURE_HAIR,
    PICTURE_SHEEN, /* sphere map: the ring-shaped highlight of the hair */
    PICTURE_TOON_SKIN,
    PICTURE_TOON_HAIR,
    PICTURE_TOON_CLOTH,
    PICTURE_COUNT
};

#endif
