/* Arithmetic of charts: total, and within 32 bits. */

#ifndef FCDL_ARITHMETIC_H
#define FCDL_ARITHMETIC_H

#include <stdint.h>

#include "program.h"

static inline int32_t saturated(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
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

static inline const int32_t *table_entry(const Table *table, const int32_t *entries, int32_t value) {
    value = value < table->low ? table->low : value;
    value = value > table->high ? table->high : value;
    return entries + table->first + (value - table->low);
}

#endif
