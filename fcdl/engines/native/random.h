/* Random numbers, and seeds for streams of them. */

#ifndef FCDL_RANDOM_H
#define FCDL_RANDOM_H

#include <stdint.h>

static inline uint64_t next_random(uint64_t *state) {
    *state += UINT64_C(0xa0761d6478bd642f);
    unsigned __int128 product = (unsigned __int128)*state * (*state ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static inline uint32_t random_below(uint64_t *state, uint32_t below) {
    return (uint32_t)(((unsigned __int128)next_random(state) * below) >> 64);
}

/* Where stream `number` of a seed begins. */
static inline uint64_t mixed_seed(uint64_t seed, uint64_t number) {
    uint64_t x = seed + UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* A number from 0 to below 1. */
static inline double random_fraction(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

#endif
