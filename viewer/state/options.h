/* The viewer's command line. */
#ifndef VIEWER_OPTIONS_H
#define VIEWER_OPTIONS_H

#include "draw/orbit.h"

#include <stdbool.h>

enum { most_dof_arguments = 256, most_sweeps = 16, most_choices = 64 };

typedef struct options {
  const char *rig;    /* NULL: the human */
  const char *render; /* a picture to write instead of opening a window; NULL: none */
  int width, height;
  orbit_view view;
  bool remote;         /* takes commands from standard input */
  int frames;          /* of what is rendered; 0: one picture */
  int columns, rows;   /* of a contact sheet; 0: none */
  float fps;           /* of an animation */
  const char *keys;    /* a file of keyframes; NULL: none */
  int crowd;           /* characters; 0: one, without a crowd */
  int threads;         /* that evaluate a crowd; 0: as many as the machine has cores */
  const char *show;    /* tools to open, separated by commas; NULL: the default ones */
  const char *select;  /* a segment; NULL: none */
  const char *skin;    /* a mesh to draw over the bones; NULL: none */
  const char *skin_at; /* "joint.dof=value,...": the pose that the mesh is in; NULL: rest */
  const char *compare[2];
  const char *sweeps[most_sweeps]; /* "joint.dof" or "joint.dof=from:to" */
  int sweep_count;
  const char *choices[most_choices]; /* "name=value", options of the rig */
  int choice_count;
  const char *dofs[most_dof_arguments]; /* "joint.dof=value" */
  int dof_count;
} options;

/* Fills `dest`. 0 to continue; else the program ends with the exit code plus one, and messages have
 * been printed. */
int options_read(int argc, char **argv, options *dest);

#endif
