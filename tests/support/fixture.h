/* What most tests share: an error to fill, and objects that are destroyed with their block. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "owned.h"

static sinew_error error __attribute__((unused));

#endif
