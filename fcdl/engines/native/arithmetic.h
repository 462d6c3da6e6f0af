/* Arithmetic of charts: total, and within 32 bits. */

#ifndef FCDL_ARITHMETIC_H
#define FCDL_ARITHMETIC_H

#include <stdint.h>

#include "program.h"

static inline int32_t saturated(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

static inline int32_t saturated_sum(int32_t a, int32_t b) {
    int32_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT32_MIN : INT32_MAX) : sum;
}

static inline int32_t saturated_difference(int32_t a, int32_t b) {
    int32_t difference;
    return __builtin_sub_overflow(a, b, &difference) ? (b < 0 ? INT32_MAX : INT32_MIN) : difference;
}

static inline int32_t floor_divide(int32_t a, int32_t b) {
    if (b == 0) return 0;
    int64_t quotient = (int64_t)a / b;
    if ((int64_t)a % b != 0 && (a < 0) != (b < 0)) quotient--;
    return saturated(quotient);
}

static inline int32_t floor_modulo(int32_t a, int32_t b) {
    if (b == 0) return 0;
    int64_t rest = (int64_t)a % b;
    if (rest != 0 && (rest < 0) != (b < 0)) rest += b;
    return (int32_t)rest;
}

/* Where in its entries a table has a value: at the nearest that it has. */
static inline uint32_t table_place(const Table *table, int32_t value) {
    uint32_t place = (uint32_t)value - (uint32_t)table->low;
    if (__builtin_expect(place > (uint32_t)(table->high - table->low), 0))
        place = value < table->low ? 0 : (uint32_t)(table->high - table->low);
    return table->first + place;
}

#endif
