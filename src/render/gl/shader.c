#include "render/gl/shader.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/embedded_text.h"
#include "base/file.h"
#include "base/path.h"

enum { LOG_SIZE = 1024 };

/* The embedded text, or the contents of the file in `shader_dir`; NULL after an error. */
static const char *source_text(const char *name, const char *shader_dir, Arena *arena, Diag *diag)
{
    if (shader_dir != NULL) {
        Bytes bytes;
        const char *path = path_join(arena_printf(arena, "%s/", shader_dir), name, arena);

        diag_file(diag, path);
        if (!file_load(&bytes, path, FILE_MAX_SIZE, arena, diag))
            return NULL;
        return arena_strndup(arena, (const char *)bytes.data, bytes.size);
    }
    const char *text = embedded_text_find(embedded_shaders, name);
    if (!text)
        diag_fail(diag, DIAG_INTERNAL, "shader '%s' is not embedded in the program", name);
    return text;
}

static const char *preamble(const ShaderSpec *spec, Arena *arena)
{
    const char *text = "#version 450 core\n";

    for (size_t i = 0; i < spec->define_count; i++)
        text = arena_printf(arena, "%s#define %s %d\n", text, spec->defines[i].name,
                            spec->defines[i].value);
    return arena_printf(arena, "%s#line 1\n", text);
}

static bool report_failure(const char *name, const char *log, const char *shader_dir, Diag *diag)
{
    const int first_line = (int)strcspn(log, "\n");

    return diag_fail(diag, shader_dir != NULL ? DIAG_DATA : DIAG_INTERNAL, "shader %s: %.*s", name,
                     first_line, log);
}

/* Returns 0 after an error was reported. */
static GLuint compile(const GlApi *gl, GLenum stage, const char *name, const ShaderSpec *spec,
                      const char *shader_dir, Arena *arena, Diag *diag)
{
    const char *body = source_text(name, shader_dir, arena, diag);
    if (body == NULL)
        return 0;

    const char *const texts[2] = {preamble(spec, arena), body};
    const GLuint shader = gl->CreateShader(stage);
    char log[LOG_SIZE] = "";
    GLint succeeded = 0;

    gl->ShaderSource(shader, 2, texts, NULL);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &succeeded);
    if (succeeded)
        return shader;
    gl->GetShaderInfoLog(shader, LOG_SIZE, NULL, log);
    report_failure(name, log, shader_dir, diag);
    gl->DeleteShader(shader);
    return 0;
}

static GLuint link_program(const GlApi *gl, const ShaderSpec *spec, GLuint vertex, GLuint fragment,
                           const char *shader_dir, Diag *diag)
{
    const GLuint program = gl->CreateProgram();
    char log[LOG_SIZE] = "";
    GLint succeeded = 0;

    gl->AttachShader(program, vertex);
    if (fragment != 0)
        gl->AttachShader(program, fragment);
    if (spec->feedback_count > 0)
        gl->TransformFeedbackVaryings(program, spec->feedback_count, spec->feedback,
                                      GL_INTERLEAVED_ATTRIBS);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &succeeded);
    if (succeeded)
        return program;
    gl->GetProgramInfoLog(program, LOG_SIZE, NULL, log);
    report_failure(spec->vertex, log, shader_dir, diag);
    gl->DeleteProgram(program);
    return 0;
}

GLuint shader_build(const GlApi *gl, const ShaderSpec *spec, const char *shader_dir, Diag *diag)
{
    Arena *arena = arena_create();
    GLuint program = 0, fragment = 0;
    const GLuint vertex =
        compile(gl, GL_VERTEX_SHADER, spec->vertex, spec, shader_dir, arena, diag);

    if (vertex != 0 && spec->fragment != NULL)
        fragment = compile(gl, GL_FRAGMENT_SHADER, spec->fragment, spec, shader_dir, arena, diag);
    if (vertex != 0 && (fragment != 0 || spec->fragment == NULL))
        program = link_program(gl, spec, vertex, fragment, shader_dir, diag);
    gl->DeleteShader(vertex); /* 0 is ignored */
    gl->DeleteShader(fragment);
    arena_destroy(arena);
    return program;
}
