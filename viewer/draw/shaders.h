/* The shaders of bones and ground. */
#ifndef VIEWER_SHADERS_H
#define VIEWER_SHADERS_H

/* the lit colour of a bone; the position is a varying */
#define SHADE_GLSL                                                                                 \
  "uniform vec3 light; uniform vec3 eye;\n"                                                        \
  "vec3 shade(vec3 base, vec3 n) {\n"                                                              \
  "  vec3 v = normalize(eye - place);\n"                                                           \
  "  vec3 l = normalize(light);\n"                                                                 \
  "  float key = max(0.0, (dot(n, l) + 0.25) / 1.25);\n"                                           \
  "  vec3 sky = mix(vec3(0.42, 0.38, 0.36), vec3(0.62, 0.68, 0.78), 0.5 + 0.5 * n.y);\n"           \
  "  float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);\n"                                           \
  "  float shine = pow(max(dot(n, normalize(l + v)), 0.0), 32.0);\n"                               \
  "  float facing = 0.55 + 0.45 * max(dot(n, v), 0.0);\n"                                          \
  "  vec3 lit = base * (sky * facing + vec3(1.0, 0.96, 0.88) * key * 0.72);\n"                     \
  "  return lit + vec3(0.14) * shine + vec3(0.10, 0.12, 0.16) * rim;\n"                            \
  "}\n"

static const char bone_vertex[] =
    "#version 330\n"
    "in vec3 vertexPosition; in vec3 vertexNormal;\n"
    "uniform mat4 mvp; uniform mat4 matModel; uniform mat4 matNormal;\n"
    "out vec3 place; out vec3 normal;\n"
    "void main() {\n"
    "  place = vec3(matModel * vec4(vertexPosition, 1.0));\n"
    "  normal = normalize(vec3(matNormal * vec4(vertexNormal, 0.0)));\n"
    "  gl_Position = mvp * vec4(vertexPosition, 1.0);\n"
    "}\n";

static const char bone_fragment[] =
    "#version 330\n"
    "in vec3 place; in vec3 normal; out vec4 color;\n"
    "uniform vec4 colDiffuse;\n" SHADE_GLSL
    "void main() { color = vec4(shade(colDiffuse.rgb, normalize(normal)), colDiffuse.a); }\n";

static const char ground_fragment[] =
    "#version 330\n"
    "in vec3 place; in vec3 normal; out vec4 color;\n"
    "uniform sampler2D texture0; uniform vec2 shadowPlace; uniform float shadowSize;\n"
    "uniform float grid; uniform float reach;\n"
    "float line(float x, float width) {\n"
    "  float d = abs(fract(x - 0.5) - 0.5) / fwidth(x);\n"
    "  return 1.0 - min(d / width, 1.0);\n"
    "}\n"
    "void main() {\n"
    "  vec2 p = place.xz; float r = length(p - shadowPlace);\n"
    "  float fade = 1.0 - smoothstep(reach, reach + max(5.0, reach), r);\n"
    "  vec2 at = vec2(0.5 + (p.x - shadowPlace.x) / shadowSize,\n"
    "                 0.5 - (p.y - shadowPlace.y) / shadowSize);\n"
    "  float dark = 0.0, total = 0.0;\n"
    "  for (int i = -4; i <= 4; i++) for (int j = -4; j <= 4; j++) {\n"
    "    float w = exp(-float(i * i + j * j) / 8.0);\n"
    "    vec2 q = at + vec2(i, j) * (0.0035 * 4.0 / shadowSize);\n"
    "    vec2 inside = step(vec2(0.0), q) * step(q, vec2(1.0));\n"
    "    dark += w * texture(texture0, q).a * inside.x * inside.y; total += w;\n"
    "  }\n"
    "  dark /= total;\n"
    "  float fine = max(line(p.x * 10.0, 1.0), line(p.y * 10.0, 1.0)) * 0.05;\n"
    "  float coarse = max(line(p.x, 1.3), line(p.y, 1.3)) * 0.16;\n"
    "  float lines = grid * max(fine, coarse);\n"
    "  vec3 base = mix(vec3(0.30, 0.33, 0.38), vec3(0.05, 0.06, 0.09), dark);\n"
    "  float alpha = max(lines, 0.42 * dark);\n"
    "  color = vec4(base, alpha * fade);\n"
    "}\n";

static const char flat_fragment[] = "#version 330\n"
                                    "out vec4 color;\n"
                                    "void main() { color = vec4(0.0, 0.0, 0.0, 1.0); }\n";

#endif
