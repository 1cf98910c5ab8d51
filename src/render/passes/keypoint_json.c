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
    json_key(json, key);
    json_print(json, "[");
    for (int i = 0; i < count; i++)
        json_print(json, "%g, %g, %g", rounded(points[i].x), rounded(points[i].y),
                   (double)points[i].confidence);
    json_print(json, "]");
}

static void write_person(Json *json, const Person *person)
{
    json_print(json, "{");
    write_points(json, "pose_keypoints_2d", person->points, KEYPOINT_BODY_COUNT);
    write_points(json, "hand_left_keypoints_2d", person->points + KEYPOINT_LEFT_HAND,
                 KEYPOINT_HAND_COUNT);
    write_points(json, "hand_right_keypoints_2d", person->points + KEYPOINT_RIGHT_HAND,
                 KEYPOINT_HAND_COUNT);
    write_points(json, "face_keypoints_2d", person->points + KEYPOINT_FACE, KEYPOINT_FACE_COUNT);
    json_print(json, "}");
}

void openpose_write(FILE *out, const Person *people, size_t count, int width, int height)
{
    Json json = json_init(out);
    json_print(&json, "{people:[");
    for (size_t i = 0; i < count; i++)
        write_person(&json, &people[i]);
    json_print(&json, "] canvas_width:%d canvas_height:%d}\n", width, height);
}
