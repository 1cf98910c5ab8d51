/*
 * gl_api.h - table of the OpenGL 4.5 functions that are used, loaded at run time
 *
 * A table in the context replaces linked symbols: no GL library is needed to build or to start.
 * Call functions as gl->Clear(...).  To use another function, add a row.
 */
#pragma once

#include <GL/glcorearb.h>

/* X(name without "gl", name in capitals) */
#define GL_FUNCTIONS(X)                                                         \
    X(AttachShader, ATTACHSHADER)                                               \
    X(BeginTransformFeedback, BEGINTRANSFORMFEEDBACK)                           \
    X(BindBufferBase, BINDBUFFERBASE)                                           \
    X(BindBufferRange, BINDBUFFERRANGE)                                         \
    X(BindFramebuffer, BINDFRAMEBUFFER)                                         \
    X(BindSampler, BINDSAMPLER)                                                 \
    X(BindTextureUnit, BINDTEXTUREUNIT)                                         \
    X(BindVertexArray, BINDVERTEXARRAY)                                         \
    X(BlendFuncSeparate, BLENDFUNCSEPARATE)                                     \
    X(BlitNamedFramebuffer, BLITNAMEDFRAMEBUFFER)                               \
    X(CheckNamedFramebufferStatus, CHECKNAMEDFRAMEBUFFERSTATUS)                 \
    X(Clear, CLEAR)                                                             \
    X(ClearColor, CLEARCOLOR)                                                   \
    X(ClearDepth, CLEARDEPTH)                                                   \
    X(ClearNamedFramebufferfv, CLEARNAMEDFRAMEBUFFERFV)                         \
    X(ClearNamedFramebufferuiv, CLEARNAMEDFRAMEBUFFERUIV)                       \
    X(ClearTexSubImage, CLEARTEXSUBIMAGE)                                       \
    X(ClipControl, CLIPCONTROL)                                                 \
    X(ColorMask, COLORMASK)                                                     \
    X(ColorMaski, COLORMASKI)                                                   \
    X(CompileShader, COMPILESHADER)                                             \
    X(CreateBuffers, CREATEBUFFERS)                                             \
    X(CreateFramebuffers, CREATEFRAMEBUFFERS)                                   \
    X(CreateProgram, CREATEPROGRAM)                                             \
    X(CreateRenderbuffers, CREATERENDERBUFFERS)                                 \
    X(CreateSamplers, CREATESAMPLERS)                                           \
    X(CreateShader, CREATESHADER)                                               \
    X(CreateTextures, CREATETEXTURES)                                           \
    X(CreateVertexArrays, CREATEVERTEXARRAYS)                                   \
    X(CullFace, CULLFACE)                                                       \
    X(DeleteBuffers, DELETEBUFFERS)                                             \
    X(DeleteFramebuffers, DELETEFRAMEBUFFERS)                                   \
    X(DeleteProgram, DELETEPROGRAM)                                             \
    X(DeleteRenderbuffers, DELETERENDERBUFFERS)                                 \
    X(DeleteShader, DELETESHADER)                                               \
    X(DeleteTextures, DELETETEXTURES)                                           \
    X(DepthFunc, DEPTHFUNC)                                                     \
    X(DepthMask, DEPTHMASK)                                                     \
    X(Disable, DISABLE)                                                         \
    X(DrawArrays, DRAWARRAYS)                                                   \
    X(DrawElements, DRAWELEMENTS)                                               \
    X(Enable, ENABLE)                                                           \
    X(EnableVertexArrayAttrib, ENABLEVERTEXARRAYATTRIB)                         \
    X(EndTransformFeedback, ENDTRANSFORMFEEDBACK)                               \
    X(Finish, FINISH)                                                           \
    X(FrontFace, FRONTFACE)                                                     \
    X(GetError, GETERROR)                                                       \
    X(GetIntegerv, GETINTEGERV)                                                 \
    X(GetNamedRenderbufferParameteriv, GETNAMEDRENDERBUFFERPARAMETERIV)         \
    X(GetProgramInfoLog, GETPROGRAMINFOLOG)                                     \
    X(GetProgramiv, GETPROGRAMIV)                                               \
    X(GetShaderInfoLog, GETSHADERINFOLOG)                                       \
    X(GetShaderiv, GETSHADERIV)                                                 \
    X(GetString, GETSTRING)                                                     \
    X(LinkProgram, LINKPROGRAM)                                                 \
    X(LogicOp, LOGICOP)                                                         \
    X(MapNamedBufferRange, MAPNAMEDBUFFERRANGE)                                 \
    X(NamedBufferStorage, NAMEDBUFFERSTORAGE)                                   \
    X(NamedBufferSubData, NAMEDBUFFERSUBDATA)                                   \
    X(NamedFramebufferDrawBuffers, NAMEDFRAMEBUFFERDRAWBUFFERS)                 \
    X(NamedFramebufferReadBuffer, NAMEDFRAMEBUFFERREADBUFFER)                   \
    X(NamedFramebufferRenderbuffer, NAMEDFRAMEBUFFERRENDERBUFFER)               \
    X(NamedFramebufferTexture, NAMEDFRAMEBUFFERTEXTURE)                         \
    X(NamedRenderbufferStorage, NAMEDRENDERBUFFERSTORAGE)                       \
    X(NamedRenderbufferStorageMultisample, NAMEDRENDERBUFFERSTORAGEMULTISAMPLE) \
    X(PixelStorei, PIXELSTOREI)                                                 \
    X(PointSize, POINTSIZE)                                                     \
    X(PolygonOffset, POLYGONOFFSET)                                             \
    X(ReadPixels, READPIXELS)                                                   \
    X(SamplerParameterf, SAMPLERPARAMETERF)                                     \
    X(SamplerParameteri, SAMPLERPARAMETERI)                                     \
    X(Scissor, SCISSOR)                                                         \
    X(ShaderSource, SHADERSOURCE)                                               \
    X(StencilFunc, STENCILFUNC)                                                 \
    X(StencilOp, STENCILOP)                                                     \
    X(TextureBuffer, TEXTUREBUFFER)                                             \
    X(TextureParameteri, TEXTUREPARAMETERI)                                     \
    X(TextureStorage1D, TEXTURESTORAGE1D)                                       \
    X(TextureStorage2D, TEXTURESTORAGE2D)                                       \
    X(TextureSubImage1D, TEXTURESUBIMAGE1D)                                     \
    X(TextureSubImage2D, TEXTURESUBIMAGE2D)                                     \
    X(TransformFeedbackVaryings, TRANSFORMFEEDBACKVARYINGS)                     \
    X(Uniform1f, UNIFORM1F)                                                     \
    X(Uniform1ui, UNIFORM1UI)                                                   \
    X(Uniform2f, UNIFORM2F)                                                     \
    X(Uniform3f, UNIFORM3F)                                                     \
    X(Uniform4fv, UNIFORM4FV)                                                   \
    X(UniformMatrix4fv, UNIFORMMATRIX4FV)                                       \
    X(UnmapNamedBuffer, UNMAPNAMEDBUFFER)                                       \
    X(UseProgram, USEPROGRAM)                                                   \
    X(VertexArrayAttribBinding, VERTEXARRAYATTRIBBINDING)                       \
    X(VertexArrayAttribFormat, VERTEXARRAYATTRIBFORMAT)                         \
    X(VertexArrayAttribIFormat, VERTEXARRAYATTRIBIFORMAT)                       \
    X(VertexArrayElementBuffer, VERTEXARRAYELEMENTBUFFER)                       \
    X(VertexArrayVertexBuffer, VERTEXARRAYVERTEXBUFFER)                         \
    X(Viewport, VIEWPORT)

typedef struct GlApi {
#define GL_MEMBER(name, capitals) PFNGL##capitals##PROC name;
    GL_FUNCTIONS(GL_MEMBER)
#undef GL_MEMBER
} GlApi;
