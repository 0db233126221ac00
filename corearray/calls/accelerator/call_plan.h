/* A plan: what is known of one function on one backend, its parameters, its native functions, the class of arrays. */

/* More parameters than any declaration has; a function with more gets no plan. */
#define MOST 16

/* The role of a parameter; `_role` in plan.py writes the same letters. */
enum role {
    OPERAND = 'o',   /* an array of the kind of all operands */
    PERHAPS = 'n',   /* the same, or None, which is its default */
    CONDITION = 'c', /* an array of truth values */
    INDICES = 'i',   /* an array of indices, or of truth values */
    SEQUENCE = 's',  /* a list or tuple of operands */
    FORWARD = 'f',   /* a key whose slices do not go backwards */
    KEY = 'k',       /* what `x[key]` takes and shows a part of `x`: integers, slices, None, `...`, or a tuple of these */
    VALUE = 'v',     /* what the native function gets as it is */
    TUPLE = 't',     /* the same, a tuple or a list */
    OPTION = 'p',    /* the same, with a default; `functions` compute with all defaults, `with_options` with any */
    TYPED = 'b',     /* an option of the very type of its default, as all that are true or false */
    OPEN = 'd',      /* what must have its default */
};

typedef struct {
    PyObject_HEAD
    Py_ssize_t count, by_position; /* parameters, and how many of them may be given by position */
    Py_ssize_t brief;              /* how many of them have no default, if a call with these alone may `go_again`, or -1 */
    char roles[MOST];
    char by_name[MOST];                /* whether it may be given by name */
    PyObject *failed;                  /* takes the error of a native call and the arguments; or None: it is raised */
    PyObject *calls;                   /* the functions of the backend, or None; compared by identity only */
    PyObject *names, *defaults;        /* tuples */
    PyObject *functions, *with_options; /* by kind, the native functions; emptied when the plan is closed. Where no
                                           argument tells a kind, that is None */
    PyObject *last_kind, *last_function; /* of the last call, which the next one mostly wants too, or NULL */
    PyTypeObject *array;               /* the class of arrays, or NULL if there is no look at any */
    int wraps;                         /* whether that is a class of ours, and the result is to be one too */
    PyObject *dtype;                   /* of native arrays, what reads the dtype, which is their kind */
    PyObject *truth, *integers;        /* the kinds of conditions and indices, or None */
    PyObject *gives;                   /* the kind of the result, or None for that of the operands */
    PyObject *native_type, *ensured;   /* what makes a native array of a result of another type, or None */
    PyObject *shares;                  /* what says of the first native array that the result is a view of it, or None */
    PyObject *guard;                   /* what looks at arguments, whether the native function may have them, or None */
    Py_ssize_t guarded;                /* how many of them it takes */
    char guarded_at[MOST];             /* which parameters these are */
} CallPlan;

/* Whether a key of `x[key]` holds no array, and no second `...`; `plain_key` in view.py says the same of tuples. */
static inline int
is_plain_key(PyObject *key, int forward)
{
    if (PySlice_Check(key)) {
        PyObject *step = ((PySliceObject *)key)->step;
        int overflow = 0;
        return !forward || step == Py_None ||
               (PyLong_CheckExact(step) && (PyLong_AsLongAndOverflow(step, &overflow) > 0 || overflow > 0));
    }
    if (!PyTuple_CheckExact(key))
        return PyLong_CheckExact(key) || key == Py_None || key == Py_Ellipsis;
    int ellipses = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); i++) {
        PyObject *item = PyTuple_GET_ITEM(key, i);
        ellipses += item == Py_Ellipsis;
        if (PyTuple_CheckExact(item) || !is_plain_key(item, forward))
            return 0;
    }
    return ellipses < 2;
}

/* Put the arguments of a call at the places of the parameters; those that were left out stay NULL. */
static int
bind(CallPlan *plan, PyObject *const *args, Py_ssize_t given, PyObject *names, PyObject **bound)
{
    if (given > plan->by_position)
        return 0;
    Py_ssize_t i = 0;
    for (; i < given; i++)
        bound[i] = args[i];
    for (; i < plan->count; i++)
        bound[i] = NULL;
    Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    for (Py_ssize_t k = 0; k < named; k++) {
        PyObject *name = PyTuple_GET_ITEM(names, k);
        for (i = plan->count - 1; i >= 0; i--)  /* both are interned */
            if (PyTuple_GET_ITEM(plan->names, i) == name)
                break;
        if (i < 0 || !plan->by_name[i] || bound[i] != NULL)
            return 0;
        bound[i] = args[given + k];
    }
    return 1;
}

/* The kind of an array of this backend, or NULL; what is returned is owned. */
static inline PyObject *
kind_of(CallPlan *plan, PyObject *x)
{
    if (!Py_IS_TYPE(x, plan->array))
        return NULL;
    if (!plan->wraps)
        return Py_TYPE(plan->dtype)->tp_descr_get(plan->dtype, x, (PyObject *)plan->array);
    return Py_XNewRef(SLOT(x, kind_at));
}

/* The native array of an array of this backend, or NULL; what is returned is borrowed. */
static inline PyObject *
native_of(CallPlan *plan, PyObject *x)
{
    return plan->wraps ? SLOT(x, native_at) : x;
}

/* Whether an array is of this backend, and of the kind, which it sets if it is NULL. */
static inline int
is_of_kind(CallPlan *plan, PyObject *x, PyObject **kind)
{
    PyObject *found = kind_of(plan, x);
    if (found == NULL)
        return 0;
    if (*kind == NULL)
        *kind = found;
    else
        Py_DECREF(found); /* the other reference keeps it, if they are one */
    return found == *kind && native_of(plan, x) != NULL;
}

/* A list or tuple without its items, of which Python's garbage collector, and whoever asks it, knows nothing yet. */
static PyObject *
new_sequence(int is_list, Py_ssize_t size)
{
    PyObject *made = is_list ? PyList_New(size) : PyTuple_New(size);
    if (made != NULL && size != 0) /* there is one empty tuple for all */
        PyObject_GC_UnTrack(made);
    return made;
}

/* Let it be known, now that it has its items; takes and gives the reference. */
static PyObject *
known_sequence(PyObject *made)
{
    if (made != NULL && PySequence_Fast_GET_SIZE(made) != 0)
        PyObject_GC_Track(made);
    return made;
}

/* The native arrays of a list or tuple of arrays of one kind, which is set if it is NULL; or NULL. */
static PyObject *
natives_of(CallPlan *plan, PyObject *arrays, PyObject **kind)
{
    int is_list = PyList_CheckExact(arrays);
    if (!is_list && !PyTuple_CheckExact(arrays))
        return NULL;
    Py_ssize_t size = is_list ? PyList_GET_SIZE(arrays) : PyTuple_GET_SIZE(arrays);
    PyObject *natives = new_sequence(size != 2, size); /* a tuple of two, as the text makes them */
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
        if (x != NULL && is_of_kind(plan, x, kind))
            places[i] = Py_NewRef(native_of(plan, x));
        Py_XDECREF(x);
        if (places[i] == NULL) {
            Py_DECREF(natives);
            return NULL;
        }
    }
    return known_sequence(natives);
}

/* Turn what a native function gave into an array; takes the reference. */
static PyObject *
wrapped(CallPlan *plan, PyObject *native, PyObject *kind)
{
    if (native != NULL && Py_IS_TYPE(native, plan->array)) /* by the framework's protocol, as an option was an array */
        return native;
    if (native != NULL && plan->ensured != Py_None && (PyObject *)Py_TYPE(native) != plan->native_type) {
        PyObject *ensured = PyObject_CallOneArg(plan->ensured, native);
        Py_DECREF(native);
        native = ensured;
    }
    if (native == NULL)
        return NULL;
    PyObject *array = new_array(plan->array);
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

/* Whether the native function may have the arguments; what is not among them has its default. */
static inline int
may_have(CallPlan *plan, PyObject *const *bound, Py_ssize_t count)
{
    if (plan->shares != Py_None && !is_true(PyObject_CallOneArg(plan->shares, bound[0])))
        return 0;
    if (plan->guard == Py_None)
        return 1;
    PyObject *looked_at[MOST];
    for (Py_ssize_t k = 0; k < plan->guarded; k++) {
        Py_ssize_t i = plan->guarded_at[k];
        looked_at[k] = i < count && bound[i] != NULL ? bound[i] : PyTuple_GET_ITEM(plan->defaults, i);
    }
    return is_true(PyObject_Vectorcall(plan->guard, looked_at, plan->guarded, NULL));
}

/* Tell that a function in C returned a result and an error, or neither, as Python does; takes the reference. */
static void
result_check(PyObject *function, PyObject *result)
{
    PyErr_Clear();
    PyErr_Format(PyExc_SystemError, result == NULL ? "%R returned NULL without setting an exception"
                                                   : "%R returned a result with an exception set", function);
    Py_XDECREF(result);
}

/* Call a native function, and make an array of its result where the plan does. Takes the references to the arguments, in
   front of which there is a place to use.

   A function in C that gets a tuple is called without what Python has around it: behind calls as deep as a framework's the
   processor has forgotten where it came from, so that each function to return to costs as much as a look into memory. */
static inline PyObject *
computed(CallPlan *plan, PyObject *kind, PyObject *function, PyObject **args, Py_ssize_t size)
{
    PyObject *result = NULL, *tuple = NULL;
    int by_a_tuple = PyCFunction_CheckExact(function) &&
                     (PyCFunction_GET_FLAGS(function) & ~METH_STATIC) == (METH_VARARGS | METH_KEYWORDS);
    if (by_a_tuple && Py_EnterRecursiveCall(" while calling a Python object"))
        by_a_tuple = -1;
    if (by_a_tuple > 0 && (tuple = PyTuple_New(size)) != NULL) {
        memcpy(((PyTupleObject *)tuple)->ob_item, args, size * sizeof(PyObject *));
        PyCFunctionWithKeywords in_c = (PyCFunctionWithKeywords)(void (*)(void))PyCFunction_GET_FUNCTION(function);
        result = in_c(PyCFunction_GET_SELF(function), tuple, NULL);
        Py_DECREF(tuple);
        if ((result == NULL) != (PyErr_Occurred() != NULL)) {
            result_check(function, result);
            result = NULL;
        }
    }
    else {
        if (!by_a_tuple)
            result = PyObject_Vectorcall(function, args, size | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
        while (size > 0)
            Py_DECREF(args[--size]);
    }
    if (by_a_tuple > 0)
        Py_LeaveRecursiveCall();
    return plan->wraps ? wrapped(plan, result, plan->gives == Py_None ? kind : plan->gives) : result;
}

/* Forget an error of a test, which the function behind meets again, and tells. An interrupt is none. */
static inline void
forget_error(void)
{
    if (PyErr_ExceptionMatches(PyExc_Exception))
        PyErr_Clear();
}

/* Execute the plan of a common call: what has no default and nothing else, of the kind of the call before.

   Returns whether it is such a call; `entered` and `result` are then those of `go`. */
static inline int
go_again(CallPlan *plan, PyObject *const *args, PyObject **result, int *entered)
{
    PyObject *call[MOST + 1], *kind = Py_NewRef(plan->last_kind), *function = Py_NewRef(plan->last_function);
    Py_ssize_t size = 0;
    int is_such = 0;
    *result = NULL;
    for (; size < plan->brief; size++) {
        PyObject *x = args[size], *found;
        char role = plan->roles[size];
        if (role == OPERAND || role == CONDITION) {
            found = kind_of(plan, x);
            Py_XDECREF(found);
            if (found == NULL || found != (role == OPERAND ? kind : plan->truth) || (x = native_of(plan, x)) == NULL)
                goto done;
        }
        else if (role == KEY || role == FORWARD ? !is_plain_key(x, role == FORWARD) : role == TUPLE && !PyTuple_CheckExact(x) && !PyList_CheckExact(x))
            goto done;
        call[size + 1] = Py_NewRef(x);
    }
    is_such = may_have(plan, call + 1, size);
    if (is_such) {
        *entered = 1;
        *result = computed(plan, kind, function, call + 1, size);
        size = 0;
    }

done:
    while (size > 0)
        Py_DECREF(call[size--]);
    Py_DECREF(kind);
    Py_DECREF(function);
    if (!is_such && PyErr_Occurred())
        forget_error();
    return is_such || PyErr_Occurred() != NULL;
}

/* Execute the plan of any call; as `go`. */
static PyObject *
go_at_large(CallPlan *plan, PyObject *const *args, Py_ssize_t given, PyObject *names, int *entered)
{
    PyObject *bound[MOST];    /* by parameter, what was given, of arrays then the native ones, which `call` keeps alive */
    PyObject *call[MOST + 1]; /* what the native function gets; the first place is its to use */
    PyObject *kind = NULL, *function = NULL, *result = NULL;
    Py_ssize_t size = 0;
    int defaults = 1;
    if (!bind(plan, args, given, names, bound))
        return NULL;

    for (Py_ssize_t i = 0; i < plan->count; i++) {
        PyObject *x = bound[i], *found;
        PyObject *usual = PyTuple_GET_ITEM(plan->defaults, i);
        switch (plan->roles[i]) {
        case OPERAND:
            if (x == NULL || !is_of_kind(plan, x, &kind))
                goto done;
            x = native_of(plan, x);
            break;
        case PERHAPS:
            if (x == NULL || x == Py_None)
                x = Py_None;
            else if (is_of_kind(plan, x, &kind))
                x = native_of(plan, x);
            else
                goto done;
            break;
        case CONDITION:
        case INDICES:
            found = x == NULL ? NULL : kind_of(plan, x);
            Py_XDECREF(found);
            if (found == NULL || (found != plan->truth && (plan->roles[i] == CONDITION || found != plan->integers)))
                goto done;
            x = native_of(plan, x);
            if (x == NULL)
                goto done;
            break;
        case SEQUENCE:
            if (x == NULL || (x = natives_of(plan, x, &kind)) == NULL)
                goto done;
            call[++size] = x;
            continue;
        case FORWARD:
        case KEY:
            if (x == NULL || !is_plain_key(x, plan->roles[i] == FORWARD))
                goto done;
            break;
        case VALUE:
        case TUPLE:
            if (x == NULL || (plan->roles[i] == TUPLE && !PyTuple_CheckExact(x) && !PyList_CheckExact(x)))
                goto done;
            break;
        case OPTION:
        case TYPED:
            if (x == NULL)
                x = usual;
            else if (x != usual)
                defaults = 0;
            if (plan->roles[i] == TYPED && !Py_IS_TYPE(x, Py_TYPE(usual)))
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
        kind = Py_NewRef(Py_None);
    if (defaults && kind == plan->last_kind && PyDict_GET_SIZE(plan->functions) != 0)
        function = Py_NewRef(plan->last_function);
    else if (defaults && (function = Py_XNewRef(PyDict_GetItemWithError(plan->functions, kind))) != NULL) {
        PyObject *former_kind = plan->last_kind, *former_function = plan->last_function;
        plan->last_kind = Py_NewRef(kind);
        plan->last_function = Py_NewRef(function);
        Py_XDECREF(former_kind); /* when both are new: it may run anything */
        Py_XDECREF(former_function);
    }
    else {
        function = Py_XNewRef(PyDict_GetItemWithError(plan->with_options, kind));
        defaults = 0;
    }
    if (function == NULL)
        goto done;
    if (!defaults)
        for (Py_ssize_t i = 0; i < plan->count; i++)
            if (plan->roles[i] == OPTION || plan->roles[i] == TYPED)
                call[++size] = Py_NewRef(bound[i]);
    if (!may_have(plan, bound, plan->count))
        goto done;
    *entered = 1;
    result = computed(plan, kind, function, call + 1, size);
    size = 0;

done:
    Py_XDECREF(function);
    Py_XDECREF(kind);
    for (; size > 0; size--)
        Py_DECREF(call[size]);
    if (!*entered && PyErr_Occurred())
        forget_error();
    return result;
}

/* Let Python tell what becomes of the error of a native call, which is set: a result, or another error. */
static PyObject *
after_failure(CallPlan *plan, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    PyObject *type, *error, *trace, *call[MOST + 2], *result = NULL;
    Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    if (plan->failed == Py_None || given + named > MOST || !PyErr_ExceptionMatches(PyExc_Exception))
        return NULL;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace != NULL)
        PyException_SetTraceback(error, trace);
    call[1] = error;
    for (Py_ssize_t i = 0; i < given + named; i++)
        call[2 + i] = args[i];
    result = PyObject_Vectorcall(plan->failed, call + 1, (1 + given) | PY_VECTORCALL_ARGUMENTS_OFFSET, names);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    return result;
}

/* Execute a plan. NULL without an error: it does not apply to the call. The native function is entered at most once. */
static inline PyObject *
go(CallPlan *plan, PyObject *const *args, Py_ssize_t given, PyObject *names)
{
    PyObject *result;
    int entered = 0;
    int again = given == plan->brief && names == NULL && plan->last_kind != NULL && PyDict_GET_SIZE(plan->functions) != 0;
    if (!again || !go_again(plan, args, &result, &entered))
        result = go_at_large(plan, args, given, names, &entered);
    return result == NULL && entered ? after_failure(plan, args, given, names) : result;
}

static int
plan_traverse(CallPlan *plan, visitproc visit, void *arg)
{
    Py_VISIT(plan->failed);
    Py_VISIT(plan->calls);
    Py_VISIT(plan->names);
    Py_VISIT(plan->defaults);
    Py_VISIT(plan->functions);
    Py_VISIT(plan->with_options);
    Py_VISIT(plan->last_kind);
    Py_VISIT(plan->last_function);
    Py_VISIT(plan->array);
    Py_VISIT(plan->dtype);
    Py_VISIT(plan->truth);
    Py_VISIT(plan->integers);
    Py_VISIT(plan->gives);
    Py_VISIT(plan->native_type);
    Py_VISIT(plan->ensured);
    Py_VISIT(plan->shares);
    Py_VISIT(plan->guard);
    return 0;
}

/* A plan that is cleared can still be executed: what may be absent goes, and what is asked first becomes None. The
   rest are tuples, classes and dicts, which hold no plan or clear themselves. */
static int
plan_clear(CallPlan *plan)
{
    Py_CLEAR(plan->last_kind);
    Py_CLEAR(plan->last_function);
    Py_XSETREF(plan->failed, Py_NewRef(Py_None));
    Py_XSETREF(plan->guard, Py_NewRef(Py_None));
    Py_XSETREF(plan->shares, Py_NewRef(Py_None));
    return 0;
}

static void
plan_dealloc(CallPlan *plan)
{
    PyObject_GC_UnTrack(plan);
    Py_XDECREF(plan->failed);
    Py_XDECREF(plan->calls);
    Py_XDECREF(plan->names);
    Py_XDECREF(plan->defaults);
    Py_XDECREF(plan->functions);
    Py_XDECREF(plan->with_options);
    Py_XDECREF(plan->last_kind);
    Py_XDECREF(plan->last_function);
    Py_XDECREF(plan->array);
    Py_XDECREF(plan->dtype);
    Py_XDECREF(plan->truth);
    Py_XDECREF(plan->integers);
    Py_XDECREF(plan->gives);
    Py_XDECREF(plan->native_type);
    Py_XDECREF(plan->ensured);
    Py_XDECREF(plan->shares);
    Py_XDECREF(plan->guard);
    Py_TYPE(plan)->tp_free(plan);
}

static PyObject *
plan_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *known[] = {"calls", "failed", "names", "roles", "by_name", "by_position", "defaults", "functions", "with_options",
                            "array", "dtype", "truth", "integers", "gives", "native_type", "ensured", "shares", "guard",
                            "guarded_at", NULL};
    PyObject *names, *defaults, *functions, *with_options, *truth, *integers, *gives, *native_type, *ensured, *shares;
    PyObject *array, *dtype, *guard, *calls, *failed;
    const char *roles, *by_name, *guarded_at;
    Py_ssize_t by_position, of_roles, of_by_name, guarded;
    if (!PyArg_ParseTupleAndKeywords(
            args, keywords, "$OOO!s#y#nO!O!O!OOOOOOOOOy#:CallPlan", known, &calls, &failed, &PyTuple_Type, &names, &roles, &of_roles, &by_name,
            &of_by_name, &by_position, &PyTuple_Type, &defaults, &PyDict_Type, &functions, &PyDict_Type, &with_options,
            &array, &dtype, &truth, &integers, &gives, &native_type, &ensured, &shares, &guard, &guarded_at,
            &guarded))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    if (count > MOST || of_roles != count || of_by_name != count || PyTuple_GET_SIZE(defaults) != count ||
        by_position < 0 || by_position > count || guarded > count) {
        PyErr_Format(PyExc_ValueError, "a plan has at most %d parameters, each with a role and a default", MOST);
        return NULL;
    }
    for (Py_ssize_t k = 0; k < guarded; k++)
        if (guarded_at[k] < 0 || guarded_at[k] >= count || roles[(int)guarded_at[k]] == SEQUENCE)
            return PyErr_Format(PyExc_ValueError, "a guard does not look at parameter %d of %zd", guarded_at[k], count);
    if (shares != Py_None && (count == 0 || roles[0] != OPERAND))
        return PyErr_Format(PyExc_ValueError, "of a parameter that is no array no result is a view");
    int is_class = PyType_Check(array), reads = Py_TYPE(dtype)->tp_descr_get != NULL;
    int wraps = dtype == Py_None && is_class && ((PyTypeObject *)array)->tp_dealloc == array_dealloc;
    int looks_at_none = dtype == Py_None && array == Py_None && strpbrk(roles, "oncis") == NULL;
    if (!(wraps || looks_at_none || (is_class && reads)))
        return PyErr_Format(PyExc_TypeError, "%R is no prepared class, or %R reads no dtype", array, dtype);
    CallPlan *plan = (CallPlan *)type->tp_alloc(type, 0);
    if (plan == NULL)
        return NULL;
    plan->count = count;
    plan->by_position = by_position;
    memcpy(plan->roles, roles, count);
    memcpy(plan->by_name, by_name, count);
    plan->calls = Py_NewRef(calls);
    plan->failed = Py_NewRef(failed);
    plan->names = Py_NewRef(names);
    plan->defaults = Py_NewRef(defaults);
    plan->functions = Py_NewRef(functions);
    plan->with_options = Py_NewRef(with_options);
    plan->array = array == Py_None ? NULL : (PyTypeObject *)Py_NewRef(array);
    plan->wraps = wraps;
    plan->dtype = Py_NewRef(dtype);
    plan->truth = Py_NewRef(truth);
    plan->integers = Py_NewRef(integers);
    plan->gives = Py_NewRef(gives);
    plan->native_type = Py_NewRef(native_type);
    plan->ensured = Py_NewRef(ensured);
    plan->shares = Py_NewRef(shares);
    plan->guard = Py_NewRef(guard);
    plan->guarded = guarded;
    memcpy(plan->guarded_at, guarded_at, guarded);
    Py_ssize_t required = 0;
    while (required < count && strchr("ockfvt", roles[required]) != NULL)
        required++;
    int others = strspn(roles + required, "pbd") == (size_t)(count - required);
    plan->brief = others ? required : -1;
    return (PyObject *)plan;
}

static PyTypeObject CallPlanType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "corearray.calls._accelerator.CallPlan",
    .tp_doc = PyDoc_STR("What is known of one function on one backend, see `corearray.calls.plan.plan_of`."),
    .tp_basicsize = sizeof(CallPlan),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = plan_new,
    .tp_traverse = (traverseproc)plan_traverse,
    .tp_clear = (inquiry)plan_clear,
    .tp_dealloc = (destructor)plan_dealloc,
};
