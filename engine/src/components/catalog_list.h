/* Every built-in component, in the order of the documentation; each stands at the end of the file
 * of its name. */
COMPONENT(multiply)
COMPONENT(map)
COMPONENT(translation)
COMPONENT(euler)
COMPONENT(rotation)
COMPONENT(dependency)
COMPONENT(compensate)
COMPONENT(cone)
COMPONENT(slide)
COMPONENT(field)
COMPONENT(blend)
