/* How long something may go on in C: until a deadline, until somebody cancels it, until Ctrl-C. */

#ifndef FCDL_PATIENCE_H
#define FCDL_PATIENCE_H

#include <Python.h>

typedef struct {
    double deadline, next_signals; /* in seconds; no deadline: infinity */
    const volatile int *cancelled; /* set by another thread; NULL: by nobody */
    PyThreadState *thread;         /* NULL: the GIL is held */
    int stopped, interrupted;
} Patience;

enum { HOLD_GIL, RELEASE_GIL };

/* Begins with the GIL, and releases it if that is wanted. Seconds of 0 are no limit. */
void patience_begin(Patience *patience, double seconds, const volatile int *cancelled, int gil);

/* Whether to stop. Costs a look at the clock; now and then also at signals. */
int patience_is_over(Patience *patience);

/* The same, for `stop` of a frame. */
int patience_stop(void *patience);

/* Ends with the GIL; -1 with a Python error if a signal ended the work. */
int patience_end(Patience *patience);

#endif
