/* The shaders of bones, shadow, ground and background. Light adds up in linear values; `tone` turns
 * them into colours of the screen. */
#ifndef VIEWER_SHADERS_H
#define VIEWER_SHADERS_H

/* Half a step of the screen's 255, in a pattern of 4 by 4 pixels that the eye averages, so that
 * slow gradients show no bands. A regular pattern keeps files of pictures small. `grain` is the
 * size of a pixel of the final picture. */
#define DITHER_GLSL                                                                                \
  "uniform float grain;\n"                                                                         \
  "float bayer(vec2 p) { p = floor(p); return fract(p.x / 2.0 + p.y * p.y * 0.75); }\n"            \
  "vec3 dither(vec3 c) {\n"                                                                        \
  "  vec2 p = gl_FragCoord.xy / grain;\n"                                                          \
  "  float pattern = bayer(0.5 * p) / 4.0 + bayer(p) + 1.0 / 32.0; /* 0 to 1 */\n"                 \
  "  return c + (pattern - 0.5) / 255.0;\n"                                                        \
  "}\n"

/* The lit colour of a bone, whose position is a varying: a key light with a soft edge, a cool fill
 * from the other side, a rim, and the sky. `open` is the share of the sky that a point sees; what
 * is far in the figure is darker. */
#define SHADE_GLSL                                                                                 \
  "uniform vec3 key; uniform vec3 fill; uniform vec3 eye; uniform vec2 cue;\n"                     \
  "vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }\n"                                            \
  "vec3 tone(vec3 x) { /* ACES, fitted by Narkowicz */\n"                                          \
  "  x = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);\n"                                \
  "  return pow(clamp(x, 0.0, 1.0), vec3(1.0 / 2.2));\n"                                           \
  "}\n"                                                                                            \
  "vec3 shade(vec3 base, vec3 n, float open, vec3 glow) {\n"                                       \
  "  vec3 v = eye - place; float away = length(v); v /= away;\n"                                   \
  "  float facing = max(dot(n, v), 0.0);\n"                                                        \
  "  float low = mix(0.45, 1.0, smoothstep(0.0, 0.30, place.y));\n"                                \
  "  vec3 sky = mix(vec3(0.050, 0.045, 0.042), vec3(0.13, 0.15, 0.19), 0.5 + 0.5 * n.y) * low;\n"  \
  "  vec3 lamp = vec3(1.0, 0.93, 0.82) * 0.86 * max((dot(n, key) + 0.10) / 1.10, 0.0);\n"          \
  "  vec3 cool = vec3(0.50, 0.62, 0.85) * 0.14 * max(dot(n, fill), 0.0);\n"                        \
  "  float edge = pow(1.0 - facing, 3.5);\n"                                                       \
  "  float gloss = pow(max(dot(n, normalize(key + v)), 0.0), 40.0);\n"                             \
  "  float deep = clamp((away - cue.x) / (cue.y - cue.x), 0.0, 1.0);\n"                            \
  "  vec3 lit = linear(base) * ((sky + cool) * open + lamp * mix(0.55, 1.0, open));\n"             \
  "  edge *= 1.0 - 0.8 * lamp.r; /* it shall not burn out what is bright already */\n"             \
  "  lit += (vec3(0.10) * gloss + (vec3(0.18, 0.25, 0.36) * (0.6 + 0.4 * n.y) + glow) * edge)\n"   \
  "         * open;\n"                                                                             \
  "  return tone(lit * (1.0 - 0.45 * deep));\n"                                                    \
  "}\n"

static const char bone_vertex[] =
    "#version 330\n"
    "in vec3 vertexPosition; in vec3 vertexNormal; in vec4 vertexColor;\n"
    "uniform mat4 mvp; uniform mat4 matModel; uniform mat4 matNormal;\n"
    "out vec3 place; out vec3 normal; out float open;\n"
    "void main() {\n"
    "  place = vec3(matModel * vec4(vertexPosition, 1.0));\n"
    "  normal = vec3(matNormal * vec4(vertexNormal, 0.0));\n"
    "  open = min(vertexColor.r, vertexColor.a); /* white: nothing is in the way */\n"
    "  gl_Position = mvp * vec4(vertexPosition, 1.0);\n"
    "}\n";

/* what a limit holds back is hatched */
static const char bone_fragment[] =
    "#version 330\n"
    "in vec3 place; in vec3 normal; in float open; out vec4 color;\n"
    "uniform vec4 colDiffuse; uniform vec3 glow; uniform vec4 hatch; uniform float "
    "grain;\n" SHADE_GLSL "void main() {\n"
    "  vec2 p = gl_FragCoord.xy / grain;\n"
    "  float stripe = hatch.a * step(fract((p.x + p.y) / 9.0), 0.36);\n"
    "  vec3 base = mix(colDiffuse.rgb, hatch.rgb, stripe);\n"
    "  color = vec4(shade(base, normalize(normal), open, glow), colDiffuse.a);\n"
    "}\n";

/* the outline of a mesh: its back faces, moved outwards by `width` (in clip space) */
static const char outline_vertex[] =
    "#version 330\n"
    "in vec3 vertexPosition; in vec3 vertexNormal;\n"
    "uniform mat4 mvp; uniform vec2 width;\n"
    "void main() {\n"
    "  vec4 p = mvp * vec4(vertexPosition, 1.0), n = mvp * vec4(vertexNormal, 0.0);\n"
    "  vec2 out_ = (n.xy * p.w - p.xy * n.w) / width;\n"
    "  gl_Position = p + vec4(width * p.w * out_ / max(length(out_), 1e-9), 0.0, 0.0);\n"
    "}\n";

static const char outline_fragment[] = "#version 330\n"
                                       "uniform vec4 colDiffuse; out vec4 color;\n"
                                       "void main() { color = colDiffuse; }\n";

/* A flattened bone, for the shadow; its height is what is left of y. Red is what is low, which has
 * a sharper shadow; green is everything; blue is what touches the ground. */
static const char cast_vertex[] =
    "#version 330\n"
    "in vec3 vertexPosition; uniform mat4 mvp; uniform mat4 matModel; out float height;\n"
    "void main() {\n"
    "  height = (matModel * vec4(vertexPosition, 1.0)).y * 1e4;\n"
    "  gl_Position = mvp * vec4(vertexPosition, 1.0);\n"
    "}\n";

static const char cast_fragment[] = "#version 330\n"
                                    "in float height; out vec4 color;\n"
                                    "void main() {\n"
                                    "  color = vec4(1.0 - smoothstep(0.05, 0.8, height), 1.0, 1.0 "
                                    "- smoothstep(0.01, 0.03, height),\n"
                                    "               1.0);\n"
                                    "}\n";

/* one of two passes of a Gaussian blur; each channel has its own width, as taps */
static const char blur_fragment[] =
    "#version 330\n"
    "in vec2 fragTexCoord; out vec4 color;\n"
    "uniform sampler2D texture0; uniform vec2 tap;\n"
    "void main() {\n"
    "  vec3 sum = vec3(0.0), total = vec3(0.0);\n"
    "  for (int i = -4; i <= 4; i++) {\n"
    "    vec3 w = exp(-float(i * i) / vec3(1.5, 9.0, 2.5));\n"
    "    sum += w * texture(texture0, fragTexCoord + float(i) * tap).rgb; total += w;\n"
    "  }\n"
    "  color = vec4(sum / total, 1.0);\n"
    "}\n";

/* premultiplied: it adds light to the background and takes some away */
static const char ground_fragment[] =
    "#version 330\n"
    "in vec3 place; out vec4 color;\n"
    "uniform sampler2D texture0; uniform vec3 shadow; /* its centre and size */\n"
    "uniform vec4 ground; /* the figure's middle, its size, the distance between lines */\n"
    "uniform float grid;\n" DITHER_GLSL "float line(float x, float width) {\n"
    "  float d = abs(fract(x - 0.5) - 0.5), w = fwidth(x);\n"
    "  return (1.0 - min(d / (w * width), 1.0)) * (1.0 - smoothstep(0.15, 0.5, w));\n"
    "}\n"
    "void main() {\n"
    "  vec2 p = place.xz; float r = length(p - ground.xy) / ground.z;\n"
    "  vec2 at = vec2(0.5 + (p.x - shadow.x) / shadow.z, 0.5 - (p.y - shadow.y) / shadow.z);\n"
    "  vec3 dark = texture(texture0, at).rgb;\n"
    "  float kept = (1.0 - 0.62 * max(dark.r, 0.65 * dark.g)) * (1.0 - 0.55 * dark.b);\n"
    "  vec2 q = p / ground.w;\n"
    "  float lines = grid * max(max(line(q.x, 1.3), line(q.y, 1.3)) * 0.10,\n"
    "                           max(line(q.x * 10.0, 1.0), line(q.y * 10.0, 1.0)) * 0.05);\n"
    "  float fade = 1.0 - smoothstep(0.6, 2.0, r);\n"
    "  vec3 pool = vec3(0.85, 0.92, 1.0) * 0.20 * exp(-1.6 * r * r);\n"
    "  color = vec4(dither(pool + vec3(0.62, 0.70, 0.82) * lines) * kept, 1.0 - kept) * fade;\n"
    "}\n";

/* `frame` is the picture's rectangle in the target */
static const char background_fragment[] =
    "#version 330\n"
    "out vec4 color; uniform vec4 frame;\n" DITHER_GLSL "void main() {\n"
    "  vec2 p = (gl_FragCoord.xy - frame.xy) / frame.zw - vec2(0.5, 0.58);\n"
    "  float r = length(p * vec2(min(frame.z / frame.w, 1.5), 1.0)) / 0.85;\n"
    "  color = vec4(dither(mix(vec3(0.259, 0.286, 0.337), vec3(0.094, 0.102, 0.122),\n"
    "                          smoothstep(0.0, 1.0, r))), 1.0);\n"
    "}\n";

#endif
