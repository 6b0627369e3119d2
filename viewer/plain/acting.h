/* Where a rig's components act: which segment a component's matrix moves, and the frame in the
 * world in which its axes, centres and directions are given.
 *
 * A segment stands at world(parent) rest T. Where T = A M B, and M is what a component gives, its
 * frame is world(parent) rest A. A product is followed through `multiply` and through what makes a
 * cone's swing; what a matrix becomes in other components is not known. */
#ifndef VIEWER_ACTING_H
#define VIEWER_ACTING_H

#include <sinew/pose.h>

typedef struct acting_place {
  sinew_segment segment;    /* null: it moves none that is known */
  sinew_component consumer; /* what takes its matrix; null: the segment itself */
  int input;                /* of the consumer, or one of these */
} acting_place;
enum { ACTING_ROTATION1 = -1, ACTING_ROTATION2 = -2 }; /* as a cone's parameter */

/* Fills one place for each of the rig's components, in its order. Where a component acts on several
 * segments it is the first. */
void acting_find(const sinew_rig *rig, acting_place *dest);

/* The frame in which the component acts; false where it moves no segment that is known. */
bool acting_frame(const sinew_pose *pose, const acting_place *places, sinew_component component,
                  float dest[16]);

/* Marks every component that the given one gets its values from, itself included: one flag for each
 * in the rig's order. A null component marks none. */
void acting_upstream(const sinew_rig *rig, sinew_component from, bool *marked);

/* The numbers of a parameter; NULL where that is NULL. */
const float *acting_numbers(const sinew_param *param);

/* A rotation component, as its parameters tell. Pointers are borrowed until one is changed. */
typedef struct acting_hinge {
  float axis[3]; /* unit */
  const float *angles;
  int angle_count; /* 0: unlimited */
  const float *centres;
  int centre_count; /* one for each interval, or 1; 0: the origin */
  float rest;
} acting_hinge;

/* False where the component is no rotation. */
bool acting_hinge_read(const sinew_rig *rig, sinew_component component, acting_hinge *dest);
float acting_hinge_hold(const acting_hinge *hinge, float angle);
/* The centre about which it turns at an angle, in its frame; which of its intervals, from 0. */
int acting_hinge_centre(const acting_hinge *hinge, float angle, float dest[3]);
/* The angle that a rotation is at, held to its range; as a part of a cone's swing, the one that was
 * solved. */
float acting_hinge_angle(const sinew_pose *pose, const acting_place *places,
                         sinew_component component, const acting_hinge *hinge);
/* Its matrix there. */
void acting_hinge_matrix(const acting_hinge *hinge, float angle, float dest[16]);

/* The direction that a cone component is asked for, before it is held, and the one it gives; both
 * in its frame. False where the component is no cone. */
bool acting_cone_directions(const sinew_pose *pose, sinew_component component, float wanted[3],
                            float given[3]);

/* How a body that went from one rigid frame to another has turned: degrees, and the axis with the
 * point on it that is nearest to the body. With less than 1e-4 degrees there is no axis. */
float acting_screw(const float from[16], const float to[16], float axis[3], float point[3]);

#endif
