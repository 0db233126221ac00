/* A context manager that makes a change and undoes it.

   The calls of `__enter__` and `__exit__` are C, so that Python handles signals only within the functions that they call:
   an exception of a signal handler there cannot leave the change without what undoes it. */

typedef struct {
    PyObject_HEAD
    PyObject *make; /* gives the value of the `with` statement, what makes the change, and what undoes it */
    PyObject *undo; /* while the block runs, else NULL */
} Scope;

/* How often an undoing is tried that exceptions of signal handlers interrupt. */
#define UNDO_TRIES 100

/* Undo the change, and raise what interrupted that. */
static int
scope_leave(Scope *self)
{
    PyObject *undo = self->undo, *type = NULL, *error = NULL, *trace = NULL;
    self->undo = NULL;
    if (undo == NULL)
        return 0;
    for (int i = 0; i < UNDO_TRIES; i++) {
        PyObject *done = PyObject_CallNoArgs(undo);
        if (done != NULL) {
            Py_DECREF(done);
            break;
        }
        if (type == NULL)
            PyErr_Fetch(&type, &error, &trace);
        else
            PyErr_Clear();
    }
    Py_DECREF(undo);
    if (type == NULL)
        return 0;
    PyErr_Restore(type, error, trace);
    return -1;
}

static PyObject *
scope_enter(Scope *self, PyObject *Py_UNUSED(ignored))
{
    if (self->undo != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "this context manager was entered already");
        return NULL;
    }
    PyObject *made = PyObject_CallNoArgs(self->make);
    if (made == NULL)
        return NULL;
    if (!PyTuple_CheckExact(made) || PyTuple_GET_SIZE(made) != 3) {
        Py_DECREF(made);
        PyErr_SetString(PyExc_TypeError, "a scope takes what returns a value, a change and what undoes it");
        return NULL;
    }
    self->undo = Py_NewRef(PyTuple_GET_ITEM(made, 2));
    PyObject *changed = PyObject_CallNoArgs(PyTuple_GET_ITEM(made, 1));
    PyObject *value = changed == NULL ? NULL : Py_NewRef(PyTuple_GET_ITEM(made, 0));
    Py_DECREF(made);
    Py_XDECREF(changed);
    if (value == NULL) {
        PyObject *type, *error, *trace;
        PyErr_Fetch(&type, &error, &trace);
        if (scope_leave(self) < 0)
            PyErr_Clear();
        PyErr_Restore(type, error, trace);
    }
    return value;
}

static PyObject *
scope_exit(Scope *self, PyObject *Py_UNUSED(error))
{
    if (scope_leave(self) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static int
scope_init(Scope *self, PyObject *args, PyObject *keywords)
{
    static char *known[] = {"make", NULL};
    PyObject *make;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:Scope", known, &make))
        return -1;
    Py_XSETREF(self->make, Py_NewRef(make));
    return 0;
}

static int
scope_traverse(Scope *self, visitproc visit, void *arg)
{
    Py_VISIT(self->make);
    Py_VISIT(self->undo);
    return 0;
}

static int
scope_clear(Scope *self)
{
    Py_CLEAR(self->make);
    Py_CLEAR(self->undo);
    return 0;
}

static void
scope_dealloc(Scope *self)
{
    PyObject_GC_UnTrack(self);
    scope_clear(self);
    Py_TYPE(self)->tp_free(self);
}

static PyMethodDef scope_methods[] = {
    {"__enter__", (PyCFunction)scope_enter, METH_NOARGS, PyDoc_STR("Make the change.")},
    {"__exit__", (PyCFunction)scope_exit, METH_VARARGS, PyDoc_STR("Undo the change.")},
    {NULL},
};

static PyTypeObject ScopeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "corearray.calls._accelerator.Scope",
    .tp_doc = PyDoc_STR("A context manager that makes a change and undoes it, see `corearray.settings.scope`."),
    .tp_basicsize = sizeof(Scope),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)scope_init,
    .tp_traverse = (traverseproc)scope_traverse,
    .tp_clear = (inquiry)scope_clear,
    .tp_dealloc = (destructor)scope_dealloc,
    .tp_methods = scope_methods,
};
