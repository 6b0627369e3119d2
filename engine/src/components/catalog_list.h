/* Every built-in component, in the order of the documentation. Its class is at the end of the file
 * of that name. */
COMPONENT(multiply)
COMPONENT(map)
COMPONENT(translation)
COMPONENT(euler)
COMPONENT(rotation)
COMPONENT(dependency)
COMPONENT(formula)
COMPONENT(compensate)
COMPONENT(cone)
COMPONENT(slide)
COMPONENT(field)
COMPONENT(blend)
