/* Trees of arrays to lists of native ones and back, as `corearray.transforms.tree` does it for any tree.

   A tree here is an array of one class, or a list, tuple or dictionary of trees. What a call is given may change while other
   code runs: so what is looked at twice is a copy, of which nobody else knows. */

/* How many trees are taken apart side by side. */
#define SIDES 2

/* What is known while trees are taken apart. */
typedef struct {
    PyTypeObject *type;
    Py_ssize_t sides;
    PyObject *natives[SIDES]; /* a list for each */
    PyObject *real;           /* the kind of the last array, which is one of real floating-point numbers, or NULL */
} Apart;

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

/* Whether a kind is one of real floating-point numbers; it is asked for once where all arrays are of one. */
static int
is_real(Apart *apart, PyObject *kind)
{
    static PyObject *name;
    if (kind == apart->real)
        return 1;
    if (name == NULL && (name = PyUnicode_InternFromString("is_real")) == NULL)
        return 0;
    PyObject *found = PyObject_GetAttr(kind, name);
    Py_XDECREF(found);
    if (found != Py_True)
        return 0;
    Py_XSETREF(apart->real, Py_NewRef(kind));
    return 1;
}

static int
note_natives(Apart *apart, PyObject *const *arrays)
{
    if (!is_real(apart, SLOT(arrays[0], kind_at)))
        return 0;
    for (Py_ssize_t k = 0; k < apart->sides; k++)
        if (!is_array_of(apart->type, arrays[k]) || SLOT(arrays[k], kind_at) != SLOT(arrays[0], kind_at) ||
            PyList_Append(apart->natives[k], SLOT(arrays[k], native_at)) < 0)
            return 0;
    return 1;
}

static PyObject *natives_within(Apart *, PyObject *const *);

/* Take the children of some nodes apart, of each that at one place; takes the references. */
static PyObject *
natives_of_children(Apart *apart, PyObject **children)
{
    PyObject *copy = NULL;
    Py_ssize_t k = 0;
    while (k < apart->sides && children[k] != NULL)
        k++;
    if (k == apart->sides && !Py_EnterRecursiveCall(" in a tree of arrays")) {
        copy = natives_within(apart, children);
        Py_LeaveRecursiveCall();
    }
    for (k = 0; k < apart->sides; k++)
        Py_XDECREF(children[k]);
    return copy;
}

static PyObject *
natives_of_dictionary(Apart *apart, PyObject *const *nodes)
{
    PyObject *copy = PyDict_New(), *keys = PyDict_Keys(nodes[0]), *children[SIDES];
    for (Py_ssize_t k = 1; k < apart->sides; k++)
        if (PyDict_GET_SIZE(nodes[k]) != PyDict_GET_SIZE(nodes[0]))
            Py_CLEAR(copy);
    for (Py_ssize_t i = 0; copy != NULL && keys != NULL && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i);
        for (Py_ssize_t k = 0; k < apart->sides; k++)
            children[k] = PyErr_Occurred() ? NULL : Py_XNewRef(PyDict_GetItemWithError(nodes[k], key));
        PyObject *child = natives_of_children(apart, children);
        if (child == NULL || PyDict_SetItem(copy, key, child) < 0)
            Py_CLEAR(copy);
        Py_XDECREF(child);
    }
    if (keys == NULL)
        Py_CLEAR(copy);
    Py_XDECREF(keys);
    return copy;
}

/* Note the native arrays of some trees that are alike; return a copy of the first, or NULL. */
static PyObject *
natives_within(Apart *apart, PyObject *const *nodes)
{
    if (is_array_of(apart->type, nodes[0]))
        return note_natives(apart, nodes) ? Py_NewRef(nodes[0]) : NULL;
    for (Py_ssize_t k = 1; k < apart->sides; k++)
        if (!Py_IS_TYPE(nodes[k], Py_TYPE(nodes[0])))
            return NULL;
    if (PyDict_CheckExact(nodes[0]))
        return natives_of_dictionary(apart, nodes);
    int is_list = PyList_CheckExact(nodes[0]);
    if (!is_list && !PyTuple_CheckExact(nodes[0]))
        return NULL;
    Py_ssize_t size = PySequence_Fast_GET_SIZE(nodes[0]);
    PyObject *copy = new_sequence(is_list, size), *children[SIDES];
    for (Py_ssize_t k = 1; k < apart->sides; k++)
        if (PySequence_Fast_GET_SIZE(nodes[k]) != size)
            Py_CLEAR(copy);
    for (Py_ssize_t i = 0; copy != NULL && i < size; i++) {
        for (Py_ssize_t k = 0; k < apart->sides; k++) /* lists may have become shorter */
            children[k] =
                i < PySequence_Fast_GET_SIZE(nodes[k]) ? Py_NewRef(PySequence_Fast_GET_ITEM(nodes[k], i)) : NULL;
        PyObject *child = natives_of_children(apart, children);
        if (child == NULL)
            Py_CLEAR(copy);
        else
            PySequence_Fast_ITEMS(copy)[i] = child;
    }
    return known_sequence(copy);
}

static PyObject *
flatten_tree(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    Apart apart = {.sides = count - 1};
    if (count < 2 || apart.sides > SIDES || (apart.type = array_class_of(args[0])) == NULL)
        return none_unless_error();
    PyObject *found = new_sequence(0, count);
    int failed = found == NULL;
    for (Py_ssize_t k = 0; !failed && k < apart.sides; k++) {
        apart.natives[k] = PyList_New(0);
        PyTuple_SET_ITEM(found, k + 1, apart.natives[k]);
        failed = apart.natives[k] == NULL;
    }
    if (!failed) {
        PyObject *copy = natives_within(&apart, args + 1);
        PyTuple_SET_ITEM(found, 0, copy);
        failed = copy == NULL;
    }
    Py_DECREF(apart.type);
    Py_XDECREF(apart.real);
    if (failed)
        Py_CLEAR(found);
    return found == NULL ? none_unless_error() : known_sequence(found);
}

static PyObject *node_like(PyTypeObject *, PyObject *, PyObject *, Py_ssize_t *);

/* Make a tree like a copy of which nobody else knows, with the native arrays from a place on; or NULL. */
static PyObject *
tree_like(PyTypeObject *type, PyObject *copy, PyObject *natives, Py_ssize_t *place)
{
    if (Py_EnterRecursiveCall(" in a tree of arrays"))
        return NULL;
    PyObject *made = node_like(type, copy, natives, place);
    Py_LeaveRecursiveCall();
    return made;
}

static PyObject *
node_like(PyTypeObject *type, PyObject *copy, PyObject *natives, Py_ssize_t *place)
{
    if (is_array_of(type, copy)) {
        PyObject *array = new_array(type);
        if (array == NULL)
            return NULL;
        if (*place >= PySequence_Fast_GET_SIZE(natives)) {
            Py_DECREF(array);
            return NULL;
        }
        SLOT(array, native_at) = Py_NewRef(PySequence_Fast_GET_ITEM(natives, (*place)++));
        SLOT(array, kind_at) = Py_NewRef(SLOT(copy, kind_at));
        return array;
    }
    if (PyDict_CheckExact(copy)) {
        PyObject *made = PyDict_New(), *key, *child;
        for (Py_ssize_t i = 0; made != NULL && PyDict_Next(copy, &i, &key, &child);) {
            if ((child = tree_like(type, child, natives, place)) == NULL || PyDict_SetItem(made, key, child) < 0)
                Py_CLEAR(made);
            Py_XDECREF(child);
        }
        return made;
    }
    int is_list = PyList_CheckExact(copy);
    if (!is_list && !PyTuple_CheckExact(copy))
        return NULL;
    Py_ssize_t size = PySequence_Fast_GET_SIZE(copy);
    PyObject *made = new_sequence(is_list, size);
    for (Py_ssize_t i = 0; made != NULL && i < size; i++) {
        PyObject *child = tree_like(type, PySequence_Fast_GET_ITEM(copy, i), natives, place);
        if (child == NULL)
            Py_CLEAR(made);
        else
            PySequence_Fast_ITEMS(made)[i] = child;
    }
    return known_sequence(made);
}

static PyObject *
unflatten_tree(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !(PyList_CheckExact(args[2]) || PyTuple_CheckExact(args[2])))
        Py_RETURN_NONE;
    PyTypeObject *type = array_class_of(args[0]);
    Py_ssize_t place = 0;
    PyObject *made = type == NULL ? NULL : tree_like(type, args[1], args[2], &place);
    Py_XDECREF(type);
    if (made != NULL && place != PySequence_Fast_GET_SIZE(args[2]))
        Py_CLEAR(made);
    return made == NULL ? none_unless_error() : made;
}
