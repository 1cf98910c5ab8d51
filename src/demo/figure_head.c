// SPDX-License-Identifier: MIT
#include "demo/figure_parts.h"

#include <math.h>

enum {
    COLUMNS = 96, /* each is 3.75 degrees wide; column 48 is in front */
    ROWS = 48,    /* each is 3.75 degrees high; row 0 is at the bottom */
    /* cells of the grid that are left open for the left eye */
    EYE_COLUMN = 50,
    EYE_COLUMNS = 11,
    EYE_ROW = 15,
    EYE_ROWS = 13,
    LOOP = 2 * (EYE_COLUMNS + EYE_ROWS),
    LID_RINGS = 6
};

#define CELL 3.75f
#define EYE_THETA 27.0f
#define EYE_PHI (-10.5f)
#define EYE_HALF_WIDTH 16.5f
#define EYE_HALF_HEIGHT 17.0f

static vec3s head_middle(void)
{
    return vec(0.0f, 13.0f, 0.0f);
}

static float bump(float theta, float phi, float at_theta, float at_phi, float size)
{
    const float x = (theta - at_theta) / size, y = (phi - at_phi) / size;
    return expf(-(x * x + y * y));
}

/* Cheeks, eye sockets and a small nose. */
static float relief(float theta, float phi)
{
    const float side = fabsf(theta);

    return 0.045f * bump(side, phi, 38.0f, -34.0f, 16.0f) -
           0.030f * bump(side, phi, 24.0f, 0.0f, 16.0f) +
           0.055f * bump(theta, phi, 0.0f, -24.0f, 4.0f) -
           0.020f * bump(theta, phi, 0.0f, -50.0f, 9.0f) +
           0.030f * bump(theta, phi, 0.0f, -64.0f, 10.0f);
}

vec3s head_point(float theta, float phi, float lift)
{
    const float t = theta * GLM_PIf / 180.0f, p = phi * GLM_PIf / 180.0f;
    const float across = fabsf(phi) >= 90.0f ? 0.0f : cosf(p);
    const float up = sinf(p), low = up < 0.0f ? -up : 0.0f;
    const float size = 1.0f + relief(theta, phi);
    /* Below the middle the head narrows to a chin that points forwards. */
    const float narrow = 1.0f - 0.34f * low * low * low - 0.06f * low;
    const vec3s at = vec(2.2f * narrow * sinf(t) * across, (up < 0.0f ? 2.3f : 2.45f) * up,
                         -2.12f * cosf(t) * across * (1.0f - 0.1f * low) - 0.62f * low * low);

    return glms_vec3_add(head_middle(), glms_vec3_scale(at, size * (1.0f + lift)));
}

vec3s eye_point(Side side, float a, float b, float lift)
{
    const float theta = EYE_THETA + a * EYE_HALF_WIDTH;
    return head_point(side_sign(side) * theta, EYE_PHI + b * EYE_HALF_HEIGHT, lift);
}

/* A rounded box, its lower half flatter; the inner corner is slightly lower than the outer. */
vec2s eye_edge(float angle)
{
    const float t = angle * GLM_PIf / 180.0f, c = cosf(t), s = sinf(t);
    const float a = copysignf(powf(fabsf(c), 0.8f), c);
    const float b = copysignf(powf(fabsf(s), 0.75f), s);

    return (vec2s){{a, b * (s > 0.0f ? 0.95f : 0.9f) + 0.07f * a}};
}

vec2s eye_edge_closed(vec2s edge, bool happy)
{
    const float arch = 1.0f - edge.x * edge.x;
    return (vec2s){{edge.x, happy ? -0.38f + 0.5f * arch : -0.32f - 0.2f * arch + 0.06f * edge.x}};
}

void morph_move(Shape *shape, FaceMorph morph, uint32_t vertex, vec3s to)
{
    const float *from = shape->vertices.items[vertex].position;
    const vec3s offset = glms_vec3_sub(to, vec(from[0], from[1], from[2]));

    *arena_push(shape->arena, &shape->offsets[morph]) =
        (PmxVertexOffset){.vertex = vertex, .offset = {offset.x, offset.y, offset.z}};
}

void morph_close_eye(Shape *shape, uint32_t vertex, Side side, vec3s blinking, vec3s happy)
{
    morph_move(shape, MORPH_BLINK, vertex, blinking);
    morph_move(shape, MORPH_HAPPY_EYES, vertex, happy);
    morph_move(shape, side == LEFT ? MORPH_WINK_LEFT : MORPH_WINK_RIGHT, vertex, happy);
}

/* ---- skin ---- */

static int eye_first_column(Side side)
{
    return side == LEFT ? EYE_COLUMN : COLUMNS - EYE_COLUMN - EYE_COLUMNS;
}

/* Whether a node (or, without border, a cell) is in the opening of an eye. */
static bool in_eye(int column, int row, int border)
{
    for (Side side = LEFT; side <= RIGHT; side++) {
        const int c = column - eye_first_column(side), r = row - EYE_ROW;
        if (c >= border && c < EYE_COLUMNS && r >= border && r < EYE_ROWS)
            return true;
    }
    return false;
}

static float theta_of(int column)
{
    return (float)(column % COLUMNS) * CELL - 180.0f;
}

static float phi_of(int row)
{
    return (float)row * CELL - 90.0f;
}

static uint32_t skin_point(Shape *shape, vec3s at, float theta, float phi)
{
    return shape_point(shape, at, theta / 360.0f + 0.5f, 0.5f - phi / 180.0f, bind_one(BONE_HEAD));
}

typedef uint32_t Nodes[ROWS + 1][COLUMNS + 1];

static void add_nodes(Shape *shape, Nodes nodes)
{
    for (int r = 0; r <= ROWS; r++)
        for (int c = 0; c <= COLUMNS; c++)
            if (!in_eye(c, r, 1))
                nodes[r][c] = skin_point(shape, head_point(theta_of(c), phi_of(r), 0.0f),
                                         (float)c * CELL - 180.0f, phi_of(r));
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            if (!in_eye(c, r, 0))
                shape_quad(shape, nodes[r][c], nodes[r][c + 1], nodes[r + 1][c + 1],
                           nodes[r + 1][c]);
}

typedef struct Node {
    int column, row;
} Node;

/* A node on the border of an eye's opening, counted from the lower corner with the smaller column.
 */
static Node border_node(Side side, int i)
{
    const int c = eye_first_column(side), r = EYE_ROW;

    i %= LOOP;
    if (i < EYE_COLUMNS)
        return (Node){c + i, r};
    i -= EYE_COLUMNS;
    if (i < EYE_ROWS)
        return (Node){c + EYE_COLUMNS, r + i};
    i -= EYE_ROWS;
    if (i < EYE_COLUMNS)
        return (Node){c + EYE_COLUMNS - i, r + EYE_ROWS};
    return (Node){c, r + EYE_ROWS - (i - EYE_COLUMNS)};
}

/* The position of that node in the coordinates of eye_point. */
static vec2s border_point(Side side, int i)
{
    const Node node = border_node(side, i);
    const float theta = side_sign(side) * theta_of(node.column);

    return (vec2s){
        {(theta - EYE_THETA) / EYE_HALF_WIDTH, (phi_of(node.row) - EYE_PHI) / EYE_HALF_HEIGHT}};
}

static uint32_t lid_point(Shape *shape, Side side, int i, float k)
{
    const vec2s border = border_point(side, i);
    const vec2s edge = eye_edge(atan2f(border.y, border.x) * 180.0f / GLM_PIf);
    const vec2s at = glms_vec2_lerp(border, edge, k);
    const vec2s blink = glms_vec2_lerp(border, eye_edge_closed(edge, false), k);
    const vec2s happy = glms_vec2_lerp(border, eye_edge_closed(edge, true), k);
    const float theta = side_sign(side) * (EYE_THETA + at.x * EYE_HALF_WIDTH);
    const uint32_t vertex = skin_point(shape, eye_point(side, at.x, at.y, 0.0f), theta,
                                       EYE_PHI + at.y * EYE_HALF_HEIGHT);

    morph_close_eye(shape, vertex, side, eye_point(side, blink.x, blink.y, 0.0f),
                    eye_point(side, happy.x, happy.y, 0.0f));
    return vertex;
}

/* From the border of the opening to the edge of the lids. */
static void add_lids(Shape *shape, Side side, Nodes nodes)
{
    uint32_t outer[LOOP], inner[LOOP];

    for (int i = 0; i < LOOP; i++) {
        const Node node = border_node(side, i);
        outer[i] = nodes[node.row][node.column];
    }
    for (int ring = 1; ring <= LID_RINGS; ring++) {
        for (int i = 0; i < LOOP; i++)
            inner[i] = lid_point(shape, side, i, (float)ring / LID_RINGS);
        for (int i = 0; i < LOOP; i++) {
            const int next = (i + 1) % LOOP;
            shape_quad(shape, outer[i], outer[next], inner[next], inner[i]);
        }
        for (int i = 0; i < LOOP; i++)
            outer[i] = inner[i];
    }
}

/* The thickness of the lids: from their edge into the head. */
static void add_lid_wall(Shape *shape, Side side)
{
    static const float lifts[] = {0.0f, -0.09f};

    shape_begin(shape);
    for (int row = 0; row < 2; row++)
        for (int i = 0; i <= LOOP; i++) {
            const vec2s border = border_point(side, i);
            const vec2s edge = eye_edge(atan2f(border.y, border.x) * 180.0f / GLM_PIf);
            const vec2s blink = eye_edge_closed(edge, false), happy = eye_edge_closed(edge, true);
            const uint32_t vertex = shape_point(shape, eye_point(side, edge.x, edge.y, lifts[row]),
                                                0.02f, 0.02f, bind_one(BONE_HEAD));
            shape->vertices.items[vertex].edge_scale = 0.0f;
            morph_close_eye(shape, vertex, side, eye_point(side, blink.x, blink.y, lifts[row]),
                            eye_point(side, happy.x, happy.y, lifts[row]));
        }
    shape_grid(shape, 2, LOOP + 1);
    shape_end_wall(shape, eye_point(side, 0.0f, 0.0f, -0.045f));
}

static void add_ear(Shape *shape, Side side)
{
    const uint32_t first = (uint32_t)shape->vertices.count;

    shape_ball(shape, vec(side_sign(side) * 2.15f, 12.35f, 0.15f), vec(0.16f, 0.45f, 0.3f), 14,
               bind_one(BONE_HEAD));
    for (size_t i = first; i < shape->vertices.count; i++) { /* plain skin in the texture */
        shape->vertices.items[i].uv[0] = 0.02f;
        shape->vertices.items[i].uv[1] = 0.45f;
    }
}

void head_add_skin(Shape *shape)
{
    Nodes nodes;

    shape_begin(shape);
    add_nodes(shape, nodes);
    add_lids(shape, LEFT, nodes);
    add_lids(shape, RIGHT, nodes);
    shape_end_closed(shape);
    for (Side side = LEFT; side <= RIGHT; side++) {
        add_lid_wall(shape, side);
        add_ear(shape, side);
    }
}
