#include "base/letters.h"

#include <assert.h>
#include <string.h>

typedef struct Letter {
    char character;
    const char *rows[LETTER_HEIGHT];
} Letter;

/* clang-format off: a picture a line */
static const Letter letters[] = {
    {'0', {".###.", "#...#", "#..##", "#.#.#", "##..#", "#...#", ".###."}},
    {'1', {"..#..", ".##..", "..#..", "..#..", "..#..", "..#..", ".###."}},
    {'2', {".###.", "#...#", "....#", "...#.", "..#..", ".#...", "#####"}},
    {'3', {"#####", "...#.", "..#..", "...#.", "....#", "#...#", ".###."}},
    {'4', {"...#.", "..##.", ".#.#.", "#..#.", "#####", "...#.", "...#."}},
    {'5', {"#####", "#....", "####.", "....#", "....#", "#...#", ".###."}},
    {'6', {"..##.", ".#...", "#....", "####.", "#...#", "#...#", ".###."}},
    {'7', {"#####", "....#", "...#.", "..#..", ".#...", ".#...", ".#..."}},
    {'8', {".###.", "#...#", "#...#", ".###.", "#...#", "#...#", ".###."}},
    {'9', {".###.", "#...#", "#...#", ".####", "....#", "...#.", ".##.."}},
    {':', {".....", ".##..", ".##..", ".....", ".##..", ".##..", "....."}},
    {'.', {".....", ".....", ".....", ".....", ".....", ".##..", ".##.."}},
    {' ', {".....", ".....", ".....", ".....", ".....", ".....", "....."}},
    {'a', {".....", ".....", ".###.", "....#", ".####", "#...#", ".####"}},
    {'e', {".....", ".....", ".###.", "#...#", "#####", "#....", ".###."}},
    {'f', {"..##.", ".#..#", ".#...", "###..", ".#...", ".#...", ".#..."}},
    {'m', {".....", ".....", "##.#.", "#.#.#", "#.#.#", "#.#.#", "#.#.#"}},
    {'r', {".....", ".....", "#.##.", "##..#", "#....", "#....", "#...."}},
};
static const Letter box =
    {'?', {"#####", "#...#", "#...#", "#...#", "#...#", "#...#", "#####"}};
/* clang-format on */

static const Letter *find_letter(char character)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].character == character)
            return &letters[i];
    return &box;
}

static void fill_square(Image *image, int left, int top, int side, const uint8_t rgb[3])
{
    for (int y = top; y < top + side; y++)
        for (int x = left; x < left + side; x++) {
            if (x < 0 || y < 0 || x >= image->width || y >= image->height)
                continue;
            uint8_t *pixel = image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
            memcpy(pixel, rgb, 3);
            pixel[3] = 255;
        }
}

int letters_width(const char *text, int scale)
{
    const int count = (int)strlen(text);
    return count ? scale * (count * LETTER_STEP - (LETTER_STEP - LETTER_WIDTH)) : 0;
}

void letters_draw(Image *image, int x, int y, int scale, const uint8_t rgb[3], const char *text)
{
    assert(scale > 0);
    for (; *text; text++, x += LETTER_STEP * scale) {
        const Letter *letter = find_letter(*text);
        for (int row = 0; row < LETTER_HEIGHT; row++)
            for (int column = 0; column < LETTER_WIDTH; column++)
                if (letter->rows[row][column] == '#')
                    fill_square(image, x + column * scale, y + row * scale, scale, rgb);
    }
}
