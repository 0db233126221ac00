/* Places of arrays in dictionaries, mostly those of attributes: what a training step reads and writes. */

/* Take a pair of a dictionary and a key out of a list; both are owned. Returns whether it was one. */
static int
place_at(PyObject *places, Py_ssize_t i, PyObject **holder, PyObject **key)
{
    if (i >= PyList_GET_SIZE(places))
        return 0;
    PyObject *pair = PyList_GET_ITEM(places, i);
    if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2 || !PyDict_CheckExact(PyTuple_GET_ITEM(pair, 0)))
        return 0;
    *holder = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
    *key = Py_NewRef(PyTuple_GET_ITEM(pair, 1));
    return 1;
}

/* The native arrays at some places: `natives_at(backend, places)`. */
static PyObject *
natives_at(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PyList_CheckExact(args[1]))
        Py_RETURN_NONE;
    PyTypeObject *type = array_class_of(args[0]);
    if (type == NULL)
        return none_unless_error();
    PyObject *found = PyList_New(0), *holder, *key;
    for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(args[1]); i++) {
        if (!place_at(args[1], i, &holder, &key)) {
            Py_CLEAR(found);
            break;
        }
        PyObject *x = Py_XNewRef(PyDict_GetItemWithError(holder, key));
        if (x == NULL || !is_array_of(type, x) || PyList_Append(found, SLOT(x, native_at)) < 0)
            Py_CLEAR(found);
        Py_XDECREF(x);
        Py_DECREF(holder);
        Py_DECREF(key);
    }
    Py_DECREF(type);
    return found == NULL ? none_unless_error() : found;
}

/* An array around a native one, whose kind is found by the dtype, unless that is the last one; or NULL. */
static PyObject *
array_around(PyTypeObject *type, PyObject *kinds, PyObject *native, PyObject **dtype, PyObject **kind)
{
    static PyObject *name;
    if (name == NULL && (name = PyUnicode_InternFromString("dtype")) == NULL)
        return NULL;
    PyObject *own = PyObject_GetAttr(native, name);
    if (own == NULL)
        return NULL;
    if (own != *dtype) {
        PyObject *other = Py_XNewRef(PyDict_GetItemWithError(kinds, own));
        if (other == NULL) {
            Py_DECREF(own);
            return NULL;
        }
        Py_XSETREF(*dtype, Py_NewRef(own));
        Py_XSETREF(*kind, other);
    }
    Py_DECREF(own);
    PyObject *array = new_array(type);
    if (array != NULL) {
        SLOT(array, native_at) = Py_NewRef(native);
        SLOT(array, kind_at) = Py_NewRef(*kind);
    }
    return array;
}

/* Put arrays around native ones at some places: `put_at(backend, places, natives)`. Returns True, or None where some are left
   to Python, which puts all of them again. */
static PyObject *
put_at(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    static PyObject *name;
    if (count != 3 || !PyList_CheckExact(args[1]) || !PyList_CheckExact(args[2]) ||
        PyList_GET_SIZE(args[1]) != PyList_GET_SIZE(args[2]))
        Py_RETURN_NONE;
    if (name == NULL && (name = PyUnicode_InternFromString("kinds")) == NULL)
        return NULL;
    PyTypeObject *type = array_class_of(args[0]);
    PyObject *kinds = type == NULL ? NULL : PyObject_GetAttr(args[0], name);
    PyObject *dtype = NULL, *kind = NULL, *holder, *key;
    int failed = kinds == NULL || !PyDict_CheckExact(kinds);
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(args[1]); i++) {
        if (i >= PyList_GET_SIZE(args[2]) || !place_at(args[1], i, &holder, &key)) {
            failed = 1;
            break;
        }
        PyObject *native = Py_NewRef(PyList_GET_ITEM(args[2], i));
        PyObject *array = array_around(type, kinds, native, &dtype, &kind);
        failed = array == NULL || PyDict_SetItem(holder, key, array) < 0;
        Py_XDECREF(array);
        Py_DECREF(native);
        Py_DECREF(holder);
        Py_DECREF(key);
    }
    Py_XDECREF(dtype);
    Py_XDECREF(kind);
    Py_XDECREF(kinds);
    Py_XDECREF(type);
    if (!failed)
        Py_RETURN_TRUE;
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception))
        PyErr_Clear();
    return none_unless_error();
}
