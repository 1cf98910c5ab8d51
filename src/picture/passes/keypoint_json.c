// SPDX-License-Identifier: MIT
#include "picture/passes/keypoint_json.h"

#include <math.h>

#include "base/json.h"

/* Points of the body in the order of a format; MIDDLE is halfway between the hips. */
enum { MIDDLE = -1, BODY25_COUNT = 25, COCO_COUNT = 17, FACE68_COUNT = 68 };

static const int8_t BODY25[] = {0, 1,  2,  3,  4,  5,  6,  7,  MIDDLE, 8,
                                9, 10, 11, 12, 13, 14, 15, 16, 17};

static const int8_t COCO[COCO_COUNT] = {0, 15, 14, 17, 16, 5, 2, 6, 3, 7, 4, 11, 8, 12, 9, 13, 10};

_Static_assert(sizeof BODY25 + KEYPOINT_FOOT_COUNT == BODY25_COUNT, "6 points of the feet follow");

/* Hundredths of a pixel. */
static double rounded(float value)
{
    return round((double)value * 100) / 100;
}

static void write_points(Json *json, const char *key, const Keypoint *points, int count)
{
    json_key(json, key);
    json_print(json, "[");
    for (int i = 0; i < count; i++)
        json_print(json, "%g, %g, %g", rounded(points[i].x), rounded(points[i].y),
                   (double)points[i].confidence);
    json_print(json, "]");
}

static Keypoint middle_of_hips(const Person *person)
{
    const Keypoint *right = &person->points[KEYPOINT_R_HIP], *left = right + 3;
    if (!(right->confidence > 0 && left->confidence > 0))
        return (Keypoint){0};
    return (Keypoint){.x = (right->x + left->x) / 2,
                      .y = (right->y + left->y) / 2,
                      .depth = (right->depth + left->depth) / 2,
                      .confidence = fminf(right->confidence, left->confidence)};
}

/* ---- OpenPose ---- */

static void write_body25(Json *json, const Person *person)
{
    Keypoint points[BODY25_COUNT];
    for (size_t i = 0; i < sizeof BODY25; i++)
        points[i] = BODY25[i] == MIDDLE ? middle_of_hips(person) : person->points[BODY25[i]];
    for (size_t i = 0; i < KEYPOINT_FOOT_COUNT; i++)
        points[sizeof BODY25 + i] = person->points[KEYPOINT_FEET + i];
    write_points(json, "pose_keypoints_2d", points, BODY25_COUNT);
}

static void write_openpose_person(Json *json, const Person *person, bool body25)
{
    json_print(json, "{");
    if (body25)
        json_print(json, "person_id:[%d]", -1);
    if (body25)
        write_body25(json, person);
    else
        write_points(json, "pose_keypoints_2d", person->points, KEYPOINT_BODY_COUNT);
    write_points(json, "hand_left_keypoints_2d", person->points + KEYPOINT_LEFT_HAND,
                 KEYPOINT_HAND_COUNT);
    write_points(json, "hand_right_keypoints_2d", person->points + KEYPOINT_RIGHT_HAND,
                 KEYPOINT_HAND_COUNT);
    write_points(json, "face_keypoints_2d", person->points + KEYPOINT_FACE, KEYPOINT_FACE_COUNT);
    if (body25)
        json_print(json, "pose_keypoints_3d:[] face_keypoints_3d:[] hand_left_keypoints_3d:[] "
                         "hand_right_keypoints_3d:[]");
    json_print(json, "}");
}

static void write_openpose(Json *json, const Person *people, size_t count, bool body25)
{
    if (body25)
        json_print(json, "version:%g", 1.3);
    json_print(json, "people:[");
    for (size_t i = 0; i < count; i++)
        write_openpose_person(json, &people[i], body25);
    json_print(json, "]");
}

/* ---- COCO-WholeBody ---- */

/* Points with x, y and a visibility: 2 visible, 1 hidden, 0 not known, where x and y are 0. */
static void write_annotated(Json *json, const char *key, const Keypoint *points, int count)
{
    json_key(json, key);
    json_print(json, "[");
    for (int i = 0; i < count; i++)
        json_print(json, "%g, %g, %d", rounded(points[i].x), rounded(points[i].y),
                   (int)(2 * points[i].confidence));
    json_print(json, "]");
}

static int count_known(const Keypoint *points, int count)
{
    int known = 0;
    for (int i = 0; i < count; i++)
        known += points[i].confidence > 0;
    return known;
}

/* The smallest box around the known points, [x, y, width, height]; returns its area. */
static double write_box(Json *json, const char *key, const Keypoint *points, int count)
{
    float low[2], high[2];
    const bool known = keypoints_bounds(low, high, points, count);
    const double width = known ? rounded(high[0] - low[0]) : 0;
    const double height = known ? rounded(high[1] - low[1]) : 0;
    json_key(json, key);
    json_print(json, "[%g, %g, %g, %g]", known ? rounded(low[0]) : 0, known ? rounded(low[1]) : 0,
               width, height);
    return width * height;
}

/* A part with the keys NAME_box, NAME_valid and NAME_kpts; those of the feet have no box. */
typedef struct Part {
    const char *box, *valid, *points;
    int first, count;
} Part;

static const Part PARTS[] = {
    {NULL, "foot_valid", "foot_kpts", KEYPOINT_FEET, KEYPOINT_FOOT_COUNT},
    {"face_box", "face_valid", "face_kpts", KEYPOINT_FACE, FACE68_COUNT},
    {"lefthand_box", "lefthand_valid", "lefthand_kpts", KEYPOINT_LEFT_HAND, KEYPOINT_HAND_COUNT},
    {"righthand_box", "righthand_valid", "righthand_kpts", KEYPOINT_RIGHT_HAND,
     KEYPOINT_HAND_COUNT},
};

static void write_annotation(Json *json, const Person *person, int id)
{
    Keypoint body[COCO_COUNT];
    for (int i = 0; i < COCO_COUNT; i++)
        body[i] = person->points[COCO[i]];
    json_print(json, "{id:%d image_id:1 category_id:1 iscrowd:0 num_keypoints:%d", id,
               count_known(body, COCO_COUNT));
    const double area = write_box(json, "bbox", person->points, KEYPOINT_COUNT);
    json_print(json, "area:%g", area);
    write_annotated(json, "keypoints", body, COCO_COUNT);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        const Part *part = &PARTS[i];
        const Keypoint *points = person->points + part->first;
        if (part->box)
            write_box(json, part->box, points, part->count);
        json_key(json, part->valid);
        json_print(json, "%hhd", count_known(points, part->count) > 0);
        write_annotated(json, part->points, points, part->count);
    }
    json_print(json, "}");
}

void keypoint_json_write(FILE *out, KeypointFormat format, const Person *people, size_t count,
                         int width, int height)
{
    Json json = json_init(out);
    json_print(&json, "{");
    if (format == KEYPOINTS_WHOLEBODY) {
        json_print(&json, "images:[{id:1 width:%d height:%d}] annotations:[", width, height);
        for (size_t i = 0; i < count; i++)
            write_annotation(&json, &people[i], (int)i + 1);
        json_print(&json, "] categories:[{id:1 name:'person'}]");
    } else {
        write_openpose(&json, people, count, format == KEYPOINTS_BODY25);
        json_print(&json, "canvas_width:%d canvas_height:%d", width, height);
    }
    json_print(&json, "}\n");
}
