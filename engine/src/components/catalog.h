/* The built-in components' classes: si_multiply, si_map ... */
#ifndef SI_CATALOG_H
#define SI_CATALOG_H

#include "sinew/component.h"

#define COMPONENT(name) extern const sinew_component_class si_##name;
#include "components/catalog_list.h"
#undef COMPONENT

#endif
