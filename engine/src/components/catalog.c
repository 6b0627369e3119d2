/* The catalogue: what catalog_list.h lists. */
#include "catalog.h"

static const sinew_component_class *const classes[] = {
#define COMPONENT(name) &si_##name,
#include "catalog_list.h"
#undef COMPONENT
};

const sinew_component_class *sinew_catalog(int index) {
  int count = (int)(sizeof classes / sizeof *classes);
  return index >= 0 && index < count ? classes[index] : NULL;
}
