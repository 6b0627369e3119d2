/* Poses of a rig in XML, in a program without Lua: sinew-xml-eval RIG.xml COUNT. Prints the world
 * matrices of COUNT random characters as hexadecimal floats, a line for each: first from a pose,
 * then from a batch. tests/lua/xml_eval.lua prints the same for a rig in Lua. */
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const sinew_error *error) {
  fprintf(stderr, "%s\n", error->text);
  return 1;
}

static void print_line(const float *numbers, int count) {
  for (int i = 0; i < count; i++) printf("%s%a", i ? " " : "", (double)numbers[i]);
  printf("\n");
}

/* a number between two, by the generator of Park and Miller */
static float random_between(double low, double high) {
  static double seed = 1;
  seed *= 16807;
  seed -= 2147483647.0 * (double)(long long)(seed / 2147483647.0);
  if (high - low > 1e6) low = -400, high = 400;
  return (float)(low + (high - low) * (seed / 2147483647.0));
}

static int print_all(const sinew_rig *rig, int count) {
  sinew_error error;
  int dofs = sinew_rig_dof_count(rig), floats = 16 * sinew_rig_segment_count(rig), code = 0;
  float *values = malloc(sizeof(float) * (size_t)(count * dofs + 1));
  float *worlds = malloc(sizeof(float) * (size_t)(count * floats + 1));
  sinew_pose *pose = sinew_pose_create(rig, &error);
  sinew_batch *batch = pose ? sinew_batch_create(rig, NULL, &error) : NULL;
  if (!values || !worlds || !batch) code = fail(&error);
  for (int k = 0; k < count && !code; k++) {
    for (int i = 0; i < dofs; i++) {
      sinew_dof dof = sinew_rig_dof(rig, i);
      sinew_dof_info info = sinew_rig_dof_info(rig, dof);
      values[k * dofs + i] = random_between((double)info.min, (double)info.max);
      sinew_pose_set(pose, dof, values[k * dofs + i], NULL);
    }
    if (sinew_pose_eval(pose, &error) < 0)
      printf("failed\n");
    else
      print_line(sinew_pose_worlds(pose), floats);
  }
  if (!code) sinew_batch_eval(batch, values, count, worlds, NULL); /* fails where a pose does */
  for (int k = 0; k < count && !code; k++) print_line(worlds + k * floats, floats);
  sinew_batch_destroy(batch);
  sinew_pose_destroy(pose);
  free(values);
  free(worlds);
  return code;
}

int main(int argc, char **argv) {
  int count = argc == 3 ? atoi(argv[2]) : 0;
  if (count < 1 || count > 10000) {
    fprintf(stderr, "usage: sinew-xml-eval RIG.xml COUNT\n");
    return 2;
  }
  sinew_error error;
  sinew_rig *rig = sinew_rig_load(argv[1], &error);
  if (!rig) return fail(&error);
  int code = print_all(rig, count);
  sinew_rig_destroy(rig);
  return code;
}
