#include "interpreter.h"

#include "bodies.h"

#if defined(__GNUC__) && !defined(__clang__)
/* GCC would merge the jumps at the ends of the instructions into one. */
#define KEEP_JUMPS __attribute__((optimize("no-gcse", "no-crossjumping")))
#else
#define KEEP_JUMPS
#endif

/* --- six builds */

#define JOIN(a, b) a##b
#define SET uint64_t
#define SET_WORDS 1
#define NAME(name) JOIN(name, _64)
#include "run.h"
#undef SET
#undef SET_WORDS
#undef NAME
#define SET unsigned __int128
#define SET_WORDS 2
#define NAME(name) JOIN(name, _128)
#include "run.h"
#undef SET
#undef SET_WORDS
#undef NAME
#define SET Set256
#define SET_WORDS 4
#define NAME(name) JOIN(name, _256)
#include "run.h"
#undef SET
#undef SET_WORDS
#undef NAME

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__BMI2__)
#define FAST_BITS 1
#pragma GCC push_options
#pragma GCC target("bmi,bmi2,popcnt,lzcnt")
#define SET uint64_t
#define SET_WORDS 1
#define NAME(name) JOIN(name, _64_fast)
#include "run.h"
#undef SET
#undef SET_WORDS
#undef NAME
#define SET unsigned __int128
#define SET_WORDS 2
#define NAME(name) JOIN(name, _128_fast)
#include "run.h"
#undef SET
#undef SET_WORDS
#undef NAME
#define SET Set256
#define SET_WORDS 4
#define NAME(name) JOIN(name, _256_fast)
#include "run.h"
#undef SET
#undef SET_WORDS
#undef NAME
#pragma GCC pop_options
#endif

#ifdef FAST_BITS
const Runner runners[2][3] = {{run_64, run_128, run_256}, {run_64_fast, run_128_fast, run_256_fast}};
#else
const Runner runners[2][3] = {{run_64, run_128, run_256}, {run_64, run_128, run_256}};
#endif
int fast_bits;

int machine_has_fast_bits(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

void use_fast_bits_if(int wanted) {
#ifdef FAST_BITS
    fast_bits = wanted && machine_has_fast_bits();
#else
    fast_bits = 0;
    (void)wanted;
#endif
}
