/* Programs: what a scripted component computes, recorded as operations on numbers that run without
 * the script: in poses, in lanes of a batch, on several threads, with exact derivatives.
 *
 * A program is text, which files carry, with a statement on each line:
 *
 *   takes scalar
 *   gives scalar
 *   input 0
 *   param 0 crank
 *   mul 1 2
 *   sin 1
 *   add 3 4
 *   out 5
 *
 * The first two name the kinds of the component's inputs (scalar, vector, matrix), and of its
 * outputs and holds (hold). Each statement after them makes a value, numbered from 1; operations
 * name the values they take. `input` is a number of the component's inputs, counted from 0 through
 * all of them: one for a scalar, three for a vector, twelve for a matrix (its columns, without the
 * last row). `param I NAME` is entry I of a parameter that has numbers; `curve V NAME` a parameter
 * that is a curve, at value V, and `slope V NAME` its derivative there. `out` lists the numbers of
 * all outputs, counted like inputs, then one for each hold. `fail V`, with a line `message TEXT`
 * for each reason, says why there is no result where V is 1, 2 ...; it is 0 where there is one.
 * Angles are degrees.
 *
 * Programs are immutable, counted, and may be used by several threads. */
#ifndef SINEW_PROGRAM_H
#define SINEW_PROGRAM_H

#include "sinew/component.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_program sinew_program;

/* Reads a program. NULL with `error` filled if the text is not one, or memory is out. */
SINEW_API sinew_program *sinew_program_create(const char *text, sinew_error *error);
/* Another reference; and gives one back. NULL is allowed. */
SINEW_API sinew_program *sinew_program_retain(sinew_program *program);
SINEW_API void sinew_program_release(sinew_program *program);
/* The text, valid as long as the program. */
SINEW_API const char *sinew_program_text(const sinew_program *program);

/* How many operations run in a pose. */
SINEW_API int sinew_program_operations(const sinew_program *program);

/* A program as an object parameter of a component. */
SINEW_API extern const sinew_object_class sinew_program_object;

/* For classes whose components run a program. A class takes its functions from here
 * (sinew_program_fill_class, when its tables are set) and calls the others in `turns`, `size` and
 * `setup`.
 * It may have a try_eval besides, for components without a program, and then says by `pure` which
 * have one. */
SINEW_API void sinew_program_fill_class(sinew_component_class *dest);
/* For `turns`: whether the program is a rotation about a fixed axis, so that the engine evaluates
 * it as it evaluates its own. */
SINEW_API bool sinew_program_turns(const sinew_setup *setup, const sinew_program *program);
SINEW_API size_t sinew_program_size(const sinew_setup *setup, const sinew_program *program);
/* Checks that the program fits the class's ports and the component's parameters, and computes what
 * depends on parameters alone. */
SINEW_API void sinew_program_setup(sinew_setup *setup, const sinew_program *program, void *data);
/* The program that a component of such a class runs, or NULL if it has none. */
SINEW_API const sinew_program *sinew_program_of(const sinew_node *node);

#ifdef __cplusplus
}
#endif

#endif
