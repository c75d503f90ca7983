/* The loops that the engine is measured against: plain C, the same sums in the same order, asking ahead (AHEAD > 0). */
#include <stdint.h>

#ifndef AHEAD
#define AHEAD 0
#endif
#if AHEAD
#define ASK(array, j) __builtin_prefetch(&(array)[index[(j) + AHEAD]])
#else
#define ASK(array, j) (void)0
#endif

#define SUM(value, array)                                                                     \
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;                                                    \
    int64_t j = first, whole = first + ((last - first) & ~(int64_t)3);                        \
    if (last + AHEAD <= nonzeros) {                                                           \
        for (; j < whole; j += 4) {                                                           \
            ASK(array, j); ASK(array, j + 1); ASK(array, j + 2); ASK(array, j + 3);           \
            s0 += value(j); s1 += value(j + 1); s2 += value(j + 2); s3 += value(j + 3);       \
        }                                                                                     \
    } else {                                                                                  \
        for (; j < whole; j += 4) {                                                           \
            s0 += value(j); s1 += value(j + 1); s2 += value(j + 2); s3 += value(j + 3);       \
        }                                                                                     \
    }                                                                                         \
    for (; j < last; j++) s0 += value(j);                                                     \
    double s = (s0 + s1) + (s2 + s3)

int64_t perceptron(const int64_t *indptr, const uint32_t *index, const uint8_t *outcome, int64_t rows,
                   int64_t nonzeros, double *w, uint8_t *prediction) {
    int64_t mistakes = 0;
    double bias = 0;
#define WEIGHT(j) w[index[j]]
    for (int64_t r = 0; r < rows; r++) {
        int64_t first = indptr[r], last = indptr[r + 1];
        SUM(WEIGHT, w);
        s += bias;
        prediction[r] = s >= 0;
        if (prediction[r] != outcome[r]) {
            double step = outcome[r] ? 1.0 : -1.0;
            for (int64_t i = first; i < last; i++) w[index[i]] += step;
            bias += step;
            mistakes++;
        }
    }
    return mistakes;
}

/* A weight is a state of one byte, its value stands in a table: alpha 2, states counted from 2^-100. */
int64_t winnow(const int64_t *indptr, const uint32_t *index, const uint8_t *outcome, int64_t rows, int64_t nonzeros,
               uint8_t *state, const double *power, double theta, uint8_t *prediction) {
    int64_t mistakes = 0;
#define POWER(j) power[state[index[j]]]
    for (int64_t r = 0; r < rows; r++) {
        int64_t first = indptr[r], last = indptr[r + 1];
        SUM(POWER, state);
        prediction[r] = s >= theta;
        if (prediction[r] != outcome[r]) {
            int step = outcome[r] ? 1 : -1;
            for (int64_t i = first; i < last; i++) state[index[i]] += step;
            mistakes++;
        }
    }
    return mistakes;
}
