// SPDX-License-Identifier: MIT
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
    X(BlendColor, BLENDCOLOR)                                                   \
    X(BlendEquationSeparate, BLENDEQUATIONSEPARATE)                             \
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
    X(CopyImageSubData, COPYIMAGESUBDATA)                                       \
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
    X(DepthRangef, DEPTHRANGEF)                                                 \
    X(Disable, DISABLE)                                                         \
    X(DrawArrays, DRAWARRAYS)                                                   \
    X(DrawElements, DRAWELEMENTS)                                               \
    X(Enable, ENABLE)                                                           \
    X(EnableVertexArrayAttrib, ENABLEVERTEXARRAYATTRIB)                         \
    X(EndTransformFeedback, ENDTRANSFORMFEEDBACK)                               \
    X(Finish, FINISH)                                                           \
    X(FrontFace, FRONTFACE)                                                     \
    X(GenTextures, GENTEXTURES)                                                 \
    X(GenerateTextureMipmap, GENERATETEXTUREMIPMAP)                             \
    X(GetError, GETERROR)                                                       \
    X(GetIntegerv, GETINTEGERV)                                                 \
    X(GetNamedRenderbufferParameteriv, GETNAMEDRENDERBUFFERPARAMETERIV)         \
    X(GetProgramInfoLog, GETPROGRAMINFOLOG)                                     \
    X(GetProgramiv, GETPROGRAMIV)                                               \
    X(GetShaderInfoLog, GETSHADERINFOLOG)                                       \
    X(GetShaderiv, GETSHADERIV)                                                 \
    X(GetString, GETSTRING)                                                     \
    X(GetUniformLocation, GETUNIFORMLOCATION)                                   \
    X(LinkProgram, LINKPROGRAM)                                                 \
    X(MultiDrawElements, MULTIDRAWELEMENTS)                                     \
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
    X(PolygonMode, POLYGONMODE)                                                 \
    X(PolygonOffset, POLYGONOFFSET)                                             \
    X(ReadPixels, READPIXELS)                                                   \
    X(SamplerParameterf, SAMPLERPARAMETERF)                                     \
    X(SamplerParameterfv, SAMPLERPARAMETERFV)                                   \
    X(SamplerParameteri, SAMPLERPARAMETERI)                                     \
    X(Scissor, SCISSOR)                                                         \
    X(ShaderSource, SHADERSOURCE)                                               \
    X(StencilFunc, STENCILFUNC)                                                 \
    X(StencilFuncSeparate, STENCILFUNCSEPARATE)                                 \
    X(StencilMask, STENCILMASK)                                                 \
    X(StencilOp, STENCILOP)                                                     \
    X(StencilOpSeparate, STENCILOPSEPARATE)                                     \
    X(TextureBuffer, TEXTUREBUFFER)                                             \
    X(TextureParameteri, TEXTUREPARAMETERI)                                     \
    X(TextureParameteriv, TEXTUREPARAMETERIV)                                   \
    X(TextureStorage1D, TEXTURESTORAGE1D)                                       \
    X(TextureStorage2D, TEXTURESTORAGE2D)                                       \
    X(TextureStorage3D, TEXTURESTORAGE3D)                                       \
    X(TextureSubImage1D, TEXTURESUBIMAGE1D)                                     \
    X(TextureSubImage2D, TEXTURESUBIMAGE2D)                                     \
    X(TextureSubImage3D, TEXTURESUBIMAGE3D)                                     \
    X(TextureView, TEXTUREVIEW)                                                 \
    X(TransformFeedbackVaryings, TRANSFORMFEEDBACKVARYINGS)                     \
    X(Uniform1f, UNIFORM1F)                                                     \
    X(Uniform1fv, UNIFORM1FV)                                                   \
    X(Uniform1i, UNIFORM1I)                                                     \
    X(Uniform1iv, UNIFORM1IV)                                                   \
    X(Uniform1ui, UNIFORM1UI)                                                   \
    X(Uniform2f, UNIFORM2F)                                                     \
    X(Uniform2fv, UNIFORM2FV)                                                   \
    X(Uniform2iv, UNIFORM2IV)                                                   \
    X(Uniform3f, UNIFORM3F)                                                     \
    X(Uniform3fv, UNIFORM3FV)                                                   \
    X(Uniform3iv, UNIFORM3IV)                                                   \
    X(Uniform4fv, UNIFORM4FV)                                                   \
    X(Uniform4iv, UNIFORM4IV)                                                   \
    X(UniformMatrix2fv, UNIFORMMATRIX2FV)                                       \
    X(UniformMatrix2x3fv, UNIFORMMATRIX2X3FV)                                   \
    X(UniformMatrix2x4fv, UNIFORMMATRIX2X4FV)                                   \
    X(UniformMatrix3fv, UNIFORMMATRIX3FV)                                       \
    X(UniformMatrix3x2fv, UNIFORMMATRIX3X2FV)                                   \
    X(UniformMatrix3x4fv, UNIFORMMATRIX3X4FV)                                   \
    X(UniformMatrix4fv, UNIFORMMATRIX4FV)                                       \
    X(UniformMatrix4x2fv, UNIFORMMATRIX4X2FV)                                   \
    X(UniformMatrix4x3fv, UNIFORMMATRIX4X3FV)                                   \
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
