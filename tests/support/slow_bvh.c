/* See slow_bvh.h. */
#include "slow_bvh.h"

#include <stdlib.h>
#include <string.h>

/* the next word, and whether there is one */
static bool next(const char **at, char word[64]) {
  *at += strspn(*at, " \t\r\n");
  size_t length = strcspn(*at, " \t\r\n");
  if (length == 0) return false;
  memcpy(word, *at, length < 63 ? length : 63);
  word[length < 63 ? length : 63] = '\0';
  *at += length;
  return true;
}

slow_bvh *slow_bvh_read(const char *text, double unit, sinew_motion_positions positions) {
  slow_bvh *b = calloc(1, sizeof *b + strlen(text) / 2 * sizeof(double));
  char word[64];
  int open[SLOW_JOINTS], depth = 0, named = -1;
  b->unit = unit;
  b->replace = positions == SINEW_POSITIONS_REPLACE;
  while (next(&text, word) && strcmp(word, "MOTION") != 0) {
    if (!strcmp(word, "ROOT") || !strcmp(word, "JOINT") || !strcmp(word, "End")) {
      named = b->joint_count++;
      b->joints[named].parent = depth ? open[depth - 1] : -1;
    } else if (!strcmp(word, "{")) {
      open[depth++] = named;
    } else if (!strcmp(word, "}")) {
      depth--;
    } else if (!strcmp(word, "OFFSET")) {
      for (int i = 0; i < 3 && next(&text, word); i++)
        b->joints[named].offset[i] = atof(word) * unit;
    } else if (!strcmp(word, "CHANNELS")) {
      next(&text, word);
      b->joints[named].first = b->width;
      b->joints[named].channel_count = atoi(word);
      b->width += atoi(word);
      for (int i = 0; i < b->joints[named].channel_count && next(&text, word); i++)
        b->joints[named].channels[i] = word[0] - 'X' + (strstr(word, "rot") ? 3 : 0);
    }
  }
  while (next(&text, word) && strncmp(word, "Time", 4) != 0) {
  }
  next(&text, word);
  int count = 0;
  while (next(&text, word)) b->values[count++] = atof(word);
  b->frame_count = b->width ? count / b->width : 0;
  return b;
}

dmat slow_bvh_world(const slow_bvh *b, int frame, int joint) {
  static const float axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  dmat world = dmat_identity();
  for (; joint >= 0; joint = b->joints[joint].parent) {
    const double *values = b->values + frame * b->width + b->joints[joint].first;
    double place[3];
    memcpy(place, b->joints[joint].offset, sizeof place);
    dmat turn = dmat_identity();
    for (int i = 0; i < b->joints[joint].channel_count; i++) {
      int channel = b->joints[joint].channels[i];
      if (channel < 3)
        place[channel] = values[i] * b->unit + (b->replace ? 0 : place[channel]);
      else
        turn = dmat_mul(turn, dmat_turn(axes[channel - 3], values[i]));
    }
    world = dmat_mul(dmat_mul(dmat_move(place[0], place[1], place[2]), turn), world);
  }
  return world;
}
