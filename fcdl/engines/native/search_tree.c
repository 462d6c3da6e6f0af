#include "search_tree.h"

#include <math.h>
#include <stdlib.h>

#include "random.h"

enum { MAX_PATH = 1024, LOGARITHMS = 4096 };
#define HIDDEN_MOVE INT32_MIN

#define PRIOR_SOFTNESS 1.0 /* of a policy that has no temperature */
#define PRIOR_DOUBT 0.1    /* the part of a prior that is the same for all moves, so that none is ruled out */

static float logarithms[LOGARITHMS]; /* filled when the module is loaded */

void fill_logarithms(void) {
    for (int n = 1; n < LOGARITHMS; n++) logarithms[n] = logf((float)n);
}

static inline double logarithm(uint32_t n) { return n < LOGARITHMS ? (double)logarithms[n] : log((double)n); }

/* Room for so many nodes, or for fewer where memory is short, but for `least`; -1: there is none. */
static int tree_open(Tree *tree, uint32_t limit, uint32_t least) {
    for (tree->limit = limit < least ? least : limit; tree->limit >= least; tree->limit /= 2) {
        tree->nodes = malloc(tree->limit * sizeof *tree->nodes);
        if (tree->nodes) return 0;
    }
    return -1;
}

/* A new node below a parent, or NO_NODE when the tree is full. */
static uint32_t tree_add(Tree *tree, uint32_t parent, uint32_t place, int32_t label) {
    if (tree->used == tree->limit) return NO_NODE;
    uint32_t sibling = NO_NODE;
    if (parent != NO_NODE) {
        sibling = tree->nodes[parent].child;
        tree->nodes[parent].child = tree->used;
    }
    tree->nodes[tree->used] = (TreeNode){.place = place, .label = label, .child = NO_NODE, .sibling = sibling};
    return tree->used++;
}

static uint32_t tree_find(const Tree *tree, uint32_t parent, uint32_t place, int32_t label) {
    uint32_t child = tree->nodes[parent].child;
    while (child != NO_NODE && (tree->nodes[child].place != place || tree->nodes[child].label != label))
        child = tree->nodes[child].sibling;
    return child;
}

/* The players who see which move is made at the decision where the frame stands. A pass is seen by all. */
static uint64_t seers_of_decision(const Question *question, const Frame *frame) {
    const Program *program = frame->program;
    const Instruction *i = &program->code[frame->at];
    const int32_t *v = (const int32_t *)(const void *)frame->memory;
    uint64_t mover = UINT64_C(1) << frame->header->mover;
    if (frame->header->kind == KIND_CHOOSE) {
        uint8_t secret = question->secrets[frame->header->node];
        if (secret == 0) return ~UINT64_C(0);
        return secret == 2 ? mover | UINT64_C(1) << v[i->c] : mover;
    }
    if (is_set_decision(frame->header)) {
        uint64_t seers = mover | question->zone_seers[i->d + (uint32_t)v[i->e]];
        uint32_t place = (uint32_t)v[i->c];
        return place < (uint32_t)program->places ? seers | question->zone_seers[i->b + place] : seers;
    }
    uint32_t place = (uint32_t)v[i->op == OP_PLAYT ? i->a : i->d], source = i->op == OP_PLAYT ? i->d : i->c;
    uint64_t seers = mover | question->zone_seers[i->e + (uint32_t)v[i->f]];
    return place < (uint32_t)program->places ? seers | question->zone_seers[source + place] : seers;
}

static inline uint32_t place_of(const Frame *frame) {
    return (uint32_t)frame->header->node << 8 | (uint32_t)frame->header->mover;
}

/* Plays on from a decision by statistics. */
static void play_by_statistics(TreeSearch *search, Made *made) {
    Frame *frame = &search->frame;
    const uint32_t curiosity = (uint32_t)(search->curiosity * 4294967295.0);
    Moves moves;
    for (int result = RESULT_DECISION; result == RESULT_DECISION;) {
        int chosen = 0;
        if (search->scripted && frame->header->mover != search->question->seat) {
            result = make_move(search->question, frame, playout_move(search->question, frame));
            continue;
        }
        list_moves(frame, &moves);
        if (moves.count > 1) {
            uint32_t place = place_of(frame);
            chosen = next_random(&frame->random) >> 32 < curiosity
                       ? (int)random_below(&frame->random, (uint32_t)moves.count)
                       : best_on_average(search->statistics, &moves, NULL, place, &frame->random);
            remember(made, statistic_of(place, moves.label[chosen]), frame->header->mover);
        }
        result = make_move(search->question, frame, moves.move[chosen]);
    }
}

/* The move to make at a decision: the most promising of those made before, or one that was not; -1 if there is none. */
static int select_move(TreeSearch *search, const Moves *moves, uint32_t parent, uint32_t place, uint32_t *selected) {
    TreeNode *nodes = search->tree.nodes;
    uint8_t tried[MAX_MOVES];
    memset(tried, 0, (size_t)moves->count);
    int best = -1, untried = moves->count;
    double best_bound = 0;
    *selected = NO_NODE;
    for (uint32_t child = nodes[parent].child; child != NO_NODE; child = nodes[child].sibling) {
        TreeNode *node = &nodes[child];
        int at = node->place == place ? find_move(moves, node->label) : -1;
        if (at < 0) continue;
        tried[at] = 1;
        untried--;
        node->available++;
        double visits = node->visits;
        double bound = node->total / visits + search->c * sqrt(2 * logarithm(node->available) / visits);
        if (best < 0 || bound > best_bound) best = at, best_bound = bound, *selected = child;
    }
    if (untried == 0) return best;
    int at = 0;
    if (search->statistics) {
        at = best_on_average(search->statistics, moves, tried, place, &search->frame.random);
    } else {
        int skip = (int)random_below(&search->frame.random, (uint32_t)untried);
        while (tried[at] || skip-- > 0) at++;
    }
    uint32_t added = tree_add(&search->tree, parent, place, moves->label[at]);
    if (added == NO_NODE) return best; /* the tree is full */
    search->tree.nodes[added].available = 1;
    *selected = added;
    return at;
}

/* What the prior makes of the moves in the world at hand: the probabilities of a policy, and a part for every move. */
static void find_prior(TreeSearch *search, const Moves *moves, double *prior) {
    const uint32_t count = (uint32_t)moves->count;
    prior[0] = 1;
    if (count == 1) return;
    policy_worths_of(&search->frame, search->prior, count, moves->move, prior);
    soft_probabilities(search->prior, PRIOR_SOFTNESS, count, prior, prior);
    for (uint32_t n = 0; n < count; n++) prior[n] = (1 - PRIOR_DOUBT) * prior[n] + PRIOR_DOUBT / count;
}

/* The same by a prior: the move of the highest mean + c * prior * sqrt(available) / (1 + visits). What was not made yet
   counts as if it brought the mean of the others, and could have been made as often as they were. */
static int select_by_prior(TreeSearch *search, const Moves *moves, const double *prior, uint32_t parent, uint32_t place,
                           uint32_t *selected) {
    TreeNode *nodes = search->tree.nodes;
    uint32_t child_of[MAX_MOVES], visits = 0;
    double total = 0;
    for (int n = 0; n < moves->count; n++) child_of[n] = NO_NODE;
    for (uint32_t child = nodes[parent].child; child != NO_NODE; child = nodes[child].sibling) {
        int at = nodes[child].place == place ? find_move(moves, nodes[child].label) : -1;
        if (at < 0) continue;
        child_of[at] = child;
        nodes[child].available++;
        visits += nodes[child].visits;
        total += nodes[child].total;
    }
    const int full = search->tree.used == search->tree.limit;
    const double mean = visits ? total / visits : 0;
    int best = -1;
    double best_bound = 0;
    uint32_t equals = 0;
    for (int n = 0, next; n < moves->count; n = next) {
        double part = prior[n]; /* of all copies of a card, which come one after the other */
        for (next = n + 1; next < moves->count && moves->label[next] == moves->label[n]; next++) part += prior[next];
        const TreeNode *node = child_of[n] == NO_NODE ? NULL : &nodes[child_of[n]];
        if (!node && full) continue;
        double made = node ? node->visits : 0, available = node ? node->available : visits + 1;
        double value = made > 0 ? node->total / made : mean;
        double bound = value + search->c * part * sqrt(available) / (1 + made);
        if (best < 0 || bound > best_bound) best = n, best_bound = bound, equals = 1;
        else if (bound == best_bound && random_below(&search->frame.random, ++equals) == 0) best = n;
    }
    *selected = best < 0 ? NO_NODE : child_of[best];
    if (best < 0 || *selected != NO_NODE) return best;
    *selected = tree_add(&search->tree, parent, place, moves->label[best]);
    search->tree.nodes[*selected].available = visits + 1;
    return best;
}

/* The others go on in their trees along what they see of a move. */
static void follow_move(TreeSearch *search, uint32_t *at, int mover, uint32_t place, int32_t label, uint64_t seers) {
    for (int p = 0; p < search->question->program->players; p++) {
        if (p == mover || at[p] == NO_NODE) continue;
        int32_t seen = label == PASS || seers >> p & 1 ? label : HIDDEN_MOVE;
        uint32_t child = tree_find(&search->tree, at[p], place, seen);
        at[p] = child != NO_NODE ? child : tree_add(&search->tree, at[p], place, seen);
    }
}

/* Makes a scripted move: nothing is tried, the trees only go on along what is seen of it. */
static int make_rival_move(TreeSearch *search, uint32_t *at, uint32_t place) {
    const Question *question = search->question;
    Frame *frame = &search->frame;
    const int mover = frame->header->mover;
    int32_t move = playout_move(question, frame);
    int is_card = move >= 0 && frame->header->kind <= KIND_PICK;
    int32_t label = is_card ? frame->program->kinds[move] : move;
    if (search->multiple) {
        follow_move(search, at, mover, place, label, seers_of_decision(question, frame));
    } else {
        uint32_t child = tree_find(&search->tree, at[0], place, label);
        at[0] = child != NO_NODE ? child : tree_add(&search->tree, at[0], place, label);
    }
    return make_move(question, frame, move);
}

/* One iteration: down the tree in one world, a new node, a playout, and what it was worth back up. */
static void tree_iterate(TreeSearch *search, uint64_t n) {
    const Question *question = search->question;
    const int players = question->program->players;
    Frame *frame = &search->frame;
    uint32_t at[MAX_PLAYERS], path[MAX_PATH];
    uint8_t movers[MAX_PATH];
    int length = 0;
    int32_t before[MAX_PLAYERS];
    double worth[MAX_PLAYERS], prior[MAX_MOVES];
    Moves moves;
    Made made = {.count = 0};
    double offset = (double)(mixed_seed(search->seed, 0) >> 11) * 0x1p-53;
    frame->random = mixed_seed(search->seed, n + 1);
    int result = load_world(question, frame, nth_world(question, offset, n));
    memcpy(before, scores_of(frame), (size_t)players * sizeof(int32_t));
    for (int p = 0; p < players; p++) {
        at[p] = search->multiple ? (uint32_t)p : 0;
        if (search->multiple && search->scripted && p != question->seat) at[p] = NO_NODE;
    }
    while (result == RESULT_DECISION && length < MAX_PATH) {
        int mover = frame->header->mover, tree = !search->multiple ? 0 : search->scripted ? question->seat : mover;
        if (at[tree] == NO_NODE) break;
        uint32_t place = place_of(frame);
        if (search->scripted && mover != question->seat) {
            result = make_rival_move(search, at, place);
            continue;
        }
        uint64_t seers = search->multiple ? seers_of_decision(question, frame) : 0;
        list_moves(frame, &moves);
        uint32_t selected;
        if (search->prior) find_prior(search, &moves, prior);
        int chosen = search->prior ? select_by_prior(search, &moves, prior, at[tree], place, &selected)
                                   : select_move(search, &moves, at[tree], place, &selected);
        if (chosen < 0) break;
        if (search->statistics && moves.count > 1) remember(&made, statistic_of(place, moves.label[chosen]), mover);
        if (search->multiple) follow_move(search, at, mover, place, moves.label[chosen], seers);
        at[tree] = path[length] = selected;
        movers[length++] = (uint8_t)mover;
        result = make_move(question, frame, moves.move[chosen]);
        if (search->tree.nodes[selected].visits == 0) break;
    }
    if (result == RESULT_DECISION && search->statistics) play_by_statistics(search, &made);
    else if (result == RESULT_DECISION) simulate(question, frame);
    if (search->patience->stopped) return; /* in the middle of a playout */
    utilities(question, frame, before, worth);
    if (search->statistics) learn(search->statistics, &made, worth);
    for (int step = 0; step < length; step++) {
        TreeNode *node = &search->tree.nodes[path[step]];
        node->visits++;
        node->total += worth[movers[step]];
    }
    search->iterations++;
}

int tree_search(TreeSearch *search, uint64_t iterations, uint32_t node_limit) {
    const Question *question = search->question;
    int roots = search->multiple ? question->program->players : 1;
    if (tree_open(&search->tree, node_limit, (uint32_t)roots + 1) < 0) return -1;
    if (search_frame_open(&search->frame, question, search->patience) < 0) return -1;
    search->statistics = search->curiosity < 1 ? calloc(STATISTICS, sizeof *search->statistics) : NULL;
    int failed = search->curiosity < 1 && !search->statistics;
    for (int p = 0; p < roots; p++) failed |= tree_add(&search->tree, NO_NODE, 0, 0) == NO_NODE;
    for (uint64_t n = 0; !failed && n < iterations; n++) {
        if (n > 0 && patience_is_over(search->patience)) break;
        tree_iterate(search, n);
    }
    frame_close(&search->frame);
    free(search->statistics);
    return failed ? -1 : 0;
}
