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

/* All that a run of the game depends on. Equal texts: code that was made for one program runs the other. */
static void add_program(Text *text, const Program *program) {
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
                             (int64_t)program->sets_at - state,
                             program->game_size};
    add(text, facts, sizeof facts);
    add(text, program->in_play, sizeof program->in_play);
    add(text, program->kinds, sizeof program->kinds);
    add(text, program->ordered, program->zone_slots);
    for (uint32_t n = 0; n < program->game_size; n++) {
        const Instruction *i = &program->code[n];
        const uint16_t operands[] = {i->a, i->b, i->c, i->d, i->e, i->f};
        const char *kinds = SIGNATURES[i->op];
        add_number(text, i->op);
        add_number(text, i->steps);
        add_number(text, program->node_of[n]);
        add(text, program->arrival_nodes + program->arrivals[n], i->steps * sizeof(uint16_t));
        for (int k = 0; kinds[k]; k++) {
            add_operand(text, program, kinds[k], operands[k]);
            if (kinds[k] == 'R') add(text, program->returns + operands[k], operands[k + 1] * sizeof(uint16_t));
        }
    }
}

PyObject *program_text(const Program *program) {
    Text text = {0};
    add_program(&text, program);
    PyObject *bytes =
        text.failed ? PyErr_NoMemory() : PyBytes_FromStringAndSize((const char *)text.data, (Py_ssize_t)text.used);
    free(text.data);
    return bytes;
}

/* --- libraries */

static int is_made_for(const Program *made, const Program *program) {
    if (made->game_size != program->game_size || made->players != program->players ||
        made->deck_size != program->deck_size || made->variables != program->variables)
        return 0; /* as most are */
    Text one = {0}, other = {0};
    add_program(&one, made);
    add_program(&other, program);
    int same = !one.failed && !other.failed && one.used == other.used && memcmp(one.data, other.data, one.used) == 0;
    free(one.data);
    free(other.data);
    return same;
}

int library_use(Program *program, const char *path) {
#ifdef _WIN32
    (void)program, (void)path;
    return 0;
#else
    if (program->compiled) return 1;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    const CompiledGame *const *games = (const CompiledGame *const *)dlsym(library, COMPILED_GAMES_NAME);
    for (; games && *games; games++) {
        if (strcmp((*games)->abi, FCDL_ABI) != 0 || ((*games)->fast_bits && !machine_has_fast_bits())) break;
        if (!is_made_for((*games)->program, program)) continue;
        program->library = library;
        __atomic_store_n(&program->compiled, (*games)->run, __ATOMIC_RELEASE);
        return 1;
    }
    dlclose(library);
    return 0;
#endif
}

void library_leave(Program *program) {
#ifndef _WIN32
    if (program->library) dlclose(program->library);
#endif
    program->library = NULL;
    __atomic_store_n(&program->compiled, NULL, __ATOMIC_RELEASE);
}
