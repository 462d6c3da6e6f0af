/* Statistics: how good moves were on average, whenever they were made at the same node by the same player. */

#ifndef FCDL_STATISTICS_H
#define FCDL_STATISTICS_H

#include "search.h"

enum { STATISTICS = 1 << 14, MAX_RECORDED = 512 };

/* Moves that fall on the same place share it. */
typedef struct {
    float visits, total;
} Statistic;

/* What was made in an iteration: statistics, and who followed them. */
typedef struct {
    int count;
    uint16_t statistic[MAX_RECORDED];
    uint8_t mover[MAX_RECORDED];
} Made;

static inline uint32_t statistic_of(uint64_t place, int32_t label) {
    uint64_t key = place << 32 ^ (uint64_t)(uint32_t)label ^ UINT64_C(0xe7037ed1a0b428db);
    key *= UINT64_C(0xa0761d6478bd642f);
    return (uint32_t)((key ^ key >> 32) % STATISTICS);
}

static inline void remember(Made *made, uint32_t statistic, int mover) {
    if (made->count == MAX_RECORDED) return;
    made->statistic[made->count] = (uint16_t)statistic;
    made->mover[made->count++] = (uint8_t)mover;
}

/* What was made was worth this to each player. */
void learn(Statistic *statistics, const Made *made, const double *worth);

/* The move that was best on average, one never made before all others, any of them if several are equal; moves that are
   to be left out (NULL: none) are not all of them. */
int best_on_average(const Statistic *statistics, const Moves *moves, const uint8_t *left_out, uint64_t place,
                    uint64_t *random);

#endif
