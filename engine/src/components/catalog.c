/* Every built-in component, in the order of the documentation. */
#include "catalog.h"

static const sinew_component_class *const classes[] = {
  &si_multiply, &si_map, &si_translation, &si_euler, &si_rotation, &si_dependency, &si_compensate,
  &si_slide,
};

const sinew_component_class *sinew_catalog(int index) {
  int count = (int)(sizeof classes / sizeof *classes);
  return index >= 0 && index < count ? classes[index] : NULL;
}
