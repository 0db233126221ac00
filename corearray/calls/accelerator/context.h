/* The settings of the current context, which `corearray.settings.context` keeps as one record in one context variable. */

static PyObject *settings_variable;          /* the context variable */
static Py_ssize_t fast_calls_at, slow_at, by_class_at; /* slots of its records */
static int slow_mode_seen;                   /* whether a record in slow mode was ever in force */

/* The record in force, a new reference. */
static inline PyObject *
record_in_force(void)
{
    PyObject *record = NULL;
    if (PyContextVar_Get(settings_variable, NULL, &record) == 0 && record == NULL)
        PyErr_SetString(PyExc_LookupError, "no settings are in force");
    return record;
}

/* Whether a mode is in force that only the pipeline of stages knows; -1 with an error. */
static inline int
in_slow_mode(void)
{
    if (!slow_mode_seen)
        return 0;
    PyObject *record = record_in_force();
    if (record == NULL)
        return -1;
    int slow = SLOT(record, slow_at) == Py_True;
    Py_DECREF(record);
    return slow;
}

/* Put the backend of an array in force where none is set, as `take_implicit` in Python does, if Python did so before. Takes the
   reference to the record in force and returns one to the record that is in force then. */
static inline PyObject *
take_implicit(PyObject *record, PyObject *array)
{
    PyObject *next = PyDict_GetItemWithError(SLOT(record, by_class_at), (PyObject *)Py_TYPE(array)), *token;
    if (next != NULL && next != record && (token = PyContextVar_Set(settings_variable, next)) != NULL) {
        Py_DECREF(token);
        Py_SETREF(record, Py_NewRef(next));
    }
    return record;
}

static PyObject *
read_settings_from(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *variable;
    PyTypeObject *type;
    if (!PyArg_ParseTuple(args, "O!O!:read_settings_from", &PyContextVar_Type, &variable, &PyType_Type, &type))
        return NULL;
    Py_ssize_t fast_calls = offset_of(type, "fast_calls"), slow = fast_calls < 0 ? -1 : offset_of(type, "slow");
    Py_ssize_t by_class = slow < 0 ? -1 : offset_of(type, "by_class");
    if (by_class < 0)
        return NULL;
    fast_calls_at = fast_calls, slow_at = slow, by_class_at = by_class;
    Py_XSETREF(settings_variable, Py_NewRef(variable));
    Py_RETURN_NONE;
}

static PyObject *
see_slow_mode(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    slow_mode_seen = 1;
    Py_RETURN_NONE;
}
