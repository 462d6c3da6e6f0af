/* Compiled programs: which program they were made for, and how they are found in a library. */

#include "types.h"

#include <string.h>

#include "library.h"

#ifndef _WIN32
#include <dlfcn.h>
#endif

/* --- what a program is, whatever the numbers of its slots are */

typedef struct {
    unsigned char *data;
    size_t used, capacity;
    int failed;
} Text;

static void add(Text *text, const void *data, size_t size) {
    if (text->failed) return;
    if (text->capacity - text->used < size) {
        size_t capacity = 2 * text->capacity + size + 4096;
        unsigned char *grown = realloc(text->data, capacity);
        if (!grown) {
            text->failed = 1;
            return;
        }
        text->data = grown;
        text->capacity = capacity;
    }
    memcpy(text->data + text->used, data, size);
    text->used += size;
}

static void add_number(Text *text, int64_t number) { add(text, &number, sizeof number); }

static void add_table(Text *text, const Table *table, const void *entries, size_t size) {
    add_number(text, table->low);
    add_number(text, table->high);
    add(text, (const unsigned char *)entries + table->first * size, (size_t)(table->high - table->low + 1) * size);
}

/* An operand: constants and tables as their values, all else by its place among its like. */
static void add_operand(Text *text, const Program *program, char kind, uint16_t operand) {
    const size_t set_size = set_bytes(program);
    const uint32_t first_variable = program->constants + program->temporaries,
                   first_set_constant = program->zone_slots + program->set_temporaries;
    add(text, &kind, 1);
    switch (kind) {
    case 's':
    case 'p':
    case 'd':
    case 'B':
        if (operand < program->constants) {
            add(text, "c", 1);
            add(text, &program->first_slots[operand], sizeof(int32_t));
        } else {
            add(text, operand < first_variable ? "t" : "v", 1);
            add_number(text, operand - (operand < first_variable ? program->constants : first_variable));
        }
        break;
    case 'S':
    case 'D':
        add(text, operand < first_set_constant ? "m" : "c", 1);
        if (operand < first_set_constant) add_number(text, operand);
        else add(text, (const unsigned char *)program->first_sets + operand * set_size, set_size);
        break;
    case 'T':
    case 'C':
        add_table(text, &program->tables[operand], program->entries, sizeof(int32_t));
        break;
    case 'M':
        add_table(text, &program->set_tables[operand], program->set_entries, set_size);
        break;
    default:
        add_number(text, operand);
    }
}

/* Instructions, whatever the number of the first of them is. */
static void add_code(Text *text, const Program *program, uint32_t first, uint32_t after) {
    for (uint32_t n = first; n < after; n++) {
        const Instruction *i = &program->code[n];
        const uint16_t operands[] = {i->a, i->b, i->c, i->d, i->e, i->f};
        const char *kinds = SIGNATURES[i->op];
        add_number(text, i->op);
        add_number(text, i->steps);
        for (int k = 0; kinds[k]; k++) {
            if (kinds[k] == 'J') add_number(text, (int64_t)operands[k] - first);
            else add_operand(text, program, kinds[k], operands[k]);
            if (kinds[k] == 'R') add(text, program->returns + operands[k], operands[k + 1] * sizeof(uint16_t));
        }
    }
}

/* How a position lies in memory. */
static void add_layout(Text *text, const Program *program) {
    const int64_t state = (int64_t)program->state_at, slots = state / (int64_t)sizeof(int32_t);
    const int64_t facts[] = {program->players,
                             program->places,
                             program->deck_size,
                             program->has_copies,
                             program->pack,
                             program->score - slots,
                             program->passed - slots,
                             program->picks_left - slots,
                             program->zones,
                             program->zone_slots,
                             program->variables,
                             program->links,
                             program->width,
                             (int64_t)program->header_at - state,
                             (int64_t)program->links_at - state,
                             (int64_t)program->sets_at - state};
    add(text, facts, sizeof facts);
    add(text, program->in_play, sizeof program->in_play);
    add(text, program->kinds, sizeof program->kinds);
    add(text, program->ordered, program->zone_slots);
}

/* All that a run of a part depends on. Equal texts: code that was made for one program runs the other. */
static void add_part(Text *text, const Program *program, Part part) {
    const uint32_t size = program->game_size;
    add_number(text, part);
    add_layout(text, program);
    if (part == GAME_PART) {
        add_number(text, size);
        add_code(text, program, 0, size);
        for (uint32_t n = 0; n < size; n++)
            add(text, program->arrival_nodes + program->arrivals[n], program->code[n].steps * sizeof(uint16_t));
        add(text, program->node_of, size * sizeof(uint16_t));
        return;
    }
    for (uint32_t n = 0; n < program->function_count; n++) {
        const Function *function = &program->functions[n];
        add_number(text, function->entry - size);
        add_number(text, function->parameters);
        add_number(text, function->arguments - program->constants);
        add_operand(text, program, 's', (uint16_t)function->result);
    }
    add_code(text, program, size, program->code_size);
}

PyObject *program_text(const Program *program, int functions) {
    Text text = {0};
    add_part(&text, program, functions ? FUNCTIONS_PART : GAME_PART);
    PyObject *bytes =
        text.failed ? PyErr_NoMemory() : PyBytes_FromStringAndSize((const char *)text.data, (Py_ssize_t)text.used);
    free(text.data);
    return bytes;
}

/* --- libraries */

static int is_made_for(const Program *made, const Program *program, Part part) {
    if (made->players != program->players || made->deck_size != program->deck_size ||
        made->variables != program->variables ||
        (part == GAME_PART ? made->game_size != program->game_size : made->function_count != program->function_count))
        return 0; /* as most are */
    Text one = {0}, other = {0};
    add_part(&one, made, part);
    add_part(&other, program, part);
    int same = !one.failed && !other.failed && one.used == other.used && memcmp(one.data, other.data, one.used) == 0;
    free(one.data);
    free(other.data);
    return same;
}

#ifndef _WIN32
static int use_part(Program *program, const char *path, Part part) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    const CompiledGame *const *games = (const CompiledGame *const *)dlsym(library, COMPILED_GAMES_NAME);
    for (; games && *games; games++) {
        const CompiledGame *game = *games;
        if (strcmp(game->abi, FCDL_ABI) != 0 || (game->fast_bits && !machine_has_fast_bits())) break;
        if (!(part == GAME_PART ? game->run != NULL : game->functions != NULL)) continue;
        if (!is_made_for(game->program, program, part)) continue;
        program->libraries[part] = library;
        guard_begin();
        if (part == GAME_PART) __atomic_store_n(&program->compiled, game->run, __ATOMIC_RELEASE);
        else __atomic_store_n(&program->compiled_functions, game->functions, __ATOMIC_RELEASE);
        return 1;
    }
    dlclose(library);
    return 0;
}
#endif

int library_use(Program *program, const char *path) {
    int used = 0;
#ifndef _WIN32
    used |= program->compiled || use_part(program, path, GAME_PART);
    if (program->function_count) used |= program->compiled_functions || use_part(program, path, FUNCTIONS_PART);
#else
    (void)program, (void)path;
#endif
    return used;
}

void library_leave(Program *program) {
    __atomic_store_n(&program->compiled, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&program->compiled_functions, NULL, __ATOMIC_RELEASE);
#ifndef _WIN32
    for (int part = GAME_PART; part <= FUNCTIONS_PART; part++)
        if (program->libraries[part]) dlclose(program->libraries[part]);
#endif
    memset(program->libraries, 0, sizeof program->libraries);
}
