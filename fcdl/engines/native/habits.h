/* Habits: how good moves were on average, whenever they were made at the same node by the same player. */

enum { HABITS = 1 << 14, MAX_HABITUAL = 512 };

/* Moves that fall on the same place share it. */
typedef struct {
    float visits, total;
} Habit;

/* What was made in an iteration: habits, and who followed them. */
typedef struct {
    int count;
    uint16_t habit[MAX_HABITUAL];
    uint8_t mover[MAX_HABITUAL];
} Made;

static inline uint32_t habit_of(uint64_t place, int32_t label) {
    uint64_t key = place << 32 ^ (uint64_t)(uint32_t)label ^ UINT64_C(0xe7037ed1a0b428db);
    key *= UINT64_C(0xa0761d6478bd642f);
    return (uint32_t)((key ^ key >> 32) % HABITS);
}

static inline void remember(Made *made, uint32_t habit, int mover) {
    if (made->count == MAX_HABITUAL) return;
    made->habit[made->count] = (uint16_t)habit;
    made->mover[made->count++] = (uint8_t)mover;
}

static void learn(Habit *habits, const Made *made, const double *worth) {
    for (int n = 0; n < made->count; n++) {
        habits[made->habit[n]].visits += 1;
        habits[made->habit[n]].total += (float)worth[made->mover[n]];
    }
}

/* The move that was best on average, one never made before all others, any of them if several are equal; moves that are
   to be left out (NULL: none) are not all of them. */
static int habitual_move(const Habit *habits, const Moves *moves, const uint8_t *left_out, uint64_t place,
                         uint64_t *random) {
    float best = -INFINITY;
    uint32_t equals = 0;
    int chosen = 0;
    for (int n = 0; n < moves->count; n++) {
        if (left_out && left_out[n]) continue;
        const Habit *habit = &habits[habit_of(place, moves->label[n])];
        float mean = habit->visits > 0 ? habit->total / habit->visits : INFINITY;
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
