// SPDX-License-Identifier: MIT
#include "grammars.h"

#include <string.h>

#define PMX_GEOMETRY                                                          \
    " n4V{ f4*8 *x{ f4*4 } u1=d ?d=0{ iB } ?d=1{ iB*2 f4 } ?d=2{ iB*4 f4*4 }" \
    " ?d=3{ iB*2 f4*10 } ?d=4{ iB*4 f4*4 } f4 } n4{ iV } n4T{ t4 }"           \
    " n4M{ t4*2 f4*11 u1 f4*5 iT*2 u1 u1=h ?h=0{ iT } ?h!0{ u1 } t4 u4 }"
#define PMX_RIG                                                                          \
    " n4B{ t4*2 f4*3 iB u4 u2=g ?g&1{ iB } ?g^1{ f4*3 } ?g&768{ iB f4 } ?g&1024{ f4*3 }" \
    " ?g&2048{ f4*6 } ?g&8192{ u4 } ?g&32{ iB u4 f4 n4{ iB u1=l ?l!0{ f4*6 } } } }"      \
    " n4P{ t4*2 u1 u1=k n4{ ?k=0{ iP f4 } ?k=1{ iV f4*3 } ?k=2{ iB f4*7 }"               \
    " ?k>2{ ?k<8{ iV f4*4 } } ?k=8{ iM u1 f4*28 } ?k=9{ iP f4 } ?k=10{ iR u1 f4*6 } } }" \
    " n4{ t4*2 u1 n4{ u1=m ?m=0{ iB } ?m!0{ iP } } }"
#define PMX_DYNAMICS                                             \
    " n4R{ t4*2 iB u1 u2 u1 f4*14 u1 } n4{ t4*2 u1 iR*2 f4*24 }" \
    " n4{ t4*2 u1 iM u1 u2 u1 u4*2 f4*2 u4 f4*18 u4*4 f4*3 n4{ iR iV u1 } n4{ iV } }"
#define PMX "s4 f4 u1 u1 u1=x u1=V u1=T u1=M u1=B u1=P u1=R t4*4" PMX_GEOMETRY PMX_RIG PMX_DYNAMICS

#define VMD                                                                               \
    "s30 s20 n4{ s15 u4 f4*7 s64 } n4{ s15 u4 f4 } n4{ u4 f4*7 s24 u4 u1 } n4{ u4 f4*6 }" \
    " n4{ u4 u1 f4 } n4{ u4 u1 n4{ s20 u1 } }"

#define PMD                                                                                 \
    "B:2 V:2 P:2 R:4 s3 f4 s20 s256 n4V{ f4*8 iB*2 u1*2 } n4{ iV } n4{ f4*11 u1*2 u4 s20 }" \
    " n2B{ s20 iB*2 u1 u2 f4*3 } n2{ iB*2 u1=n u2 f4 *n{ iB } }"                            \
    " n2P{ s20 u4=n u1 *n{ u4 f4*3 } } n1{ iP } n1{ s50 } n4{ iB u1 }"                      \
    " u1=e ?e=1{ s20 s256 s20*10 s20 s50 } s100*10"                                         \
    " n4R{ s20 iB u1 u2 u1 f4*14 u1 } n4{ s20 iR*2 f4*24 }"

/* Words that mean something to a parser, and bytes that are troublesome in a name. */
static const char *const NAME_WORDS[] = {"..", "/",  "\x1b[31m", "\xC0\x80",     "\xFF",
                                         "\r", "\t", "%n",       "\xE2\x80\xAE", NULL};
static const char *const YAML_WORDS[] = {
    "&a ",       "*a",           "<<: *a", "!!str ", "? ",        "- ",
    "~",         "|\n ",         ">-\n ",  "---\n",  "...\n",     "\"\\x1b[31m\"",
    "'",         "\"",           "{",      "}",      "[",         "]",
    "auto",      "null",         "true",   "%d",     "%0999999d", "../../etc",
    "/dev/zero", "\xEF\xBB\xBF", "\xFF",   NULL};
static const char *const JSON_WORDS[] = {"{",          "}",       "[",      "]", "\"",   "\\",
                                         "\\uD800",    "\\u0000", ",",      ":", "null", "true",
                                         "\"frame\":", "\n",      "/etc/x", NULL};
static const char *const X_WORDS[] = {
    "Mesh {", "Frame {", "}", "template x {", "Material {", "MeshMaterialList {", "{ name }", ";;",
    ",",      "\"",      "#", "//",           NULL};

static const char *const CUBE_WORDS[] = {
    "LUT_3D_SIZE ", "LUT_1D_SIZE ", "DOMAIN_MIN ", "DOMAIN_MAX ", "LUT_3D_INPUT_RANGE ",
    "256",          "65536",        "-1",          "1e6",         "nan",
    "inf",          "0 0 0\n",      "#",           NULL};

static const char *const SUBTITLE_WORDS[] = {"{\\fs100}",
                                             "{\\bord9}",
                                             "{\\clip(0,0,9,9)}",
                                             "{\\clip(m 0 0 l 9 9 0 9)}",
                                             "{\\be99}",
                                             "{\\t(\\frx90)}",
                                             "{\\p1}m 0 0 l 9 9 0 9",
                                             "{\\r}",
                                             "{\\fn}",
                                             "\\N",
                                             "-->",
                                             "[Events]\n",
                                             "Dialogue: ",
                                             "Style: ",
                                             "[Fonts]\n",
                                             "fontname: ",
                                             "0:00:00.00,",
                                             "&HFFFFFFFF&",
                                             "-1",
                                             "1e9",
                                             NULL};

/* Parts of HLSL and of the effect syntax: each makes sense in many places. */
static const char *const EFFECT_WORDS[] = {
    "float4 ",
    "float3x3 ",
    "int ",
    "bool2 ",
    "sampler2D ",
    "texture ",
    "void ",
    "half ",
    "static ",
    "const ",
    "uniform ",
    "inout ",
    "out ",
    "shared ",
    "struct S { float4 p : POSITION; float2 t[2] : TEXCOORD0; };",
    "float f = 1;",
    "float a[2][3]",
    " = {1, 2, {3, 4}, 5, 6}",
    "float4 F(float4 a, out float b = 1) : COLOR0 ",
    "{ return a; }",
    "if (a) ",
    " else ",
    "for (int i = 0; i < 4; i++) ",
    "while (a > 0) ",
    "do ",
    "switch (i) { case 1: ",
    "break;",
    "continue;",
    "discard;",
    "return ",
    "[unroll] ",
    ".xyzw",
    ".rgb",
    "._m00_m11",
    "._41_42_43",
    "[1]",
    "[i]",
    "(float3)",
    "(S)0",
    "float4(1, 2, 3, 4)",
    "mul(a, b)",
    "tex2D(s, t)",
    "tex2Dlod(s, t)",
    "texCUBE(s, t)",
    "lerp(a, b, 0.5)",
    "dot(a, b)",
    "clip(a)",
    "sincos(a, b, c)",
    "modf(a, b)",
    "pow(a, 2)",
    "transpose(m)",
    "any(a)",
    "normalize(a)",
    " + ",
    " * ",
    " / ",
    " % ",
    " == ",
    " < ",
    " && ",
    " || ",
    " ? ",
    " : ",
    " = ",
    " += ",
    " *= ",
    "++",
    "!",
    "-",
    "~",
    " << ",
    ", ",
    ";",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    " : TEXCOORD0",
    " : POSITION",
    " : VPOS",
    " : register(s0)",
    "< string s = \"x\"; float2 v = {1, 2}; >",
    " = sampler_state { Texture = <t>; MinFilter = LINEAR; }",
    "technique T { pass P { VertexShader = compile vs_3_0 V(); PixelShader = compile ps_3_0 P(1, "
    "s); } }",
    "pass P { ZEnable = true; CullMode = NONE; }",
    "VertexShader = NULL;",
    "stateblock B = stateblock_state { CullMode = NONE; StateBlock = (B); };",
    "StateBlock = (B);",
    "typedef float4 f4;",
    "compile ps_2_0 ",
    "\n#define M(a, b) a##b #a\n",
    "M(x, y)",
    "\n#define A A B\n",
    "\n#if A > 1\n",
    "\n#ifdef A\n",
    "\n#else\n",
    "\n#elif 1\n",
    "\n#endif\n",
    "\n#include \"self.fx\"\n",
    "\n#include <other.fxsub>\n",
    "\n#undef A\n",
    "\\\n",
    "//",
    "/*",
    "*/",
    "\"",
    "1.0",
    "0x1F",
    "1e9",
    "4097",
    "\x83\x7B",
    "\xEF\xBB\xBF",
    NULL};

static const char *const BROKER_WORDS[] = {"open ",
                                           "unlink ",
                                           "rename ",
                                           "mkdir ",
                                           "rmdir ",
                                           "granted",
                                           "other",
                                           "empty",
                                           "/",
                                           "$",
                                           " . ",
                                           "/..",
                                           "/.",
                                           " wct ",
                                           "film.mp4",
                                           "/.film.mp4.out",
                                           "/.film.mp4.1",
                                           ".film.mp4.odori",
                                           "1.png",
                                           ".1.png.",
                                           "/other.mp4",
                                           "/.bashrc",
                                           ".film.mp4.hard",
                                           ".film.mp4.link",
                                           "/proc/self/cwd/",
                                           "/proc/self/fd/0/",
                                           "\n",
                                           NULL};

static const Grammar GRAMMARS[] = {
    {"pmx", NULL, 0, PMX, NULL},
    {"pmd", NULL, 0, PMD, NULL},
    {"vmd", NULL, 0, VMD, NULL},
    {"evaluate", NULL, 0, "u1*8 " PMX " @Vocaloid " VMD, NULL},
    {"bake", NULL, 0, "s16 u4*2 s32 u4*2 u8 n8{ u8*2 } <40 u8*3 u8*2", NULL},
    {"midi", NULL, 0, "> s4 u4 u2*3 *{ s4 t4 }", NULL},
    {"font", NULL, 0, "> u4 u2=n u2*3 *n{ s4 u4*3 } *{ u2 }", NULL},
    {"xfile", "bin ", 8,
     "s14 u2=w *{ u2=k ?k=1{ t4 } ?k=2{ t4 u2 } ?k=3{ u4 } ?k=5{ s16 } ?k=6{ n4{ u4 } }"
     " ?k=7{ n4{ ?w=13366{ f8 } ?w!13366{ f4 } } } }",
     NULL},
    {"xfile", "txt ", 8, NULL, X_WORDS},
    {"sound", NULL, 0, "s4 u4 s4 *{ s4 t4 }", NULL},
    {"picture", "\x89PNG", 0, "> s8 *{ u4=l s4 s@l u4 }", NULL},
    {"picture", "BM", 0, "s2 u4*4 u4*2 u2*2 u4*6 *{ u1 }", NULL},
    {"picture", "DDS", 0, "s4 u4*31 *{ u4 }", NULL},
    {"picture", "GIF", 0, "s6 u2*2 u1*3 *{ u1 }", NULL},
    {"texture", "DDS", 0, "s4 u4*31 *{ u4 }", NULL},
    {"segment", "nut/", 0, "s25 *{ u1 }", NULL},
    {"segment", NULL, 0, NULL, NAME_WORDS},
    {"vpd", NULL, 0, NULL, NAME_WORDS},
    {"vac", NULL, 0, NULL, NAME_WORDS},
    {"cube", NULL, 0, NULL, CUBE_WORDS},
    {"subtitle", NULL, 0, NULL, SUBTITLE_WORDS},
    {"job", NULL, 0, NULL, YAML_WORDS},
    {"batch", NULL, 0, NULL, YAML_WORDS},
    {"yaml", NULL, 0, NULL, YAML_WORDS},
    {"json", NULL, 0, NULL, JSON_WORDS},
    {"ledger", NULL, 0, NULL, JSON_WORDS},
    {"checkpoint", NULL, 0, NULL, JSON_WORDS},
    {"runs", NULL, 0, NULL, JSON_WORDS},
    {"effect", NULL, 0, NULL, EFFECT_WORDS},
    {"broker", NULL, 0, NULL, BROKER_WORDS},
};

static bool begins(const Grammar *g, const uint8_t *data, size_t size)
{
    if (!g->signature)
        return true;
    const size_t length = strlen(g->signature);
    return size >= g->signature_offset + length &&
           !memcmp(data + g->signature_offset, g->signature, length);
}

const Grammar *grammar_find(const char *format, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof GRAMMARS / sizeof *GRAMMARS; i++)
        if (!strcmp(GRAMMARS[i].format, format) && begins(&GRAMMARS[i], data, size))
            return &GRAMMARS[i];
    return NULL;
}
