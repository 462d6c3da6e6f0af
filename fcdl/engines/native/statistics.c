#include "statistics.h"

#include <math.h>

#include "random.h"

void learn(Statistic *statistics, const Made *made, const double *worth) {
    for (int n = 0; n < made->count; n++) {
        statistics[made->statistic[n]].visits += 1;
        statistics[made->statistic[n]].total += (float)worth[made->mover[n]];
    }
}

int best_on_average(const Statistic *statistics, const Moves *moves, const uint8_t *left_out, uint64_t place,
                    uint64_t *random) {
    float best = -INFINITY;
    uint32_t equals = 0;
    int chosen = 0;
    for (int n = 0; n < moves->count; n++) {
        if (left_out && left_out[n]) continue;
        const Statistic *statistic = &statistics[statistic_of(place, moves->label[n])];
        float mean = statistic->visits > 0 ? statistic->total / statistic->visits : INFINITY;
        if (equals == 0 || mean > best) {
            best = mean;
            chosen = n;
            equals = 1;
        } else if (mean == best && random_below(random, ++equals) == 0) {
            chosen = n;
        }
    }
    return chosen;
}
