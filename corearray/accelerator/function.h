/* What users call: a Python function that goes a way first, if it has one, or asks another function. All that is asked of
   it beyond a call (name, signature, docstring, module) the Python function answers. */

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *function; /* the Python function */
    Way *way;           /* or NULL */
    PyObject *first;    /* what is asked first, and returns None for a call that it does not cover; or NULL */
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
    else if (((Function *)self)->first != NULL) {
        PyObject *result = PyObject_Vectorcall(((Function *)self)->first, args, nargsf, names);
        if (result != Py_None)
            return result;
        Py_DECREF(result);
    }
    return PyObject_Vectorcall(((Function *)self)->function, args, nargsf, names);
}

static PyObject *
function_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *known[] = {"function", "first", NULL};
    PyObject *function, *first = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|O:Function", known, &PyFunction_Type, &function, &first))
        return NULL;
    Function *self = (Function *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->vectorcall = function_vectorcall;
        self->function = Py_NewRef(function);
        self->first = Py_XNewRef(first);
    }
    return (PyObject *)self;
}

static int
function_traverse(Function *self, visitproc visit, void *arg)
{
    Py_VISIT(self->function);
    Py_VISIT(self->first);
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
    Py_XDECREF(self->first);
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
