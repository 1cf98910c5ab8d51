#include "render/passes/openpose.h"

#include <math.h>

#include "base/json.h"

/* Hundredths of a pixel. */
static double rounded(float value)
{
    return round((double)value * 100) / 100;
}

static void write_points(Json *json, const char *key, const Keypoint *points, int count)
{
    json_pair_open(json, key, '[');
    for (int i = 0; i < count; i++) {
        json_short(json, rounded(points[i].x));
        json_short(json, rounded(points[i].y));
        json_short(json, (double)points[i].confidence);
    }
    json_close(json, ']');
}

static void write_person(Json *json, const Person *person)
{
    json_open(json, '{');
    write_points(json, "pose_keypoints_2d", person->points, KEYPOINT_BODY_COUNT);
    write_points(json, "hand_left_keypoints_2d", person->points + KEYPOINT_LEFT_HAND,
                 KEYPOINT_HAND_COUNT);
    write_points(json, "hand_right_keypoints_2d", person->points + KEYPOINT_RIGHT_HAND,
                 KEYPOINT_HAND_COUNT);
    write_points(json, "face_keypoints_2d", person->points + KEYPOINT_FACE, KEYPOINT_FACE_COUNT);
    json_close(json, '}');
}

void openpose_write(FILE *out, const Person *people, size_t count, int width, int height)
{
    Json json = json_init(out);

    json_open(&json, '{');
    json_pair_open(&json, "people", '[');
    for (size_t i = 0; i < count; i++)
        write_person(&json, &people[i]);
    json_close(&json, ']');
    json_pair_int(&json, "canvas_width", width);
    json_pair_int(&json, "canvas_height", height);
    json_close(&json, '}');
    json_newline(&json);
}
