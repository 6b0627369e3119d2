/* The catalogue: the components of catalog_list.h. */
#include "components/catalog.h"

#include "base/alloc.h"

#include <string.h>

static const sinew_component_class *const classes[] = {
#define COMPONENT(name) &si_##name,
#include "components/catalog_list.h"
#undef COMPONENT
};

const sinew_component_class *sinew_catalog(int index) {
  int count = (int)(sizeof classes / sizeof *classes);
  return index >= 0 && index < count ? classes[index] : NULL;
}

const sinew_component_class *sinew_catalog_find(const char *name) {
  const sinew_component_class *cls = NULL;
  if (!SI_EXPECT(name)) return NULL;
  for (int i = 0; (cls = sinew_catalog(i)) && strcmp(cls->name, name) != 0; i++) continue;
  return cls;
}

bool sinew_catalog_has(const sinew_component_class *cls) {
  for (int i = 0; sinew_catalog(i); i++)
    if (sinew_catalog(i) == cls) return true;
  return false;
}
