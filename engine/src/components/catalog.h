/* The built-in components; each stands at the end of the file of its name. */
#ifndef SI_CATALOG_H
#define SI_CATALOG_H

#include "sinew/component.h"

extern const sinew_component_class si_multiply;
extern const sinew_component_class si_map;
extern const sinew_component_class si_translation;
extern const sinew_component_class si_euler;
extern const sinew_component_class si_rotation;
extern const sinew_component_class si_dependency;
extern const sinew_component_class si_compensate;
extern const sinew_component_class si_slide;

#endif
