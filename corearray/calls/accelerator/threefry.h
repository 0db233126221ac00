/* Random words of consecutive counters by Threefry-2x32 with 20 rounds, as `corearray.random.words` defines them.

   The loops over a block have no dependence between their steps, so that compilers turn them into vector instructions. */

#include <stdint.h>

enum { WORDS_IN_BLOCK = 256 };

/* A round for a whole block. The distance is a constant here, which vector instructions need. */
#define THREEFRY_ROUND(distance)                                                   \
    for (int i = 0; i < WORDS_IN_BLOCK; i++) {                                     \
        one[i] += two[i];                                                          \
        two[i] = (two[i] << (distance) | two[i] >> (32 - (distance))) ^ one[i];    \
    }

static inline void
add_to_block(uint32_t *restrict one, uint32_t *restrict two, uint32_t first, uint32_t second)
{
    for (int i = 0; i < WORDS_IN_BLOCK; i++) {
        one[i] += first;
        two[i] += second;
    }
}

static inline void
threefry_block(const uint32_t key[3], uint32_t *restrict one, uint32_t *restrict two)
{
    add_to_block(one, two, key[0], key[1]);
    for (uint32_t block = 0; block < 5; block++) {
        if (block % 2 == 0) {
            THREEFRY_ROUND(13)
            THREEFRY_ROUND(15)
            THREEFRY_ROUND(26)
            THREEFRY_ROUND(6)
        }
        else {
            THREEFRY_ROUND(17)
            THREEFRY_ROUND(29)
            THREEFRY_ROUND(16)
            THREEFRY_ROUND(24)
        }
        add_to_block(one, two, key[(block + 1) % 3], key[(block + 2) % 3] + block + 1);
    }
}

static void
fill_with_words(uint32_t key0, uint32_t key1, uint64_t start, Py_ssize_t count, int64_t *first, int64_t *second)
{
    const uint32_t key[3] = {key0, key1, key0 ^ key1 ^ 0x1BD11BDA};
    uint32_t one[WORDS_IN_BLOCK], two[WORDS_IN_BLOCK];
    for (Py_ssize_t done = 0; done < count; done += WORDS_IN_BLOCK) {
        for (int i = 0; i < WORDS_IN_BLOCK; i++) {
            uint64_t number = start + (uint64_t)done + (uint64_t)i;
            one[i] = (uint32_t)number;
            two[i] = (uint32_t)(number >> 32);
        }
        threefry_block(key, one, two);
        const Py_ssize_t rest = count - done < WORDS_IN_BLOCK ? count - done : WORDS_IN_BLOCK;
        for (Py_ssize_t i = 0; i < rest; i++) {
            first[done + i] = one[i];
            second[done + i] = two[i];
        }
    }
}

/* Two bytearrays of 64-bit integers, for two 32-bit words of a key, the first counter, and how many: `None` for numbers that
   are no plain integers or do not fit. */
static PyObject *
words_of_host(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given)
{
    uint64_t numbers[3];
    if (given != 4 || !PyLong_CheckExact(args[3]))
        Py_RETURN_NONE;
    for (int i = 0; i < 3; i++) {
        if (!PyLong_CheckExact(args[i]))
            Py_RETURN_NONE;
        numbers[i] = PyLong_AsUnsignedLongLong(args[i]);
        if (numbers[i] == (uint64_t)-1 && PyErr_Occurred()) {
            PyErr_Clear();
            Py_RETURN_NONE;
        }
    }
    const Py_ssize_t count = PyLong_AsSsize_t(args[3]);
    PyErr_Clear();
    if (count < 0 || count > PY_SSIZE_T_MAX / 8 || numbers[0] >> 32 || numbers[1] >> 32)
        Py_RETURN_NONE;
    PyObject *first = PyByteArray_FromStringAndSize(NULL, count * 8);
    PyObject *second = first == NULL ? NULL : PyByteArray_FromStringAndSize(NULL, count * 8);
    PyObject *both = second == NULL ? NULL : PyTuple_Pack(2, first, second);
    if (both != NULL && count > 0) { /* nobody else has the memory yet */
        int64_t *one = (int64_t *)PyByteArray_AS_STRING(first), *two = (int64_t *)PyByteArray_AS_STRING(second);
        Py_BEGIN_ALLOW_THREADS
        fill_with_words((uint32_t)numbers[0], (uint32_t)numbers[1], numbers[2], count, one, two);
        Py_END_ALLOW_THREADS
    }
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}
