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
    if (is_list || PyTuple_Check(x)) { /* a framework's class of shapes is a tuple too */
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
