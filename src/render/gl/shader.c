// SPDX-License-Identifier: MIT
#include "render/gl/shader.h"

#include <string.h>

#include "base/arena.h"
#include "base/embedded_text.h"
#include "base/file.h"
#include "base/path.h"

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

GLuint shader_compile(char log[SHADER_LOG_SIZE], const GlApi *gl, GLenum stage,
                      const char *const *texts, int count)
{
    const GLuint shader = gl->CreateShader(stage);
    GLint succeeded = 0;

    gl->ShaderSource(shader, count, texts, NULL);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &succeeded);
    if (succeeded)
        return shader;
    *log = '\0';
    gl->GetShaderInfoLog(shader, SHADER_LOG_SIZE, NULL, log);
    log[strcspn(log, "\n")] = '\0';
    gl->DeleteShader(shader);
    return 0;
}

GLuint shader_link(char log[SHADER_LOG_SIZE], const GlApi *gl, GLuint vertex, GLuint fragment,
                   const char *const *feedback, int feedback_count)
{
    const GLuint program = gl->CreateProgram();
    GLint succeeded = 0;

    gl->AttachShader(program, vertex);
    if (fragment != 0)
        gl->AttachShader(program, fragment);
    if (feedback_count > 0)
        gl->TransformFeedbackVaryings(program, feedback_count, feedback, GL_INTERLEAVED_ATTRIBS);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &succeeded);
    if (succeeded)
        return program;
    *log = '\0';
    gl->GetProgramInfoLog(program, SHADER_LOG_SIZE, NULL, log);
    log[strcspn(log, "\n")] = '\0';
    gl->DeleteProgram(program);
    return 0;
}

static bool report_failure(const char *name, const char *log, const char *shader_dir, Diag *diag)
{
    return diag_fail(diag, shader_dir != NULL ? DIAG_DATA : DIAG_INTERNAL, "shader %s: %s", name,
                     log);
}

/* library: its text comes first; NULL: none.  Returns 0 after an error was reported. */
static GLuint compile(const GlApi *gl, GLenum stage, const char *name, const char *library,
                      const ShaderSpec *spec, const char *shader_dir, Arena *arena, Diag *diag)
{
    char log[SHADER_LOG_SIZE];
    const char *body = source_text(name, shader_dir, arena, diag);
    const char *before = library != NULL ? source_text(library, shader_dir, arena, diag) : "";
    if (body == NULL || before == NULL)
        return 0;
    const char *const texts[] = {preamble(spec, arena), before, "#line 1\n", body};
    const GLuint shader = shader_compile(log, gl, stage, texts, 4);
    if (shader == 0)
        report_failure(name, log, shader_dir, diag);
    return shader;
}

static GLuint link_program(const GlApi *gl, const ShaderSpec *spec, GLuint vertex, GLuint fragment,
                           const char *shader_dir, Diag *diag)
{
    char log[SHADER_LOG_SIZE];
    const GLuint program =
        shader_link(log, gl, vertex, fragment, spec->feedback, spec->feedback_count);
    if (program == 0)
        report_failure(spec->vertex, log, shader_dir, diag);
    return program;
}

GLuint shader_build(const GlApi *gl, const ShaderSpec *spec, const char *shader_dir, Diag *diag)
{
    Arena *arena = arena_create();
    GLuint program = 0, fragment = 0;
    const GLuint vertex =
        compile(gl, GL_VERTEX_SHADER, spec->vertex, NULL, spec, shader_dir, arena, diag);

    if (vertex != 0 && spec->fragment != NULL)
        fragment = compile(gl, GL_FRAGMENT_SHADER, spec->fragment, spec->library, spec, shader_dir,
                           arena, diag);
    if (vertex != 0 && (fragment != 0 || spec->fragment == NULL))
        program = link_program(gl, spec, vertex, fragment, shader_dir, diag);
    gl->DeleteShader(vertex); /* 0 is ignored */
    gl->DeleteShader(fragment);
    arena_destroy(arena);
    return program;
}
