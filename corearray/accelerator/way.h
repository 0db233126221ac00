/* A way: what is known of one function on one backend, its parameters, its native functions, the class of arrays. */

/* More parameters than any declaration has; a function with more gets no way. */
#define MOST 16

/* What a parameter is to the direct way; direct.py writes the same letters. */
enum role {
    OPERAND = 'o',   /* an array of the kind of all operands */
    PERHAPS = 'n',   /* the same, or None, which is its default */
    CONDITION = 'c', /* an array of truth values */
    INDICES = 'i',   /* an array of indices, or of truth values */
    SEQUENCE = 's',  /* a list or tuple of operands */
    VALUE = 'v',     /* what the native function gets as it is */
    TUPLE = 't',     /* the same, a tuple or a list */
    OPTION = 'p',    /* the same, with a default; `functions` compute with all defaults, `with_options` with any */
    TYPED = 'b',     /* an option of the very type of its default, as all that are true or false */
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
    PyObject *guard;                   /* what looks at arguments, whether the native function may have them, or None */
    Py_ssize_t guarded;                /* how many of them it takes */
    char guarded_at[MOST];             /* which parameters these are */
} Way;

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
    PyObject *bound[MOST];    /* by parameter, what was given, of arrays then the native ones, which `call` keeps alive */
    PyObject *call[MOST + 1]; /* what the native function gets; the first place is its to use */
    PyObject *looked_at[MOST]; /* what the guard gets */
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
        case PERHAPS:
            if (x == NULL || x == Py_None)
                x = Py_None;
            else if (is_of_kind(way, x, &kind))
                x = native_of(way, x);
            else
                goto done;
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
        case TYPED:
            if (x == NULL)
                x = usual;
            else if (x != usual)
                defaults = 0;
            if (way->roles[i] == TYPED && !Py_IS_TYPE(x, Py_TYPE(usual)))
                goto done;
            bound[i] = x;
            continue; /* they come behind what is required */
        default:
            if (x != NULL && x != usual)
                goto done;
            continue;
        }
        bound[i] = x;
        call[++size] = Py_NewRef(x);
    }
    if (kind == NULL)
        goto done;
    if (defaults && kind == way->last_kind && PyDict_GET_SIZE(way->functions) != 0)
        function = way->last_function;
    else if (defaults && (function = PyDict_GetItemWithError(way->functions, kind)) != NULL)
        way->last_kind = kind, way->last_function = function;
    else {
        function = PyDict_GetItemWithError(way->with_options, kind);
        defaults = 0;
    }
    if (function == NULL)
        goto done;
    Py_INCREF(function); /* the tables may be emptied meanwhile */
    if (!defaults)
        for (Py_ssize_t i = 0; i < way->count; i++)
            if (way->roles[i] == OPTION || way->roles[i] == TYPED)
                call[++size] = Py_NewRef(bound[i]);
    if (way->shares != Py_None && !is_true(PyObject_CallMethodNoArgs(first, way->shares)))
        goto done;
    for (Py_ssize_t k = 0; k < way->guarded; k++) {
        Py_ssize_t i = way->guarded_at[k];
        looked_at[k] = bound[i] == NULL ? PyTuple_GET_ITEM(way->defaults, i) : bound[i];
    }
    if (way->guard != Py_None && !is_true(PyObject_Vectorcall(way->guard, looked_at, way->guarded, NULL)))
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
                            "array", "dtype", "truth", "integers", "gives", "native_type", "ensured", "shares", "guard", "guarded_at", NULL};
    PyObject *names, *defaults, *functions, *with_options, *truth, *integers, *gives, *native_type, *ensured, *shares;
    PyObject *dtype, *guard;
    PyTypeObject *array;
    const char *roles, *by_name, *guarded_at;
    Py_ssize_t by_position, of_roles, of_by_name, guarded;
    if (!PyArg_ParseTupleAndKeywords(
            args, keywords, "$O!s#y#nO!O!O!O!OOOOOOOOy#:Way", known, &PyTuple_Type, &names, &roles, &of_roles, &by_name,
            &of_by_name, &by_position, &PyTuple_Type, &defaults, &PyDict_Type, &functions, &PyDict_Type, &with_options,
            &PyType_Type, &array, &dtype, &truth, &integers, &gives, &native_type, &ensured, &shares, &guard, &guarded_at, &guarded))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    if (count > MOST || of_roles != count || of_by_name != count || PyTuple_GET_SIZE(defaults) != count ||
        by_position < 0 || by_position > count || guarded > count) {
        PyErr_Format(PyExc_ValueError, "a way has at most %d parameters, each with a role and a default", MOST);
        return NULL;
    }
    for (Py_ssize_t k = 0; k < guarded; k++)
        if (guarded_at[k] < 0 || guarded_at[k] >= count || roles[(int)guarded_at[k]] == SEQUENCE)
            return PyErr_Format(PyExc_ValueError, "a guard does not look at parameter %d of %zd", guarded_at[k], count);
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
    memcpy(way->guarded_at, guarded_at, guarded);
    return (PyObject *)way;
}

static PyTypeObject WayType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "corearray._direct.Way",
    .tp_doc = PyDoc_STR("What is known of one function on one backend, see `corearray.stages.ways.way_of`."),
    .tp_basicsize = sizeof(Way),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = way_new,
    .tp_traverse = (traverseproc)way_traverse,
    .tp_dealloc = (destructor)way_dealloc,
};
