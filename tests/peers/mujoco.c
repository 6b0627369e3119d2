/* MuJoCo on body75: a body for each segment with two hinges; of mj_step only the part that places
 * bodies. */
#include "peer.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct simulation {
  mjModel *model;
  mjData *data;
} simulation;

static void run(void *context, int times) {
  simulation *s = context;
  for (int i = 0; i < times; i++) {
    memcpy(s->data->qpos, peer_angles(i), peer_turns * sizeof(mjtNum));
    mj_kinematics(s->model, s->data);
  }
  bench_keep(s->data->xpos);
}

static peer_place place(void *context, int segment) {
  const simulation *s = context;
  peer_place p;
  memcpy(p.turn, s->data->xmat + (size_t)9 * (size_t)(segment + 1), sizeof p.turn);
  memcpy(p.at, s->data->xpos + (size_t)3 * (size_t)(segment + 1), sizeof p.at);
  return p;
}

static void write_body(FILE *to, const body *b, int s) {
  const float *o = b->offset[s];
  fprintf(to, "<body name=\"s%d\" pos=\"%.9g %.9g %.9g\">\n", s, (double)o[0], (double)o[1],
          (double)o[2]);
  fprintf(to, "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>\n");
  for (int i = b->rotations * s; i < b->rotations * (s + 1); i++) {
    const float *a = b->axis[i], *c = b->centre[i];
    fprintf(to, "<joint type=\"hinge\" axis=\"%.9g %.9g %.9g\" pos=\"%.9g %.9g %.9g\"/>\n",
            (double)a[0], (double)a[1], (double)a[2], (double)c[0], (double)c[1], (double)c[2]);
  }
  for (int child = s + 1; child < b->segments; child++)
    if (b->parent[child] == s) write_body(to, b, child);
  fprintf(to, "</body>\n");
}

static mjModel *load(const char *path) {
  FILE *to = fopen(path, "w");
  if (!to) {
    fprintf(stderr, "mujoco: cannot write %s\n", path);
    exit(1);
  }
  fprintf(to, "<mujoco model=\"body75\">\n<worldbody>\n");
  write_body(to, peer_body(), 0);
  fprintf(to, "</worldbody>\n</mujoco>\n");
  fclose(to);
  char error[1000] = "";
  mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
  if (!model || model->nq != peer_turns) {
    fprintf(stderr, "mujoco: %s\n", model ? "not as many joints as written" : error);
    exit(1);
  }
  /* bodies are in the order of the segments, as place() assumes */
  for (int s = 0; s < peer_body()->segments; s++) {
    char name[16];
    snprintf(name, sizeof name, "s%d", s);
    if (mj_name2id(model, mjOBJ_BODY, name) != s + 1) abort();
  }
  return model;
}

int main(int argc, char **argv) {
  simulation s = { .model = load("build/peers/body75.xml") };
  s.data = mj_makeData(s.model);
  printf("MuJoCo %s\n", mj_versionString());
  const peer mujoco = { "MuJoCo", 0.25, &s, run, place };
  int code = peer_compare("build/peers/mujoco.csv", &mujoco, 1, argc, argv);
  mj_deleteData(s.data);
  mj_deleteModel(s.model);
  return code;
}
