#include "patience.h"

#include <math.h>
#include <time.h>

#include "guard.h"

enum { SIGNALS_PER_SECOND = 20 };

static double now(void) {
    struct timespec time;
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &time);
#else
    timespec_get(&time, TIME_UTC);
#endif
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void patience_begin(Patience *patience, double seconds, const volatile int *cancelled, int gil) {
    double start = now();
    *patience = (Patience){.deadline = seconds > 0 ? start + seconds : INFINITY,
                           .next_signals = start + 1.0 / SIGNALS_PER_SECOND,
                           .cancelled = cancelled,
                           .thread = gil == RELEASE_GIL ? PyEval_SaveThread() : NULL};
}

int patience_is_over(Patience *patience) {
    if (patience->stopped) return 1;
    double time = now();
    if (time >= patience->next_signals) {
        if (patience->thread) PyEval_RestoreThread(patience->thread);
        patience->interrupted = PyErr_CheckSignals() < 0;
        if (patience->thread) patience->thread = PyEval_SaveThread();
        patience->next_signals = now() + 1.0 / SIGNALS_PER_SECOND;
    }
    patience->stopped =
        patience->interrupted || (patience->cancelled && *patience->cancelled) || time >= patience->deadline;
    return patience->stopped;
}

int patience_stop(void *patience) {
    void *paused = guard_pause();
    int over = patience_is_over(patience);
    guard_go_on(paused);
    return over;
}

int patience_end(Patience *patience) {
    if (patience->thread) PyEval_RestoreThread(patience->thread);
    return patience->interrupted ? -1 : 0;
}
