/* For test_mjcf.sh: loads a file in MuJoCo, sets the joints of DOFs given as name=value (relative
 * to rest), solves the couplings for the other joints, and prints the position and orientation of
 * each body. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double polynomial(const mjtNum *c, double x) {
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

int main(int argc, char **argv) {
  char error[1000] = "";
  mjModel *model = argc > 1 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
  if (!model) {
    fprintf(stderr, "mujoco: %s\n", error);
    return 1;
  }
  mjData *data = mj_makeData(model);
  for (int i = 2; i < argc; i++) {
    char name[256] = "dof:", *equals = strchr(argv[i], '=');
    if (!equals) return 2;
    *equals = '\0';
    strncat(name, argv[i], sizeof name - 5);
    int numeric = mj_name2id(model, mjOBJ_NUMERIC, name);
    int joint = mj_name2id(model, mjOBJ_JOINT, argv[i]);
    if (numeric < 0 || joint < 0) return 3;
    data->qpos[model->jnt_qposadr[joint]] =
        polynomial(model->numeric_data + model->numeric_adr[numeric], atof(equals + 1));
  }
  for (int i = 0; i < model->neq; i++)
    data->qpos[model->jnt_qposadr[model->eq_obj1id[i]]] = polynomial(
        model->eq_data + i * mjNEQDATA, data->qpos[model->jnt_qposadr[model->eq_obj2id[i]]]);
  mj_kinematics(model, data);
  for (int i = 1; i < model->nbody; i++)
    printf("%s %.6f %.6f %.6f\n", mj_id2name(model, mjOBJ_BODY, i), data->xpos[3 * i],
           data->xpos[3 * i + 1], data->xpos[3 * i + 2]);
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
