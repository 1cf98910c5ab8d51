// SPDX-License-Identifier: MIT
#include "glsl_canvas.h"

#include <stdio.h>
#include <string.h>

enum { LOG_SIZE = 1024 };

bool glsl_canvas_init(GlslCanvas *canvas, int width, int height, Diag *diag)
{
    *canvas =
        (GlslCanvas){.context = gl_create((GlChoice){0}, diag), .width = width, .height = height};
    if (!canvas->context)
        return false;
    const GlApi *gl = gl_api(canvas->context);
    canvas->texture = gl_texture(gl, GL_RGBA32F, 1, width, height);
    gl->CreateFramebuffers(1, &canvas->framebuffer);
    gl->NamedFramebufferTexture(canvas->framebuffer, GL_COLOR_ATTACHMENT0, canvas->texture, 0);
    gl->CreateVertexArrays(1, &canvas->vertices);
    return gl_is_complete(gl, canvas->framebuffer);
}

void glsl_canvas_finish(GlslCanvas *canvas)
{
    gl_destroy(canvas->context);
}

static GLuint compile(const GlApi *gl, GLenum stage, const char *text, char *log)
{
    const char *const parts[] = {"#version 330\n", text};
    const GLuint shader = gl->CreateShader(stage);
    GLint succeeded = 0;
    gl->ShaderSource(shader, 2, parts, NULL);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &succeeded);
    if (!succeeded)
        gl->GetShaderInfoLog(shader, LOG_SIZE, NULL, log);
    return succeeded ? shader : 0;
}

static GLuint link(const GlApi *gl, const char *vertex_text, const char *fragment_text, char *log)
{
    const GLuint vertex = compile(gl, GL_VERTEX_SHADER, vertex_text, log);
    const GLuint fragment = vertex ? compile(gl, GL_FRAGMENT_SHADER, fragment_text, log) : 0;
    GLint succeeded = 0;
    if (!fragment)
        return 0;
    const GLuint program = gl->CreateProgram();
    gl->AttachShader(program, vertex);
    gl->AttachShader(program, fragment);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &succeeded);
    if (!succeeded)
        gl->GetProgramInfoLog(program, LOG_SIZE, NULL, log);
    gl->DeleteShader(vertex);
    gl->DeleteShader(fragment);
    return succeeded ? program : 0;
}

bool glsl_canvas_link(GlslCanvas *canvas, const char *vertex, const char *fragment, char log[1024])
{
    const GlApi *gl = gl_api(canvas->context);
    const GLuint program = link(gl, vertex, fragment, log);
    if (program)
        gl->DeleteProgram(program);
    return program != 0;
}

/* The name of the input: after "in vec4 " at the start of a line. */
static void find_input(char name[64], const char *text)
{
    const char *at = strstr(text, "\nin vec4 ");
    at = at ? at + 9 : !strncmp(text, "in vec4 ", 8) ? text + 8 : "unused;";
    snprintf(name, 64, "%.*s", (int)strcspn(at, ";"), at);
}

bool glsl_canvas_draw(GlslCanvas *canvas, const char *text, float *pixels, char log[1024])
{
    const GlApi *gl = gl_api(canvas->context);
    char vertex[512], input[64];
    find_input(input, text);
    snprintf(vertex, sizeof vertex,
             "out vec4 %s;\nvoid main() {\n"
             "    vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;\n"
             "    %s = vec4(p * vec2(%d, %d) - 0.5, 0.0, 1.0);\n"
             "    gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0);\n}\n",
             input, input, canvas->width, canvas->height);
    const GLuint program = link(gl, vertex, text, log);
    if (!program)
        return false;
    static const float nothing[4] = {0};
    gl->UseProgram(program);
    gl->BindVertexArray(canvas->vertices);
    gl->BindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
    gl->Viewport(0, 0, canvas->width, canvas->height);
    gl->ClearNamedFramebufferfv(canvas->framebuffer, GL_COLOR, 0, nothing);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->ReadPixels(0, 0, canvas->width, canvas->height, GL_RGBA, GL_FLOAT, pixels);
    gl->DeleteProgram(program);
    return true;
}
