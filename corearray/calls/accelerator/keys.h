/* A key of plain arguments: what `corearray.calls.memo` finds an answer by. */

enum { LENGTH_OF_KEY = 1024, DEPTH_OF_KEY = 8 };

typedef struct {
    Py_ssize_t size;
    unsigned char text[LENGTH_OF_KEY];
} Key;

/* Add a letter and some bytes. Returns whether there was room for them. */
static inline int
add_text(Key *key, char letter, const void *bytes, Py_ssize_t size)
{
    if (size >= LENGTH_OF_KEY - key->size)
        return 0;
    key->text[key->size++] = letter;
    memcpy(key->text + key->size, bytes, size);
    key->size += size;
    return 1;
}

/* Whether a subclass of tuple leaves a method alone. */
static inline int
leaves_alone(PyTypeObject *type, PyObject **name, const char *text)
{
    if (*name == NULL && (*name = PyUnicode_InternFromString(text)) == NULL) {
        PyErr_Clear();
        return 0;
    }
    return _PyType_Lookup(type, *name) == _PyType_Lookup(&PyTuple_Type, *name);
}

/* Whether something is a tuple, or of a subclass that holds no other items than those of the tuple: a framework's class of
   shapes is one. The slots of a class in C tell; those of a class in Python are Python's own wherever two slots share a name. */
static inline int
is_plain_tuple(PyObject *x)
{
    static PyObject *length, *item;
    PyTypeObject *type = Py_TYPE(x);
    if (PyTuple_CheckExact(x))
        return 1;
    if (!PyTuple_Check(x) || type->tp_iter != PyTuple_Type.tp_iter)
        return 0;
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE)
        return leaves_alone(type, &length, "__len__") && leaves_alone(type, &item, "__getitem__");
    return type->tp_as_sequence != NULL && type->tp_as_sequence->sq_length == PyTuple_Type.tp_as_sequence->sq_length &&
           type->tp_as_sequence->sq_item == PyTuple_Type.tp_as_sequence->sq_item;
}

/* Add a value, by its type too: 1, 1.0 and True differ. Returns whether it is plain: what is none may run anything. */
static int
add_value(Key *key, PyObject *x, int depth)
{
    if (PyLong_CheckExact(x)) {
        int overflow;
        long long number = PyLong_AsLongLongAndOverflow(x, &overflow);
        return !overflow && add_text(key, 'i', &number, sizeof number);
    }
    int is_list = PyList_CheckExact(x);
    if (is_list || is_plain_tuple(x)) {
        Py_ssize_t size = PySequence_Fast_GET_SIZE(x);
        int plain = depth < DEPTH_OF_KEY && add_text(key, is_list ? 'l' : 't', &size, sizeof size);
        for (Py_ssize_t i = 0; plain && i < size; i++)
            plain = add_value(key, PySequence_Fast_GET_ITEM(x, i), depth + 1);
        return plain;
    }
    if (x == Py_None || PyBool_Check(x))
        return add_text(key, x == Py_None ? 'n' : x == Py_True ? 'y' : 'z', "", 0);
    if (PyFloat_CheckExact(x)) {
        double number = PyFloat_AS_DOUBLE(x);
        return add_text(key, 'f', &number, sizeof number);
    }
    if (PyUnicode_CheckExact(x)) {
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(x, &size);
        if (text == NULL)
            PyErr_Clear();
        return text != NULL && add_text(key, 's', &size, sizeof size) && add_text(key, ':', text, size);
    }
    return 0;
}

/* The key of the arguments of a call, a tuple and a dictionary; None if one of them is not plain, or if it is too long. */
static PyObject *
key_of(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (count != 2 || !PyTuple_CheckExact(args[0]) || !PyDict_CheckExact(args[1]))
        return PyErr_Format(PyExc_TypeError, "key_of() takes the arguments of a call, a tuple and a dictionary");
    Key key;
    key.size = 0;
    int plain = add_value(&key, args[0], 0);
    PyObject *name, *value;
    for (Py_ssize_t at = 0; plain && PyDict_Next(args[1], &at, &name, &value);)
        plain = add_value(&key, name, 0) && add_value(&key, value, 0);
    return plain ? PyBytes_FromStringAndSize((char *)key.text, key.size) : Py_NewRef(Py_None);
}
