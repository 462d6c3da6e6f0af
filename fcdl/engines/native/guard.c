#include "guard.h"

#include "interpreter.h"

/* Sanitizers are to see crashes. */
#if defined(_WIN32) || defined(__SANITIZE_ADDRESS__)

void guard_begin(void) {}

int guarded_run(Frame *frame, int mode, int (*compiled)(Frame *, int)) { return compiled(frame, mode); }

int guarded_call(Frame *frame, Callee compiled, const int32_t *arguments, int32_t *value) {
    *value = compiled(frame, arguments);
    return 1;
}

void *guard_pause(void) { return NULL; }

void guard_go_on(void *paused) { (void)paused; }

#else

#include <signal.h>

/* A jump that keeps no signal mask, for there is no signal that is held back here. */
#if defined(__x86_64__) && defined(__GNUC__)
typedef void *WayOut[5];
#define COMES_BACK(way) __builtin_setjmp(way)
#define LEAVE_BY(way) __builtin_longjmp(way, 1)
#else
#include <setjmp.h>
typedef sigjmp_buf WayOut;
#define COMES_BACK(way) sigsetjmp(way, 0)
#define LEAVE_BY(way) siglongjmp(way, 1)
#endif

#ifdef __GLIBC__
#define FAST_TO_FIND __attribute__((tls_model("initial-exec")))
#else
#define FAST_TO_FIND
#endif

static const int CRASHES[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
enum { CRASH_COUNT = sizeof CRASHES / sizeof *CRASHES };
static struct sigaction before[CRASH_COUNT];

static __thread FAST_TO_FIND WayOut *way_out; /* of the compiled code that this thread is in; NULL: in none */

static void crashed(int number) {
    if (way_out) LEAVE_BY(*way_out);
    for (int n = 0; n < CRASH_COUNT; n++) /* not ours: it happens again, and is treated as it was before */
        if (CRASHES[n] == number) sigaction(number, &before[n], NULL);
}

void guard_begin(void) {
    static int begun;
    if (begun) return;
    begun = 1;
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_NODEFER};
    for (int n = 0; n < CRASH_COUNT; n++) sigaction(CRASHES[n], &action, &before[n]);
}

void *guard_pause(void) {
    void *paused = way_out;
    way_out = NULL;
    return paused;
}

void guard_go_on(void *paused) { way_out = paused; }

/* Copies all slots and sets but the constants. */
static void copy_memory(const Program *program, unsigned char *to, const unsigned char *from) {
    size_t first = program->constants * sizeof(int32_t);
    size_t after = program->sets_at + (program->zone_slots + program->set_temporaries) * set_bytes(program);
    memcpy(to + first, from + first, after - first);
}

/* Notes how a run begins; if what came before it is not noted, all that there is. */
static void note(Frame *frame, int mode) {
    Past *past = &frame->past;
    if (!past->lasting || past->runs == NOTED_RUNS || frame->answered) {
        past->state = NULL;
        past->runs = 0;
        past->at = frame->at;
        past->ask = frame->ask;
        past->answered = frame->answered;
        past->number = frame->number;
        past->order_size = frame->order_size;
        if (frame->answered) memcpy(past->order, frame->order, sizeof past->order);
        copy_memory(frame->program, frame->memory + frame->program->frame_size, frame->memory);
    }
    past->run[past->runs++] =
        (NotedRun){frame->random, frame->fuel, frame->look, frame->move, (int16_t)frame->has_move, (int16_t)mode};
}

/* Back to where the last run began. */
static void go_back(Frame *frame) {
    const Past past = frame->past;
    if (past.state) {
        frame_load(frame, past.state);
    } else {
        frame->at = past.at;
        frame->ask = past.ask;
        frame->answered = past.answered;
        frame->number = past.number;
        frame->order_size = past.order_size;
        if (past.answered) memcpy(frame->order, past.order, sizeof past.order);
        copy_memory(frame->program, frame->memory, frame->memory + frame->program->frame_size);
    }
    for (int n = 0; n < past.runs; n++) {
        const NotedRun *run = &past.run[n];
        frame->random = run->random;
        frame->fuel = run->fuel;
        frame->look = run->look;
        frame->move = run->move;
        frame->has_move = run->has_move;
        if (n + 1 < past.runs) runners[fast_bits][frame->program->width](frame, run->mode);
    }
}

int guarded_run(Frame *frame, int mode, int (*compiled)(Frame *, int)) {
    WayOut here, *const outer = way_out;
    note(frame, mode);
    if (COMES_BACK(here)) {
        way_out = outer;
        __atomic_store_n(&((Program *)frame->program)->compiled, NULL, __ATOMIC_RELEASE);
        go_back(frame);
        return RESULT_ELSEWHERE;
    }
    way_out = &here;
    int result = compiled(frame, mode);
    way_out = outer;
    return result;
}

int guarded_call(Frame *frame, Callee compiled, const int32_t *arguments, int32_t *value) {
    WayOut here, *const outer = way_out;
    if (COMES_BACK(here)) {
        way_out = outer;
        __atomic_store_n(&((Program *)frame->program)->compiled_functions, NULL, __ATOMIC_RELEASE);
        frame_refuel(frame);
        return 0;
    }
    way_out = &here;
    *value = compiled(frame, arguments);
    way_out = outer;
    return 1;
}

#endif
