/* The names of bones, joints and DOFs: which side they are of, and how people write them. */
#ifndef VIEWER_SIDE_H
#define VIEWER_SIDE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum body_side { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT } body_side;

/* By a word or a letter: left_hand, femur_r, "Foot.L", LeftArm, J_Bip_L_Hand. */
body_side side_of_name(const char *name);
/* The same name on the other side, right_hand for left_hand; false, with the name itself, if it has
 * no side. */
bool side_other(const char *name, char *dest, size_t capacity);
/* As words, with the side first: "right_knee" and "knee_r" are "Right knee". */
void name_text(const char *name, char *dest, size_t capacity);
/* The same beside a name that says the side: "tibia_l_rotate" in "Left knee" is "Tibia rotate". */
void name_text_beside(const char *name, body_side known, char *dest, size_t capacity);
/* "flexion" of "hip.flexion". */
const char *name_own(const char *full);
/* Frees a list of names that were made one by one; NULL is allowed. */
void names_free(const char **names, int count);

#endif
