/* The direct way of a call (see direct.py), in C: arrays of one kind, one native call, a new array.

   What stands here is the text that `direct_text` writes, and nothing beyond: a test holds the two equal. Everything
   that it does not cover, and every call that fails, goes to the Python function behind, which computes the same.
   corearray is complete without this module; it is built where there is a compiler.

   Way         what is known of one function on one backend: its parameters, its native functions, the class of arrays.
   Function    what users call: a Python function that goes a way first, if it has one. All that is asked of it beyond a
               call (name, signature, docstring, module) the Python function answers.
*/

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <structmember.h>

/* More parameters than any declaration has; a function with more gets no way. */
#define MOST 16

/* What a parameter is to the direct way; direct.py writes the same letters. */
enum role {
    OPERAND = 'o',   /* an array of the kind of all operands */
    CONDITION = 'c', /* an array of truth values */
    INDICES = 'i',   /* an array of indices, or of truth values */
    SEQUENCE = 's',  /* a list or tuple of operands */
    VALUE = 'v',     /* what the native function gets as it is */
    TUPLE = 't',     /* the same, a tuple or a list */
    OPTION = 'p',    /* the same, with a default; `functions` compute with all defaults, `with_options` with others */
    SWITCH = 'b',    /* an option that is true or false */
    OPEN = 'd',      /* what must have its default */
};

typedef struct {
    PyObject_HEAD
    Py_ssize_t count, by_position; /* parameters, and how many of them may be given by position */
    char roles[MOST];
    char by_name[MOST];                /* whether it may be given by name */
    PyObject *names, *defaults;        /* tuples */
    PyObject *functions, *with_options; /* by kind, the native functions; emptied when the way is closed */
    PyObject *last_kind, *last_function; /* of the last call, which the next one mostly wants too; borrowed */
    PyTypeObject *array;               /* the class of arrays */
    PyObject *dtype;                   /* of native arrays, what reads the dtype, which is their kind; else NULL */
    PyObject *truth, *integers;        /* the kinds of conditions and indices, or None */
    PyObject *gives;                   /* the kind of the result, or None for that of the operands */
    PyObject *native_type, *ensured;   /* what makes a native array of a result of another type, or None */
    PyObject *shares;                  /* the method by which a native array says that the result is a view, or None */
    PyObject *guard;                   /* what looks at the first arguments, whether the native function may have them, or None */
    Py_ssize_t guarded;                /* how many of them it takes */
} Way;

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

/* --- arrays

   An array is made and forgotten in every call. What Python does for an instance of a class with slots takes longer than
   the rest of the way: so the memory of some that were forgotten is kept for those that come, as Python itself keeps that
   of lists and floats. The classes of all backends have one layout. */

#define KEPT 64
static PyObject *kept[KEPT];
static int kept_count;

/* Where instances hold what they hold; the class of a backend adds nothing to `Array`. */
static Py_ssize_t native_at, kind_at, link_at, weak_references_at;

static void
array_dealloc(PyObject *array)
{
    PyTypeObject *type = Py_TYPE(array);
    PyObject_GC_UnTrack(array);
    Py_TRASHCAN_BEGIN(array, array_dealloc)
    if (SLOT(array, weak_references_at) != NULL)
        PyObject_ClearWeakRefs(array);
    Py_CLEAR(SLOT(array, native_at));
    Py_CLEAR(SLOT(array, kind_at));
    Py_CLEAR(SLOT(array, link_at));
    if (kept_count < KEPT && type->tp_dealloc == array_dealloc) /* not of a class that adds something */
        kept[kept_count++] = array;
    else
        type->tp_free(array);
    Py_DECREF(type);
    Py_TRASHCAN_END
}

/* An array that holds nothing yet, of a class that was prepared. */
static inline PyObject *
new_array(PyTypeObject *type)
{
    if (kept_count == 0)
        return type->tp_alloc(type, 0);
    PyObject *array = PyObject_Init(kept[--kept_count], type);
    PyObject_GC_Track(array);
    return array;
}

/* What the class is called with: nothing. */
static PyObject *
array_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *names)
{
    if (PyVectorcall_NARGS(nargsf) != 0 || (names != NULL && PyTuple_GET_SIZE(names) != 0)) {
        PyErr_Format(PyExc_TypeError, "%R takes no arguments", type);
        return NULL;
    }
    return new_array((PyTypeObject *)type);
}

static Py_ssize_t
offset_of(PyTypeObject *type, const char *name)
{
    PyObject *slot = PyObject_GetAttrString((PyObject *)type, name);
    if (slot == NULL)
        return -1;
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(slot, &PyMemberDescr_Type) && PyType_IsSubtype(type, PyDescr_TYPE(slot)))
        offset = ((PyMemberDescrObject *)slot)->d_member->offset;
    else
        PyErr_Format(PyExc_TypeError, "'%s' of %R is no slot", name, type);
    Py_DECREF(slot);
    return offset;
}

/* --- Way */

/* Put the arguments of a call at the places of the parameters; those that were left out stay NULL. */
static int
bind(Way *way, PyObject *const *args, Py_ssize_t given, PyObject *names, PyObject **bound)
{
    if (given > way->by_position)
        return 0;
    Py_ssize_t i = 0;
    for (; i < given; i++)
        bound[i] = args[i];
    for (; i < way->count; i++)
        bound[i] = NULL;
    Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    for (Py_ssize_t k = 0; k < named; k++) {
        PyObject *name = PyTuple_GET_ITEM(names, k);
        for (i = way->count - 1; i >= 0; i--)  /* both are interned */
            if (PyTuple_GET_ITEM(way->names, i) == name)
                break;
        if (i < 0 || !way->by_name[i] || bound[i] != NULL)
            return 0;
        bound[i] = args[given + k];
    }
    return 1;
}

/* The kind of an array of this backend, or NULL; what is returned is owned. */
static inline PyObject *
kind_of(Way *way, PyObject *x)
{
    if (!Py_IS_TYPE(x, way->array))
        return NULL;
    if (way->dtype != NULL)
        return Py_TYPE(way->dtype)->tp_descr_get(way->dtype, x, (PyObject *)way->array);
    return Py_XNewRef(SLOT(x, kind_at));
}

/* The native array of an array of this backend, or NULL; what is returned is borrowed. */
static inline PyObject *
native_of(Way *way, PyObject *x)
{
    return way->dtype == NULL ? SLOT(x, native_at) : x;
}

/* Whether an array is of this backend, and of the kind, which it sets if it is NULL. */
static inline int
is_of_kind(Way *way, PyObject *x, PyObject **kind)
{
    PyObject *found = kind_of(way, x);
    if (found == NULL)
        return 0;
    if (*kind == NULL)
        *kind = found;
    else
        Py_DECREF(found); /* the other reference keeps it, if they are one */
    return found == *kind && native_of(way, x) != NULL;
}

/* The native arrays of a list or tuple of arrays of one kind, which is set if it is NULL; or NULL. */
static PyObject *
natives_of(Way *way, PyObject *arrays, PyObject **kind)
{
    int is_list = PyList_CheckExact(arrays);
    if (!is_list && !PyTuple_CheckExact(arrays))
        return NULL;
    Py_ssize_t size = is_list ? PyList_GET_SIZE(arrays) : PyTuple_GET_SIZE(arrays);
    PyObject *natives = size == 2 ? PyTuple_New(size) : PyList_New(size); /* as the text makes them */
    if (natives == NULL)
        return NULL;
    PyObject **places = size == 2 ? ((PyTupleObject *)natives)->ob_item : ((PyListObject *)natives)->ob_item;
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *x = NULL;
        if (!is_list)
            x = PyTuple_GET_ITEM(arrays, i);
        else if (i < PyList_GET_SIZE(arrays)) /* to read a dtype may run anything */
            x = PyList_GET_ITEM(arrays, i);
        Py_XINCREF(x);
        if (x != NULL && is_of_kind(way, x, kind))
            places[i] = Py_NewRef(native_of(way, x));
        Py_XDECREF(x);
        if (places[i] == NULL) {
            Py_DECREF(natives);
            return NULL;
        }
    }
    return natives;
}

/* Turn what a native function gave into an array; takes the reference. */
static PyObject *
wrapped(Way *way, PyObject *native, PyObject *kind)
{
    if (native != NULL && way->ensured != Py_None && (PyObject *)Py_TYPE(native) != way->native_type) {
        PyObject *ensured = PyObject_CallOneArg(way->ensured, native);
        Py_DECREF(native);
        native = ensured;
    }
    if (native == NULL)
        return NULL;
    PyObject *array = new_array(way->array);
    if (array == NULL) {
        Py_DECREF(native);
        return NULL;
    }
    SLOT(array, native_at) = native;
    SLOT(array, kind_at) = Py_NewRef(kind);
    return array;
}

/* Whether what was answered is true; takes the reference. */
static inline int
is_true(PyObject *answer)
{
    int truth = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return truth > 0;
}

/* Go the direct way. NULL without an error: the call is none for it. */
static PyObject *
go(Way *way, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    PyObject *bound[MOST];
    PyObject *call[MOST + 1]; /* what the native function gets; the first place is its to use */
    PyObject *first = NULL, *kind = NULL, *function = NULL, *result = NULL;
    Py_ssize_t size = 0;
    int defaults = 1;
    if (!bind(way, args, given, names, bound))
        return NULL;

    for (Py_ssize_t i = 0; i < way->count; i++) {
        PyObject *x = bound[i], *found;
        PyObject *usual = PyTuple_GET_ITEM(way->defaults, i);
        switch (way->roles[i]) {
        case OPERAND:
            if (x == NULL || !is_of_kind(way, x, &kind))
                goto done;
            x = native_of(way, x);
            if (first == NULL)
                first = x;
            break;
        case CONDITION:
        case INDICES:
            found = x == NULL ? NULL : kind_of(way, x);
            Py_XDECREF(found);
            if (found == NULL || (found != way->truth && (way->roles[i] == CONDITION || found != way->integers)))
                goto done;
            x = native_of(way, x);
            if (x == NULL)
                goto done;
            break;
        case SEQUENCE:
            if (x == NULL || (x = natives_of(way, x, &kind)) == NULL)
                goto done;
            call[++size] = x;
            continue;
        case VALUE:
        case TUPLE:
            if (x == NULL || (way->roles[i] == TUPLE && !PyTuple_CheckExact(x) && !PyList_CheckExact(x)))
                goto done;
            break;
        case OPTION:
        case SWITCH:
            if (x == NULL)
                x = usual;
            else if (x != usual)
                defaults = 0;
            if (way->roles[i] == SWITCH && !PyBool_Check(x))
                goto done;
            bound[i] = x;
            continue; /* they come behind what is required */
        default:
            if (x != NULL && x != usual)
                goto done;
            continue;
        }
        call[++size] = Py_NewRef(x);
    }
    if (kind == NULL)
        goto done;
    if (!defaults)
        function = PyDict_GetItemWithError(way->with_options, kind);
    else if (kind == way->last_kind && PyDict_GET_SIZE(way->functions) != 0)
        function = way->last_function;
    else if ((function = PyDict_GetItemWithError(way->functions, kind)) != NULL)
        way->last_kind = kind, way->last_function = function;
    if (function == NULL)
        goto done;
    Py_INCREF(function); /* the tables may be emptied meanwhile */
    if (!defaults)
        for (Py_ssize_t i = 0; i < way->count; i++)
            if (way->roles[i] == OPTION || way->roles[i] == SWITCH)
                call[++size] = Py_NewRef(bound[i]);
    if (way->shares != Py_None && !is_true(PyObject_CallMethodNoArgs(first, way->shares)))
        goto done;
    if (way->guard != Py_None && !is_true(PyObject_Vectorcall(way->guard, call + 1, way->guarded, NULL)))
        goto done;
    result = PyObject_Vectorcall(function, call + 1, size | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    if (way->dtype == NULL)
        result = wrapped(way, result, way->gives == Py_None ? kind : way->gives);

done:
    Py_XDECREF(function);
    Py_XDECREF(kind);
    for (; size > 0; size--)
        Py_DECREF(call[size]);
    if (result == NULL && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception))
        PyErr_Clear(); /* the function behind meets it again, and tells */
    return result;
}

static int
way_traverse(Way *way, visitproc visit, void *arg)
{
    Py_VISIT(way->names);
    Py_VISIT(way->defaults);
    Py_VISIT(way->functions);
    Py_VISIT(way->with_options);
    Py_VISIT(way->array);
    Py_VISIT(way->dtype);
    Py_VISIT(way->truth);
    Py_VISIT(way->integers);
    Py_VISIT(way->gives);
    Py_VISIT(way->native_type);
    Py_VISIT(way->ensured);
    Py_VISIT(way->shares);
    Py_VISIT(way->guard);
    return 0;
}

/* Without a tp_clear: a way never changes while it is alive, and what it holds breaks the cycles. */
static void
way_dealloc(Way *way)
{
    PyObject_GC_UnTrack(way);
    Py_XDECREF(way->names);
    Py_XDECREF(way->defaults);
    Py_XDECREF(way->functions);
    Py_XDECREF(way->with_options);
    Py_XDECREF(way->array);
    Py_XDECREF(way->dtype);
    Py_XDECREF(way->truth);
    Py_XDECREF(way->integers);
    Py_XDECREF(way->gives);
    Py_XDECREF(way->native_type);
    Py_XDECREF(way->ensured);
    Py_XDECREF(way->shares);
    Py_XDECREF(way->guard);
    Py_TYPE(way)->tp_free(way);
}

static PyObject *
way_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *known[] = {"names", "roles", "by_name", "by_position", "defaults", "functions", "with_options",
                            "array", "dtype", "truth", "integers", "gives", "native_type", "ensured", "shares", "guard", "guarded", NULL};
    PyObject *names, *defaults, *functions, *with_options, *truth, *integers, *gives, *native_type, *ensured, *shares;
    PyObject *dtype, *guard;
    PyTypeObject *array;
    const char *roles, *by_name;
    Py_ssize_t by_position, of_roles, of_by_name, guarded;
    if (!PyArg_ParseTupleAndKeywords(
            args, keywords, "$O!s#y#nO!O!O!O!OOOOOOOOn:Way", known, &PyTuple_Type, &names, &roles, &of_roles, &by_name,
            &of_by_name, &by_position, &PyTuple_Type, &defaults, &PyDict_Type, &functions, &PyDict_Type, &with_options,
            &PyType_Type, &array, &dtype, &truth, &integers, &gives, &native_type, &ensured, &shares, &guard, &guarded))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    if (count > MOST || of_roles != count || of_by_name != count || PyTuple_GET_SIZE(defaults) != count ||
        by_position < 0 || by_position > count || guarded < 0 || guarded > count) {
        PyErr_Format(PyExc_ValueError, "a way has at most %d parameters, each with a role and a default", MOST);
        return NULL;
    }
    if (dtype == Py_None ? array->tp_dealloc != array_dealloc : Py_TYPE(dtype)->tp_descr_get == NULL)
        return PyErr_Format(PyExc_TypeError, "%R is no prepared class, or %R reads no dtype", array, dtype);
    Way *way = (Way *)type->tp_alloc(type, 0);
    if (way == NULL)
        return NULL;
    way->count = count;
    way->by_position = by_position;
    memcpy(way->roles, roles, count);
    memcpy(way->by_name, by_name, count);
    way->names = Py_NewRef(names);
    way->defaults = Py_NewRef(defaults);
    way->functions = Py_NewRef(functions);
    way->with_options = Py_NewRef(with_options);
    way->array = (PyTypeObject *)Py_NewRef(array);
    way->dtype = dtype == Py_None ? NULL : Py_NewRef(dtype);
    way->truth = Py_NewRef(truth);
    way->integers = Py_NewRef(integers);
    way->gives = Py_NewRef(gives);
    way->native_type = Py_NewRef(native_type);
    way->ensured = Py_NewRef(ensured);
    way->shares = Py_NewRef(shares);
    way->guard = Py_NewRef(guard);
    way->guarded = guarded;
    return (PyObject *)way;
}

static PyTypeObject WayType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "corearray._direct.Way",
    .tp_doc = PyDoc_STR("What is known of one function on one backend, see `corearray.direct.way_of`."),
    .tp_basicsize = sizeof(Way),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = way_new,
    .tp_traverse = (traverseproc)way_traverse,
    .tp_dealloc = (destructor)way_dealloc,
};

/* --- operators

   `x + y` of two arrays of one class goes the way of `add`. The class has Python's `__add__` all the same, which computes
   everything else, and which tracers of Python code look up: only the slot behind the operator leads elsewhere. */

/* X(name, slot) for each */
#define BINARY(X)                                                                                                      \
    X(add, nb_add)                                                                                                     \
    X(sub, nb_subtract)                                                                                                \
    X(mul, nb_multiply)                                                                                                \
    X(truediv, nb_true_divide)                                                                                         \
    X(floordiv, nb_floor_divide)                                                                                       \
    X(mod, nb_remainder)                                                                                               \
    X(matmul, nb_matrix_multiply)                                                                                      \
    X(and, nb_and)                                                                                                     \
    X(or, nb_or)                                                                                                       \
    X(xor, nb_xor)                                                                                                     \
    X(lshift, nb_lshift)                                                                                               \
    X(rshift, nb_rshift)
#define UNARY(X)                                                                                                       \
    X(neg, nb_negative)                                                                                                \
    X(pos, nb_positive)                                                                                                \
    X(abs, nb_absolute)                                                                                                \
    X(invert, nb_invert)

/* Comparisons come first, by the numbers that Python gives them: <, <=, ==, !=, >, >=. */
enum operator {
#define NUMBER(name, slot) operator_##name,
    comparisons = Py_GE,
    BINARY(NUMBER) UNARY(NUMBER) operator_count
#undef NUMBER
};

/* The names of the methods, and of those of the right operand. */
static PyObject *method_names[operator_count], *reflected_names[operator_count];

/* What a class keeps under `_operators`. The ways hold the class, so that none of another class has its address. */
typedef struct {
    PyObject_HEAD
    PyTypeObject *type;
    Way *ways[operator_count];
} Operators;

static Operators *last_operators; /* of the class that was asked for last */

static int
operators_traverse(Operators *operators, visitproc visit, void *arg)
{
    Py_VISIT(operators->type);
    for (int i = 0; i < operator_count; i++)
        Py_VISIT(operators->ways[i]);
    return 0;
}

static int
operators_clear(Operators *operators)
{
    for (int i = 0; i < operator_count; i++)
        Py_CLEAR(operators->ways[i]);
    Py_CLEAR(operators->type);
    return 0;
}

static void
operators_dealloc(Operators *operators)
{
    PyObject_GC_UnTrack(operators);
    operators_clear(operators);
    PyObject_GC_Del(operators);
}

static PyTypeObject OperatorsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "corearray._direct.Operators",
    .tp_basicsize = sizeof(Operators),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = (traverseproc)operators_traverse,
    .tp_clear = (inquiry)operators_clear,
    .tp_dealloc = (destructor)operators_dealloc,
};

/* The ways of a prepared class; NULL without an error for others. What is returned is borrowed. */
static inline Operators *
operators_of(PyTypeObject *type)
{
    if (last_operators != NULL && last_operators->type == type)
        return last_operators;
    if (type->tp_dealloc != array_dealloc)
        return NULL;
    PyObject *found = PyObject_GetAttrString((PyObject *)type, "_operators");
    if (found == NULL || !Py_IS_TYPE(found, &OperatorsType)) {
        PyErr_Clear();
        Py_XDECREF(found);
        return NULL;
    }
    Py_XSETREF(last_operators, (Operators *)found);
    return last_operators;
}

/* Go the way of an operator. NULL without an error: there is none for these operands. */
static inline PyObject *
operate(enum operator operator, PyObject *const *operands, Py_ssize_t count)
{
    Operators *operators = operators_of(Py_TYPE(operands[0]));
    if (operators == NULL || operators->ways[operator] == NULL)
        return NULL;
    Way *way = (Way *)Py_NewRef(operators->ways[operator]);
    PyObject *result = go(way, operands, count, NULL);
    Py_DECREF(way);
    return result;
}

static PyObject *
call_method(PyObject *name, PyObject *x, PyObject *y)
{
    PyObject *operands[] = {x, y};
    return PyObject_VectorcallMethod(name, operands, y == NULL ? 1 : 2, NULL);
}

static PyObject *
binary(enum operator operator, PyObject *x, PyObject *y)
{
    int alike = Py_IS_TYPE(x, Py_TYPE(y));
    PyObject *operands[] = {x, y}, *result;
    if (alike && ((result = operate(operator, operands, 2)) != NULL || PyErr_Occurred()))
        return result;
    /* what the slot of a Python class does: the method of the left operand, then that of the right one */
    if (Py_TYPE(x)->tp_dealloc == array_dealloc) {
        result = call_method(method_names[operator], x, y);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    if (!alike && Py_TYPE(y)->tp_dealloc == array_dealloc)
        return call_method(reflected_names[operator], y, x);
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
unary(enum operator operator, PyObject *x)
{
    PyObject *result = operate(operator, &x, 1);
    return result != NULL || PyErr_Occurred() ? result : call_method(method_names[operator], x, NULL);
}

static PyObject *
compare(PyObject *x, PyObject *y, int operator)
{
    PyObject *operands[] = {x, y}, *result;
    if (Py_IS_TYPE(x, Py_TYPE(y)) && ((result = operate(operator, operands, 2)) != NULL || PyErr_Occurred()))
        return result;
    return call_method(method_names[operator], x, y);
}

#define SLOT_FUNCTION(name, slot)                                                                                      \
    static PyObject *slot_##name(PyObject *x, PyObject *y) { return binary(operator_##name, x, y); }
BINARY(SLOT_FUNCTION)
#undef SLOT_FUNCTION
#define SLOT_FUNCTION(name, slot)                                                                                      \
    static PyObject *slot_##name(PyObject *x) { return unary(operator_##name, x); }
UNARY(SLOT_FUNCTION)
#undef SLOT_FUNCTION

static int
name_operators(void)
{
    static const char *comparison_names[] = {"__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"};
    for (int i = Py_LT; i <= Py_GE; i++)
        if ((method_names[i] = PyUnicode_InternFromString(comparison_names[i])) == NULL)
            return -1;
#define NAME(name, slot)                                                                                               \
    method_names[operator_##name] = PyUnicode_InternFromString("__" #name "__");                                       \
    reflected_names[operator_##name] = PyUnicode_InternFromString("__r" #name "__");                                   \
    if (method_names[operator_##name] == NULL || reflected_names[operator_##name] == NULL)                             \
        return -1;
    BINARY(NAME)
    UNARY(NAME)
#undef NAME
    return 0;
}

static PyObject *
prepare(PyObject *Py_UNUSED(module), PyObject *argument)
{
    if (!PyType_Check(argument))
        return PyErr_Format(PyExc_TypeError, "a class is prepared, got %R", argument);
    PyTypeObject *type = (PyTypeObject *)argument;
    Py_ssize_t native = offset_of(type, "_native"), kind = native < 0 ? -1 : offset_of(type, "_kind");
    Py_ssize_t link = kind < 0 ? -1 : offset_of(type, "_link");
    if (link < 0)
        return NULL;
    /* the head of an object, three slots, the list of weak references (from Python 3.12 on in front), and nothing else */
    Py_ssize_t places = type->tp_weaklistoffset > 0 ? 4 : 3;
    if (type->tp_basicsize != (Py_ssize_t)(sizeof(PyObject) + places * sizeof(PyObject *)) || type->tp_itemsize != 0 ||
        type->tp_dictoffset != 0 || type->tp_weaklistoffset == 0 || type->tp_finalize != NULL)
        return PyErr_Format(PyExc_TypeError, "%R does not have the layout of an array", type);
    Operators *operators = PyObject_GC_New(Operators, &OperatorsType);
    if (operators == NULL)
        return NULL;
    memset(operators->ways, 0, sizeof(operators->ways));
    operators->type = (PyTypeObject *)Py_NewRef(type);
    PyObject_GC_Track(operators);
    int failed = PyObject_SetAttrString((PyObject *)type, "_operators", (PyObject *)operators);
    Py_DECREF(operators);
    if (failed)
        return NULL;
    native_at = native, kind_at = kind, link_at = link, weak_references_at = type->tp_weaklistoffset;
    type->tp_vectorcall = array_vectorcall;
    type->tp_dealloc = array_dealloc;
    Py_RETURN_NONE;
}

/* Python leads a slot to the methods anew whenever one of them is set, so that this comes after. */
static PyObject *
lead_operator(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyTypeObject *type;
    PyObject *name, *way;
    if (!PyArg_ParseTuple(args, "O!UO:lead_operator", &PyType_Type, &type, &name, &way))
        return NULL;
    Operators *operators = operators_of(type);
    if (operators == NULL || (way != Py_None && !Py_IS_TYPE(way, &WayType)))
        return PyErr_Format(PyExc_TypeError, "%R is no prepared class, or %R no way", type, way);
    int operator = 0, reflected = 0;
    for (; operator < operator_count; operator++) {
        if (PyUnicode_Compare(method_names[operator], name) == 0)
            break;
        if (operator > comparisons && PyUnicode_Compare(reflected_names[operator], name) == 0) {
            reflected = 1;
            break;
        }
    }
    if (operator == operator_count) /* one without a slot here, such as `**` */
        Py_RETURN_NONE;
    if (!reflected)
        Py_XSETREF(operators->ways[operator], way == Py_None ? NULL : (Way *)Py_NewRef(way));
    if (operators->ways[operator] == NULL)
        Py_RETURN_NONE;
    switch (operator) {
#define LEAD(name, slot)                                                                                               \
    case operator_##name:                                                                                              \
        type->tp_as_number->slot = slot_##name;                                                                        \
        break;
        BINARY(LEAD)
        UNARY(LEAD)
#undef LEAD
    default:
        type->tp_richcompare = compare;
    }
    Py_RETURN_NONE;
}

/* --- Function */

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *function; /* the Python function */
    Way *way;           /* or NULL */
    PyObject *dict, *weak_references;
} Function;

static PyObject *
function_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *names)
{
    Way *way = ((Function *)self)->way;
    if (way != NULL) {
        Py_INCREF(way); /* another thread may take it away meanwhile */
        PyObject *result = go(way, args, PyVectorcall_NARGS(nargsf), names);
        Py_DECREF(way);
        if (result != NULL || PyErr_Occurred())
            return result;
    }
    return PyObject_Vectorcall(((Function *)self)->function, args, nargsf, names);
}

static PyObject *
function_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *known[] = {"function", NULL};
    PyObject *function;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!:Function", known, &PyFunction_Type, &function))
        return NULL;
    Function *self = (Function *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->vectorcall = function_vectorcall;
        self->function = Py_NewRef(function);
    }
    return (PyObject *)self;
}

static int
function_traverse(Function *self, visitproc visit, void *arg)
{
    Py_VISIT(self->function);
    Py_VISIT(self->way);
    Py_VISIT(self->dict);
    return 0;
}

static int
function_clear(Function *self)
{
    Py_CLEAR(self->way);
    Py_CLEAR(self->dict);
    return 0;
}

static void
function_dealloc(Function *self)
{
    PyObject_GC_UnTrack(self);
    if (self->weak_references != NULL)
        PyObject_ClearWeakRefs((PyObject *)self);
    function_clear(self);
    Py_XDECREF(self->function);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *
function_repr(Function *self)
{
    return PyObject_Repr(self->function);
}

/* A method of the arrays through which it is looked up, as a Python function is. */
static PyObject *
function_get(PyObject *self, PyObject *object, PyObject *type)
{
    return object == NULL || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
}

/* What it does not have itself the Python function answers. */
static PyObject *
function_getattro(PyObject *self, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        found = PyObject_GetAttr(((Function *)self)->function, name);
    }
    return found;
}

static PyObject *
function_answer(Function *self, void *name)
{
    return PyObject_GetAttrString(self->function, name);
}

static PyObject *
function_get_way(Function *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(self->way == NULL ? Py_None : (PyObject *)self->way);
}

static int
function_set_way(Function *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value != NULL && value != Py_None && !Py_IS_TYPE(value, &WayType)) {
        PyErr_Format(PyExc_TypeError, "the way of a function is a Way or None, got %R", value);
        return -1;
    }
    Way *former = self->way;
    self->way = value == NULL || value == Py_None ? NULL : (Way *)Py_NewRef(value);
    Py_XDECREF(former);
    return 0;
}

/* Pickled by its name, as a Python function is; copies are the function itself. */
static PyObject *
function_reduce(Function *self, PyObject *Py_UNUSED(ignored))
{
    return PyObject_GetAttrString(self->function, "__qualname__");
}

static PyMethodDef function_methods[] = {
    {"__reduce__", (PyCFunction)function_reduce, METH_NOARGS, NULL},
    {NULL},
};

static PyMemberDef function_members[] = {
    {"function", T_OBJECT, offsetof(Function, function), READONLY, PyDoc_STR("The Python function behind.")},
    {NULL},
};

static PyGetSetDef function_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict},
    {"__doc__", (getter)function_answer, NULL, NULL, "__doc__"},
    {"__module__", (getter)function_answer, NULL, NULL, "__module__"},
    {"way", (getter)function_get_way, (setter)function_set_way, PyDoc_STR("The way that is gone first, or None.")},
    {NULL},
};

static PyTypeObject FunctionType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "corearray._direct.Function",
    .tp_basicsize = sizeof(Function),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_new = function_new,
    .tp_dealloc = (destructor)function_dealloc,
    .tp_traverse = (traverseproc)function_traverse,
    .tp_clear = (inquiry)function_clear,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(Function, vectorcall),
    .tp_repr = (reprfunc)function_repr,
    .tp_descr_get = function_get,
    .tp_getattro = function_getattro,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_dictoffset = offsetof(Function, dict),
    .tp_weaklistoffset = offsetof(Function, weak_references),
    .tp_methods = function_methods,
    .tp_members = function_members,
    .tp_getset = function_getset,
};

/* --- the module */

static PyMethodDef module_methods[] = {
    {"prepare", prepare, METH_O, PyDoc_STR("Let the instances of a backend's class of arrays be made and forgotten fast.")},
    {"lead_operator", lead_operator, METH_VARARGS, PyDoc_STR("Let an operator of a class, just set, go a way first.")},
    {NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_methods = module_methods,
    .m_name = "corearray._direct",
    .m_doc = PyDoc_STR("The direct way of a call, in C."),
    .m_size = -1,
};

PyMODINIT_FUNC
PyInit__direct(void)
{
    if (name_operators() < 0 || PyType_Ready(&OperatorsType) < 0)
        return NULL;
    PyObject *made = PyModule_Create(&module);
    if (made == NULL)
        return NULL;
    if (PyModule_AddType(made, &WayType) < 0 || PyModule_AddType(made, &FunctionType) < 0) {
        Py_DECREF(made);
        return NULL;
    }
    return made;
}
