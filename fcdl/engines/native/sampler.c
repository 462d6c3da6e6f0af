/* Worlds for a seat: the unit of sampler.h. */

#include "types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "functions.h"
#include "patience.h"
#include "random.h"

#include "sampler.h"

PyObject *draw_worlds_of_program(PyObject *self, PyObject *args) { return program_worlds(self, args); }
