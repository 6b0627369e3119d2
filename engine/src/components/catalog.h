/* The classes of the built-in components: si_multiply, si_map ... */
#ifndef SI_CATALOG_H
#define SI_CATALOG_H

#include "sinew/component.h"

/* The kernels of evaluate/lanes. A class names its own by `kernel`; lanes/block.h lists them in
 * this order. */
enum {
  SI_KERNEL_NONE,
  SI_KERNEL_ROTATION,
  SI_KERNEL_TRANSLATION,
  SI_KERNEL_EULER,
  SI_KERNEL_MULTIPLY,
  SI_KERNEL_MAP,
  SI_KERNEL_DEPENDENCY,
  SI_KERNEL_FORMULA,
  SI_KERNEL_CONE,
  SI_KERNEL_COMPENSATE,
  SI_KERNEL_SLIDE,
  SI_KERNEL_RELATIVE,
  SI_KERNEL_DISTANCE,
  SI_KERNEL_AIM,
  SI_KERNEL_SWING_TWIST,
  SI_KERNEL_IK2,
  SI_KERNEL_PROGRAM,
  SI_KERNEL_COUNT
};

#define COMPONENT(name) extern const sinew_component_class si_##name;
#include "components/catalog_list.h"
#undef COMPONENT

#endif
