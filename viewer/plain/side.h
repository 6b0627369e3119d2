/* Left and right, by the names of bones: left_hand, femur_r, r_humerus, "Foot.L". */
#ifndef VIEWER_SIDE_H
#define VIEWER_SIDE_H

typedef enum body_side { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT } body_side;

body_side side_of_name(const char *name);

#endif
