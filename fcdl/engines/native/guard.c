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

#include <setjmp.h>
#include <signal.h>

#ifdef __GLIBC__
#define FAST_TO_FIND __attribute__((tls_model("initial-exec")))
#else
#define FAST_TO_FIND
#endif

static const int CRASHES[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
enum { CRASH_COUNT = sizeof CRASHES / sizeof *CRASHES };
static struct sigaction before[CRASH_COUNT];

static __thread FAST_TO_FIND sigjmp_buf *way_out; /* of the compiled code that this thread is in; NULL: in none */

static void crashed(int number) {
    if (way_out) siglongjmp(*way_out, 1);
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

/* What a run changes of a frame and may need again; slots and sets are kept in the frame's memory, behind them. */
typedef struct {
    uint32_t at;
    int has_move, ask, answered;
    int32_t move, number, order_size;
    uint8_t order[MAX_CARDS];
    uint64_t random;
    int64_t fuel, look;
} Kept;

/* Copies all slots and sets but the constants. */
static void copy_memory(const Frame *frame, unsigned char *to, const unsigned char *from) {
    const Program *program = frame->program;
    size_t first = program->constants * sizeof(int32_t);
    size_t after = program->sets_at + (program->zone_slots + program->set_temporaries) * set_bytes(program);
    memcpy(to + first, from + first, after - first);
}

static void keep(Frame *frame, Kept *kept) {
    kept->at = frame->at;
    kept->has_move = frame->has_move;
    kept->move = frame->move;
    kept->ask = frame->ask;
    kept->answered = frame->answered;
    kept->number = frame->number;
    kept->order_size = frame->order_size;
    if (frame->answered) memcpy(kept->order, frame->order, sizeof kept->order);
    kept->random = frame->random;
    kept->fuel = frame->fuel;
    kept->look = frame->look;
    copy_memory(frame, frame->memory + frame->program->frame_size, frame->memory);
}

static void restore(Frame *frame, const Kept *kept) {
    frame->at = kept->at;
    frame->has_move = kept->has_move;
    frame->move = kept->move;
    frame->ask = kept->ask;
    frame->answered = kept->answered;
    frame->number = kept->number;
    frame->order_size = kept->order_size;
    if (kept->answered) memcpy(frame->order, kept->order, sizeof kept->order);
    frame->random = kept->random;
    frame->fuel = kept->fuel;
    frame->look = kept->look;
    copy_memory(frame, frame->memory, frame->memory + frame->program->frame_size);
}

int guarded_run(Frame *frame, int mode, int (*compiled)(Frame *, int)) {
    sigjmp_buf here, *const outer = way_out;
    Kept kept;
    keep(frame, &kept);
    if (sigsetjmp(here, 0)) {
        way_out = outer;
        __atomic_store_n(&((Program *)frame->program)->compiled, NULL, __ATOMIC_RELEASE);
        restore(frame, &kept);
        return RESULT_ELSEWHERE;
    }
    way_out = &here;
    int result = compiled(frame, mode);
    way_out = outer;
    return result;
}

int guarded_call(Frame *frame, Callee compiled, const int32_t *arguments, int32_t *value) {
    sigjmp_buf here, *const outer = way_out;
    if (sigsetjmp(here, 0)) {
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
