#include "interpreter.h"

#include <string.h>

#include "arithmetic.h"
#include "bodies.h"
#include "melds.h"
#include "random.h"

#if defined(__GNUC__) && !defined(__clang__)
/* GCC would merge the jumps at the ends of the instructions into one. */
#define KEEP_JUMPS __attribute__((optimize("no-gcse", "no-crossjumping")))
#else
#define KEEP_JUMPS
#endif

/* --- the values of a choice */

static int is_offered(const Frame *frame, int32_t value) {
    for (int n = 0; n < frame->value_count; n++)
        if (frame->values[n] == value) return 1;
    return 0;
}

static void offer_value(Frame *frame, int32_t value) {
    if (frame->value_count < MAX_VALUES && !is_offered(frame, value)) frame->values[frame->value_count++] = value;
}

static void offer_range(Frame *frame, int64_t low, int64_t high) {
    if (high > low + MAX_RANGE - 1) high = low + MAX_RANGE - 1;
    const int others = frame->value_count;
    for (; low <= high && frame->value_count < MAX_VALUES; low++) {
        int n = 0;
        while (n < others && frame->values[n] != low) n++;
        if (n == others) frame->values[frame->value_count++] = (int32_t)low;
    }
}

/* --- four builds */

#define JOIN(a, b) a##b
#define SET uint64_t
#define WIDE 0
#define NAME(name) JOIN(name, _64)
#include "run.h"
#undef SET
#undef WIDE
#undef NAME
#define SET unsigned __int128
#define WIDE 1
#define NAME(name) JOIN(name, _128)
#include "run.h"
#undef SET
#undef WIDE
#undef NAME

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__BMI2__)
#define FAST_BITS 1
#pragma GCC push_options
#pragma GCC target("bmi,bmi2,popcnt,lzcnt")
#define SET uint64_t
#define WIDE 0
#define NAME(name) JOIN(name, _64_fast)
#include "run.h"
#undef SET
#undef WIDE
#undef NAME
#define SET unsigned __int128
#define WIDE 1
#define NAME(name) JOIN(name, _128_fast)
#include "run.h"
#undef SET
#undef WIDE
#undef NAME
#pragma GCC pop_options
#endif

#ifdef FAST_BITS
const Runner runners[2][2] = {{run_64, run_128}, {run_64_fast, run_128_fast}};
#else
const Runner runners[2][2] = {{run_64, run_128}, {run_64, run_128}};
#endif
int fast_bits;

void use_fast_bits_if(int wanted) {
    fast_bits = 0;
#ifdef FAST_BITS
    __builtin_cpu_init();
    fast_bits = wanted && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    (void)wanted;
#endif
}
