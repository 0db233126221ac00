/* A tape that a framework writes for derivatives, as `corearray.calls.autograd_graph` describes it. */

enum { LED_TO, REQUIRES, BEFORE, VARIABLE, NAMES };

/* The names of the attributes, or NULL with an error. */
static PyObject *const *
names_on_tape(void)
{
    static PyObject *names[NAMES];
    static const char *written[NAMES] = {"grad_fn", "requires_grad", "next_functions", "variable"};
    for (int i = 0; i < NAMES; i++)
        if (names[i] == NULL && (names[i] = PyUnicode_InternFromString(written[i])) == NULL)
            return NULL;
    return names;
}

/* Whether an array is one of some; takes the reference. -1 with an error. */
static int
is_among(PyObject *x, PyObject *arrays)
{
    int found = x == NULL ? -1 : 0;
    for (Py_ssize_t i = 0; found == 0 && i < PySequence_Fast_GET_SIZE(arrays); i++)
        found = PySequence_Fast_GET_ITEM(arrays, i) == x;
    Py_XDECREF(x);
    return found;
}

/* Put the last steps before some outputs into a list. Returns whether an output is itself an end, and none of the leaves. */
static int
note_last_steps(PyObject *const *names, PyObject *outputs, PyObject *leaves, PyObject *steps)
{
    int beyond = 0;
    for (Py_ssize_t i = 0; beyond == 0 && i < PySequence_Fast_GET_SIZE(outputs); i++) {
        PyObject *x = Py_NewRef(PySequence_Fast_GET_ITEM(outputs, i));
        PyObject *step = PyObject_GetAttr(x, names[LED_TO]), *requires = NULL;
        if (step == NULL)
            beyond = -1;
        else if (step != Py_None)
            beyond = PyList_Append(steps, step);
        else if ((requires = PyObject_GetAttr(x, names[REQUIRES])) == NULL || (beyond = PyObject_IsTrue(requires)) < 0)
            beyond = -1;
        else if (beyond)
            beyond = !is_among(Py_NewRef(x), leaves);
        Py_XDECREF(requires);
        Py_XDECREF(step);
        Py_DECREF(x);
    }
    return beyond;
}

/* Note the steps before one that were not seen yet. Returns whether one of them is an end that is none of the leaves. */
static int
note_steps_before(PyObject *const *names, PyObject *step, PyObject *leaves, PyTypeObject *end, PyObject *steps, PyObject *seen)
{
    PyObject *before = PyObject_GetAttr(step, names[BEFORE]);
    int beyond = before == NULL || !PyTuple_CheckExact(before) ? -1 : 0;
    for (Py_ssize_t k = 0; beyond == 0 && k < PyTuple_GET_SIZE(before); k++) {
        PyObject *pair = PyTuple_GET_ITEM(before, k);
        if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) {
            beyond = -1;
            break;
        }
        PyObject *origin = PyTuple_GET_ITEM(pair, 0);
        Py_ssize_t known = PySet_GET_SIZE(seen);
        if (PySet_Add(seen, origin) < 0)
            beyond = -1;
        else if (PySet_GET_SIZE(seen) == known)
            continue;
        else if (!Py_IS_TYPE(origin, end))
            beyond = PyList_Append(steps, origin);
        else if ((beyond = is_among(PyObject_GetAttr(origin, names[VARIABLE]), leaves)) >= 0)
            beyond = !beyond;
    }
    Py_XDECREF(before);
    return beyond;
}

static PyObject *
depends_on_other_leaves(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyType_Check(args[2]))
        Py_RETURN_NONE;
    PyObject *const *names = names_on_tape();
    PyObject *steps = PyList_New(0), *seen = PySet_New(NULL);
    int beyond = -1;
    if (names != NULL && steps != NULL && seen != NULL && PySet_Add(seen, Py_None) == 0)
        beyond = note_last_steps(names, args[0], args[1], steps);
    for (Py_ssize_t i = 0; beyond == 0 && i < PyList_GET_SIZE(steps); i++) /* which grows on the plan */
        beyond = note_steps_before(names, PyList_GET_ITEM(steps, i), args[1], (PyTypeObject *)args[2], steps, seen);
    Py_XDECREF(steps);
    Py_XDECREF(seen);
    return beyond < 0 ? none_unless_error() : PyBool_FromLong(beyond);
}
