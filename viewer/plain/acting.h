/* Where a rig's components act: which segment a component's matrix moves, and the world frame in
 * which its axes, centres and directions are given.
 *
 * A segment's world matrix is world(parent) rest T. If T = A M B, and M is the output of a
 * component, the component's frame is world(parent) rest A. Products are followed through
 * products and through the rotations of a cone's swing, not through other components. */
#ifndef VIEWER_ACTING_H
#define VIEWER_ACTING_H

#include <sinew/pose.h>

typedef struct acting_place {
  sinew_segment segment;    /* null: unknown */
  sinew_component consumer; /* the component that reads its matrix; null: the segment */
  int input;                /* index of a factor of a product, or for a cone one of these */
} acting_place;
enum { ACTING_SWING = 0, ACTING_ROTATION1 = -1, ACTING_ROTATION2 = -2 };

/* Fills one place for each component, in the rig's order. A component that acts on several segments
 * gets the first of them. */
void acting_find(const sinew_rig *rig, acting_place *dest);

/* The frame in which the component acts; false when its segment is unknown. */
bool acting_frame(const sinew_pose *pose, const acting_place *places, sinew_component component,
                  float dest[16]);

/* Marks the given component and every component that it gets its values from: one flag for each, in
 * the rig's order. A null component marks none. */
void acting_upstream(const sinew_rig *rig, sinew_component from, bool *marked);

/* The segment that each component moves, by its matrix or through the components that read it: the
 * first of several; null: none. */
void acting_segments(const sinew_rig *rig, const acting_place *places, sinew_segment *dest);

/* The class of a component. */
const sinew_component_class *acting_class(const sinew_rig *rig, sinew_component component);
/* The first given parameter that the class marks with one of the flags (SINEW_PARAM_...), and its
 * numbers; NULL if there is none. */
const sinew_param *acting_param(const sinew_rig *rig, sinew_component component, unsigned flags);
const float *acting_numbers(const sinew_param *param);

/* The parameters of a rotation component. Pointers are borrowed until one is changed. */
typedef struct acting_hinge {
  float axis[3]; /* unit */
  const float *angles;
  int angle_count; /* 0: unlimited */
  const float *centres;
  int centre_count; /* one for each interval, or 1; 0: the origin */
  float rest;
} acting_hinge;

/* Returns false if the component is not drawn as an axis. */
bool acting_hinge_read(const sinew_rig *rig, sinew_component component, acting_hinge *dest);
/* The centre of rotation at an angle, in the component's frame; returns the index of the
 * interval. */
int acting_hinge_centre(const acting_hinge *hinge, float angle, float dest[3]);
/* The angle of a rotation, clamped to its range; for a part of a cone's swing, the solved angle. */
float acting_hinge_angle(const sinew_pose *pose, const acting_place *places,
                         sinew_component component, const acting_hinge *hinge);
/* The rotation's matrix at an angle. */
void acting_hinge_matrix(const acting_hinge *hinge, float angle, float dest[16]);

/* The direction that a cone component is asked for, and the one it gives after limiting it; both in
 * its frame. Returns false if the component is not a cone. */
bool acting_cone_directions(const sinew_pose *pose, sinew_component component, float wanted[3],
                            float given[3]);

/* The line of a component that sees a point of another segment (SINEW_DRAWN_SIGHT): both ends in
 * the world. False for any other component. */
bool acting_sight(const sinew_pose *pose, sinew_component component, float *from, float *to);

/* The screw motion between two rigid frames: returns the angle in degrees, and gives the axis with
 * its point nearest to the body. Below 1e-4 degrees there is no axis, and it returns 0. */
float acting_screw(const float from[16], const float to[16], float axis[3], float point[3]);

#endif
