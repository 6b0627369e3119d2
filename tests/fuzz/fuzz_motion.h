/* Mutated motion files: each is refused with one message or gives a motion whose every frame can be
 * read. The fuzzer uses it and, for a few inputs, the tests. */
#ifndef FUZZ_MOTION_H
#define FUZZ_MOTION_H

#include "fuzz_frame.h"
#include "sinew/motion.h"

#include <math.h>

static const char fuzz_bvh_text[] =
    "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT Left Leg {\n    OFFSET 1.5 -2 0.25\n    CHANNELS 3 Zrotation Yrotation Xrotation\n"
    "    End Site\n    {\n      OFFSET 0 -4e-1 0\n    }\n  }\n"
    "  JOINT Spine\n  {\n    OFFSET 0 2 0\n    CHANNELS 6 Zrotation Xposition Yposition Xrotation "
    "Zposition Yrotation\n    End Site { OFFSET 0 1 0 }\n  }\n}\n"
    "MOTION\nFrames: 2\nFrame Time: .0083333\n"
    "1 2 3 10 20 30 40 50 60 7 0 2 8 0 9\r\n0 1 0 -1e1 .5 -.5 0 0 0 1 1 1 1 1 1";

static const char fuzz_asf_text[] =
    "# skeleton\n:version 1.10\n:name a\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n"
    ":documentation\n  some words\n:root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n"
    "  position 0 1 0\n  orientation 0 0 10\n:bonedata\n  begin\n    id 1\n    name leg\n"
    "    direction 0.5 -0.8 0\n    length 2.5\n    axis 0 10 20 XYZ\n    dof rx rz\n"
    "    limits (-160 20)\n           (-70.0 inf)\n  end\n  begin\n    id 2\n    name foot\n"
    "    direction 0 0 1\n    length 1\n    axis 90 0 -5 ZYX\n    dof ry\n  end\n"
    "  begin\n    name toe\n    direction 1 0 0\n    length 0.5\n  end\n"
    ":hierarchy\n  begin\n    root leg\n    leg foot\n    foot toe\n  end\n";

static const char fuzz_amc_text[] = "#!OML:ASF a.ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\n"
                                    "root 1 2 3 10 20 30\nleg 5 -6\nfoot 7.5\n2\n"
                                    "root 0 0 0 0 0 0\nfoot -1e1\nleg 1 2\n";

static const char fuzz_trc_text[] =
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\n"
    "100.00\t100.00\t3\t2\tmm\t100\nFrame#\tTime\tL.ASIS\t\t\tHead Top\t\t\n"
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n1\t0.00\t1.5\t-2\t3\t4\t5\t6\n"
    "2\t0.01\t\t\t\t4\t5\t6\t\r\n3\t0.02\t1\t2\tnan\t7\t8\t9e1";

/* clang-format off */
static const char *const fuzz_motion_words[] = {
  "{", "}", "JOINT a\n", "ROOT b\n", "End Site", "OFFSET 1 2 3\n", "CHANNELS 1 ", "Xrotation ",
  "\n", "\r", "\t", " 1 ", " -1e9 ", "1e10", "nan", "Frames: 3", "MOTION\n", ":units\n", "begin\n",
  "end\n", "dof rx\n", "name x\n", "root ", ":RADIANS", "(0 1)", "leg ", "#", "inf", "99999999",
  "0x10", "\xef\xbb\xbf", "hierarchy", "axis 1 2 3 YZX\n"
};
/* clang-format on */

static inline bool fuzz_motion_use(void *object, uint32_t *state) {
  sinew_motion *motion = object;
  (void)state;
  static float worlds[16 * SINEW_MOTION_JOINTS];
  const int joints = sinew_motion_joint_count(motion), markers = sinew_motion_marker_count(motion);
  const int frames = sinew_motion_frame_count(motion);
  if (!(sinew_motion_rate(motion) > 0) || !(sinew_motion_unit(motion) > 0)) abort();
  for (int j = 0; j < joints; j++)
    if (sinew_motion_joint_info(motion, j).parent >= j) abort();
  for (int f = 0; f < frames && joints > 0; f++) {
    sinew_motion_worlds(motion, f, worlds);
    for (int i = 0; i < 16 * joints; i++)
      if (!isfinite(worlds[i])) abort();
  }
  size_t gaps = 0;
  for (int f = 0; f < frames && markers > 0; f++)
    for (int i = 0; i < markers; i++) gaps += isnan(sinew_motion_markers(motion, f)[3 * i]) != 0;
  if (gaps != sinew_motion_gaps(motion, -1)) abort();
  sinew_motion_destroy(motion);
  return true;
}

/* form 1 is the skeleton of form 2, a motion that needs one */
static inline size_t fuzz_motion_make(uint32_t *state, unsigned char *dest, int *form) {
  static const char *const texts[] = { fuzz_bvh_text, fuzz_asf_text, fuzz_amc_text, fuzz_trc_text };
  *form = (int)(fuzz_random(state) % 4);
  return fuzz_mutate_words(state, dest, fuzz_start(texts[*form], dest), FUZZ_ROOM,
                           fuzz_motion_words, sizeof fuzz_motion_words / sizeof *fuzz_motion_words);
}

static inline void *fuzz_motion_read(int form, const unsigned char *bytes, size_t size,
                                     sinew_error *error) {
  static const char *const names[] = { "f.bvh", "f.amc", "f.amc", "f.trc" };
  if (form == 1)
    return sinew_motion_parse(names[form], fuzz_amc_text, strlen(fuzz_amc_text), bytes, size, NULL,
                              error);
  return sinew_motion_parse(names[form], bytes, size, fuzz_asf_text, strlen(fuzz_asf_text), NULL,
                            error);
}

static inline size_t fuzz_motion_word(uint32_t *state, unsigned char *bytes, size_t size,
                                      size_t room) {
  const char *word =
      fuzz_motion_words[fuzz_below(state, sizeof fuzz_motion_words / sizeof *fuzz_motion_words)];
  return fuzz_put_word(bytes, size, room, fuzz_below(state, size + 1), 0, word);
}

static const fuzz_kind fuzz_motion_kind = { .salt = 99,
                                            .make = fuzz_motion_make,
                                            .read = fuzz_motion_read,
                                            .use = fuzz_motion_use,
                                            .forms = 4,
                                            .word = fuzz_motion_word };

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_motion(uint32_t seed) { return fuzz_one(&fuzz_motion_kind, seed); }

#endif
