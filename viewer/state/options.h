/* The viewer's command line. */
#ifndef VIEWER_OPTIONS_H
#define VIEWER_OPTIONS_H

#include <stdbool.h>

enum { most_dof_arguments = 256, most_sweeps = 16, most_choices = 64, most_cameras = 16 };

typedef struct options {
  const char *rig;    /* NULL: rigs/human.lua */
  const char *render; /* a picture to write instead of opening a window; NULL: none */
  int width, height;
  const char *cameras[most_cameras]; /* views of orbit_look; the first counts in a window */
  int camera_count;                  /* 0: the default one is in the first place */
  const char *focus;                 /* segments that fill a picture; NULL: all */
  float zoom;                        /* how many times nearer the camera of a picture is */
  bool isolate;                      /* the script runs in a process of its own */
  double load_seconds;               /* that the script may take; 0: the default */
  bool remote;                       /* takes commands from standard input */
  int frames;                        /* number of frames to render; 0: one picture */
  int columns, rows;                 /* columns and rows of a contact sheet; 0: none */
  float fps;                         /* frames per second of an animation */
  const char *keys;                  /* a file with keyframes; NULL: none */
  int crowd;                         /* number of characters; 0: no crowd */
  int threads;                       /* threads that evaluate a crowd; 0: one for each core */
  const char *show;    /* tools to open, separated by commas; NULL: the default ones */
  const char *select;  /* a segment; NULL: none */
  const char *skin;    /* a mesh to draw over the bones; NULL: none */
  const char *skin_at; /* "joint.dof=value,...": the pose that the mesh was made in; NULL: rest */
  const char *compare[2];
  const char *sweeps[most_sweeps]; /* "joint.dof" or "joint.dof=from:to" */
  int sweep_count;
  const char *choices[most_choices]; /* "name=value", options of the rig */
  int choice_count;
  const char *dofs[most_dof_arguments]; /* "joint.dof=value" */
  int dof_count;
} options;

/* Fills `dest`. Returns 0 to continue; otherwise the program ends, with the result minus 1 as its
 * exit code. Messages have been printed. */
int options_read(int argc, char **argv, options *dest);

#endif
