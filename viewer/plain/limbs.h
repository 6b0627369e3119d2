/* Two-bone limbs of a rig, found by their shape: an upper and a lower bone of similar length, such
 * as thigh and shank, and what they carry. */
#ifndef VIEWER_LIMBS_H
#define VIEWER_LIMBS_H

#include <sinew/host.h>

typedef struct limb {
  sinew_segment upper; /* the femur: its origin is one end of the limb */
  sinew_segment lower; /* the tibia: its origin is the joint in the middle */
  sinew_segment tip;   /* the talus: its origin is the other end */
  sinew_segment end;   /* the last bone before the toes: what stands on the ground, or grips */
  float length;        /* from end to end, stretched */
  float handle[3]; /* in the frame of the upper bone: beside the joint in the middle, on the side
                      to which it bends */
} limb;

enum { limb_most = 32 };

/* Returns how many there are. Evaluates poses of its own to find to which side limbs bend. */
int limb_find(sinew_host *host, limb dest[limb_most]);
/* Whether `segment` is `from` or below it. */
bool limb_below(const sinew_rig *rig, sinew_segment segment, sinew_segment from);

#endif
