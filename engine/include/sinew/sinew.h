/* All of the engine: build a rig, compile it, pose it. Threads: any number may share a const rig
 * and the immutable curves, cones, fields, solids, surfaces and motions; all else, such as a pose,
 * belongs to one thread at a time. Each header says more.
 *
 *   builder  -> sinew_builder_compile ->  rig  -> sinew_pose_create ->  pose
 *   (names, editable)                     (const)                       (numbers) */
#ifndef SINEW_H
#define SINEW_H

#include "sinew/add.h"
#include "sinew/base.h"
#include "sinew/batch.h"
#include "sinew/budget.h"
#include "sinew/builder.h"
#include "sinew/character.h"
#include "sinew/clip.h"
#include "sinew/component.h"
#include "sinew/cone.h"
#include "sinew/curve.h"
#include "sinew/error.h"
#include "sinew/explain.h"
#include "sinew/field.h"
#include "sinew/file.h"
#include "sinew/fit.h"
#include "sinew/gltf.h"
#include "sinew/mesh.h"
#include "sinew/mjcf.h"
#include "sinew/motion.h"
#include "sinew/pose.h"
#include "sinew/program.h"
#include "sinew/profile.h"
#include "sinew/recording.h"
#include "sinew/rig.h"
#include "sinew/skeleton.h"
#include "sinew/skin.h"
#include "sinew/solid.h"
#include "sinew/solve.h"
#include "sinew/surface.h"
#include "sinew/tangent.h"
#include "sinew/types.h"
#include "sinew/xml.h"

#endif
