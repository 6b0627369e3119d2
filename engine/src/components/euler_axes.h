/* The euler component's constants, shared by poses and lanes. */
#ifndef SI_EULER_AXES_H
#define SI_EULER_AXES_H

typedef struct si_euler_axes {
  int axis[3];
} si_euler_axes;

#endif
