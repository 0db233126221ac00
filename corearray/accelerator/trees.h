/* Lists of arrays to lists of native ones and back, as `corearray.transforms.tree` does it for every leaf of a tree. */

/* Whether something is an array of a prepared class that holds something. */
static inline int
is_array_of(PyTypeObject *type, PyObject *x)
{
    return Py_IS_TYPE(x, type) && SLOT(x, native_at) != NULL && SLOT(x, kind_at) != NULL;
}

/* The class of arrays of a backend, or NULL, without an error if it was not prepared; what is returned is owned. */
static PyTypeObject *
array_class_of(PyObject *backend)
{
    static PyObject *name;
    if (name == NULL && (name = PyUnicode_InternFromString("Array")) == NULL)
        return NULL;
    PyObject *type = PyObject_GetAttr(backend, name);
    if (type != NULL && (!PyType_Check(type) || ((PyTypeObject *)type)->tp_dealloc != array_dealloc))
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

static PyObject *
none_unless_error(void)
{
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* -1 with an error, else whether the kind is one of real floating-point numbers. */
static int
is_real(PyObject *kind)
{
    static PyObject *name;
    if (name == NULL && (name = PyUnicode_InternFromString("is_real")) == NULL)
        return -1;
    PyObject *found = PyObject_GetAttr(kind, name);
    Py_XDECREF(found);
    return found == NULL ? -1 : found == Py_True;
}

static PyObject *
real_natives(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PyList_CheckExact(args[0]))
        Py_RETURN_NONE;
    PyTypeObject *type = array_class_of(args[1]);
    PyObject *leaves = args[0], *natives = type == NULL ? NULL : PyList_New(0);
    for (Py_ssize_t i = 0; natives != NULL && i < PyList_GET_SIZE(leaves); i++) {
        PyObject *x = PyList_GET_ITEM(leaves, i);
        if (!is_array_of(type, x) || is_real(SLOT(x, kind_at)) != 1 || PyList_Append(natives, SLOT(x, native_at)) < 0)
            Py_CLEAR(natives);
    }
    Py_XDECREF(type);
    return natives == NULL ? none_unless_error() : natives;
}

static PyObject *
all_like(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !PyList_CheckExact(args[0]) || !(PyList_CheckExact(args[1]) || PyTuple_CheckExact(args[1])))
        Py_RETURN_NONE;
    PyObject *leaves = args[0], *natives = args[1];
    Py_ssize_t size = PyList_GET_SIZE(leaves), i = 0;
    PyTypeObject *type = array_class_of(args[2]);
    PyObject *made = type == NULL ? NULL : PyList_New(size);
    for (; made != NULL && i < size; i++) { /* which may run anything, where Python collects garbage */
        PyObject *array = new_array(type);
        if (array == NULL)
            Py_CLEAR(made);
        else
            PyList_SET_ITEM(made, i, array);
    }
    if (PyList_GET_SIZE(leaves) != size || PySequence_Fast_GET_SIZE(natives) != size)
        Py_CLEAR(made);
    for (i = 0; made != NULL && i < size; i++) {
        PyObject *x = PyList_GET_ITEM(leaves, i), *array = PyList_GET_ITEM(made, i);
        if (is_array_of(type, x)) {
            SLOT(array, native_at) = Py_NewRef(PySequence_Fast_GET_ITEM(natives, i));
            SLOT(array, kind_at) = Py_NewRef(SLOT(x, kind_at));
        }
        else
            Py_CLEAR(made);
    }
    Py_XDECREF(type);
    return made == NULL ? none_unless_error() : made;
}
