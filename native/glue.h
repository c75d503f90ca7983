/* What the generated wrappers of kernels have in common: arguments, exceptions, dicts, and Numba's memory.
   No algorithm is here: those are in the kernels, whose only source is Python. */
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Arguments: 1 where an object is what a kernel takes; 0 where it is not, and then Numba is asked. */

static inline int is_array(PyObject *object, int type, int dimensions, int flags)
{
    PyArrayObject *array = (PyArrayObject *)object;
    return PyArray_Check(object) && PyArray_TYPE(array) == type && PyArray_NDIM(array) == dimensions &&
           (PyArray_FLAGS(array) & flags) == flags && PyArray_ISNOTSWAPPED(array);
}

static inline int as_float(PyObject *object, double *value)
{
    if (PyFloat_Check(object)) {
        *value = PyFloat_AS_DOUBLE(object);
        return 1;
    }
    if (!PyLong_Check(object) && !PyArray_IsScalar(object, Number))
        return 0;
    *value = PyFloat_AsDouble(object);
    return !(*value == -1.0 && PyErr_Occurred());
}

static inline int as_int(PyObject *object, int64_t *value)
{
    if (PyLong_Check(object)) {
        *value = PyLong_AsLongLong(object);
        return !(*value == -1 && PyErr_Occurred());
    }
    if (!PyArray_IsScalar(object, Integer))
        return 0;
    PyObject *whole = PyNumber_Index(object);
    if (!whole)
        return 0;
    *value = PyLong_AsLongLong(whole);
    Py_DECREF(whole);
    return !(*value == -1 && PyErr_Occurred());
}

static inline int as_word(PyObject *object, uint64_t *value)
{
    if (!PyLong_Check(object) && !PyArray_IsScalar(object, Integer))
        return 0;
    PyObject *whole = PyNumber_Index(object);
    if (!whole)
        return 0;
    *value = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    return !(*value == (uint64_t)-1 && PyErr_Occurred());
}

static inline int as_bool(PyObject *object, int8_t *value)
{
    if (!PyBool_Check(object) && !PyArray_IsScalar(object, Bool))
        return 0;
    *value = (int8_t)PyObject_IsTrue(object);
    return 1;
}

/* Exceptions: a kernel that fails gives a status, and for one of its own a pickle of its class and arguments. Arguments
   that were not known when it was compiled only Numba's own wrapper can read: then the status is all that is told. */

struct failure {
    const char *data;
    int32_t size;
    const char *hash;
    void *unpack;
    int32_t unknown;
};

static PyObject *failed(int32_t status, struct failure *what)
{
    if (status > 0 && what && what->data && what->unknown == 0) {
        PyObject *pickle = PyImport_ImportModule("pickle");
        PyObject *made = pickle ? PyObject_CallMethod(pickle, "loads", "y#", what->data, (Py_ssize_t)what->size) : NULL;
        Py_XDECREF(pickle);
        if (made && PyTuple_Check(made) && PyTuple_GET_SIZE(made) >= 2) {
            PyObject *arguments = PyTuple_GET_ITEM(made, 1);
            PyErr_SetObject(PyTuple_GET_ITEM(made, 0), arguments == Py_None ? NULL : arguments);
        }
        Py_XDECREF(made);
    }
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_RuntimeError, "a kernel failed with status %d", (int)status);
    return NULL;
}

/* Dicts: names that are strings or whole numbers, values that are plain numbers. Nobody's code is run, unless a name that
   is known already is of a class of its own, and has the hash of one that is looked up. */

#define FEW 128

struct row {
    Py_ssize_t size;
    uint32_t *indices, few_indices[FEW];
    double *values, few_values[FEW];
    void *more;
};

static inline double plain_number(PyObject *object)
{
    if (PyFloat_CheckExact(object) || Py_TYPE(object) == &PyDoubleArrType_Type)
        return PyFloat_AS_DOUBLE(object);
    if (!PyLong_CheckExact(object) && !PyBool_Check(object))
        return NAN;
    long long whole = PyLong_AsLongLong(object);
    if (whole == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        return NAN;
    }
    return (double)whole;
}

/* Return 1; 0 where Python has to see to it; -1 where there is no memory. */
static int read_dict(PyObject *example, PyObject *columns, struct row *row)
{
    row->more = NULL;
    if (!PyDict_CheckExact(example) || !PyDict_CheckExact(columns))
        return 0;
    row->size = PyDict_GET_SIZE(example);
    row->indices = row->few_indices;
    row->values = row->few_values;
    if (row->size > FEW) {
        row->more = PyMem_Malloc((size_t)row->size * (sizeof(double) + sizeof(uint32_t)));
        if (!row->more)
            return -1;
        row->values = row->more;
        row->indices = (uint32_t *)(row->values + row->size);
    }
    PyObject *name, *value;
    Py_ssize_t count = 0;
    for (Py_ssize_t at = 0; count < row->size && PyDict_Next(example, &at, &name, &value); count++) {
        /* first the value: a known name may be of somebody's class, and what it does when compared change the dict */
        row->values[count] = plain_number(value);
        PyObject *column = NULL;
        Py_INCREF(name);
        if (PyUnicode_CheckExact(name) || PyLong_CheckExact(name))
            column = PyDict_GetItemWithError(columns, name);
        Py_DECREF(name);
        if (!column || !PyLong_CheckExact(column))
            break;
        row->indices[count] = (uint32_t)PyLong_AsLong(column);
    }
    if (count == row->size && PyDict_GET_SIZE(example) == row->size)
        return 1;
    PyErr_Clear();
    PyMem_Free(row->more);
    return 0;
}

/* Numba's memory, and what else compiled kernels ask of Numba when they run. */

struct block {
    size_t count;
    void (*destroy)(void *, size_t, void *);
    void *info, *data;
    size_t size;
    void *allocator;
};

static void *new_block(size_t size, size_t align)
{
    struct block *block = align && size < SIZE_MAX / 2 ? malloc(sizeof *block + size + align) : NULL;
    if (!block)
        return NULL;
    uintptr_t first = (uintptr_t)(block + 1);
    *block = (struct block){1, NULL, NULL, (void *)((first + align - 1) / align * align), size, NULL};
    return block;
}

void *NRT_MemInfo_alloc_aligned(size_t size, unsigned align) { return new_block(size, align); }
void *NRT_MemInfo_alloc_safe_aligned(size_t size, unsigned align) { return new_block(size, align); }
void *NRT_MemInfo_alloc(size_t size) { return new_block(size, 16); }
void *NRT_MemInfo_alloc_safe(size_t size) { return new_block(size, 16); }
void *NRT_Allocate(size_t size) { return malloc(size); }
void NRT_Free(void *data) { free(data); }

void NRT_MemInfo_call_dtor(void *given)
{
    struct block *block = given;
    if (block->destroy)
        block->destroy(block->data, block->size, block->info);
    free(block);
}

/* Lists, whose data lie apart and may move. */
void *NRT_MemInfo_new_varsize_dtor(size_t size, void *destroy)
{
    struct block *block = malloc(sizeof *block);
    void *data = malloc(size ? size : 1);
    if (!block || !data) {
        free(block);
        free(data);
        return NULL;
    }
    *block = (struct block){1, (void (*)(void *, size_t, void *))destroy, NULL, data, size, NULL};
    return block;
}

void *NRT_MemInfo_varsize_alloc(struct block *block, size_t size)
{
    block->size = size;
    return block->data = malloc(size ? size : 1);
}

void *NRT_MemInfo_varsize_realloc(struct block *block, size_t size)
{
    void *data = realloc(block->data, size ? size : 1);
    if (!data)
        return NULL;
    block->size = size;
    return block->data = data;
}

void NRT_MemInfo_varsize_free(struct block *block, void *data)
{
    free(data);
    if (block->data == data)
        block->data = NULL;
}

double numba_frexp(double x, int *bits)
{
    *bits = 0;
    return isfinite(x) ? frexp(x, bits) : x;
}

double numba_ldexp(double x, int bits) { return ldexp(x, bits); }

/* Strides of another shape of an array that lies in one piece, row by row; 0 where it does not. */
int numba_attempt_nocopy_reshape(intptr_t old_count, const intptr_t *old_shape, const intptr_t *old_strides,
                                 intptr_t count, const intptr_t *shape, intptr_t *strides, intptr_t item, int columns)
{
    intptr_t step = item;
    for (intptr_t d = old_count - 1; d >= 0; step *= old_shape[d], d--)
        if (old_shape[d] != 1 && old_strides[d] != step)
            return 0;
    step = item;
    for (intptr_t d = count - 1; d >= 0; step *= shape[d], d--)
        strides[d] = step;
    return !columns;
}

/* The module: whether this processor has what it was compiled for is asked before anything else is called. The compiler's
   own question, __builtin_cpu_supports, needs a library that ziglang does not have. */

#if defined(__x86_64__)
#include <cpuid.h>

static int has(unsigned leaf, int which, unsigned bits) /* which: of eax, ebx, ecx, edx */
{
    unsigned found[4];
    return __get_cpuid_count(leaf, 0, found, found + 1, found + 2, found + 3) && (found[which] & bits) == bits;
}

static int saves(unsigned bits) /* whether the system keeps wide registers */
{
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & bits) == bits;
}
#endif

static PyObject *runs_here(PyObject *module, PyObject *nothing)
{
    int there = 1;
#if defined(__x86_64__)
    there = has(1, 2, 1u << 9 | 1u << 19 | 1u << 20 | 1u << 23); /* SSSE3, SSE4.1, SSE4.2, POPCNT */
    if (LEVEL >= 3) /* FMA, MOVBE, OSXSAVE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT */
        there = there && has(1, 2, 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29) &&
                has(7, 1, 1u << 3 | 1u << 5 | 1u << 8) && has(0x80000001, 2, 1u << 5) && saves(6);
    if (LEVEL >= 4) /* AVX512 F, DQ, CD, BW, VL */
        there = there && has(7, 1, 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31) && saves(0xe6);
#endif
    return PyBool_FromLong(there);
}

static int put(PyObject *into, const char *name, PyObject *value)
{
    int wrong = value ? PyDict_SetItemString(into, name, value) : -1;
    Py_XDECREF(value);
    return wrong;
}
