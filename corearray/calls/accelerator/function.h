/* What users call: a Python function with a plan that is executed first, or another function that is asked first. The Python
   function answers for its name, signature, docstring and module. It may be made when it is first needed: most calls need
   none. */

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *function; /* the Python function, or NULL as long as nobody needs it */
    PyObject *maker;    /* what makes it then, called without arguments; or NULL */
    CallPlan *plan;     /* of a public function the plan of the last call; or NULL */
    PyObject *plans;    /* of a public function a dict: by the functions of a backend, the plan on that; else NULL */
    PyObject *first;    /* what is asked first, and returns None for a call that it does not cover; or NULL */
    PyObject *dict, *weak_references;
} Function;

/* The Python function, a borrowed reference, made now if need be: by another thread meanwhile, too, and then that one counts. */
static PyObject *
function_behind(Function *self)
{
    if (self->function == NULL) {
        if (self->maker == NULL) { /* the collector of garbage has cleared it */
            PyErr_SetString(PyExc_ReferenceError, "the function is garbage");
            return NULL;
        }
        PyObject *made = PyObject_CallNoArgs(self->maker);
        if (made == NULL)
            return NULL;
        if (!PyFunction_Check(made)) {
            PyErr_Format(PyExc_TypeError, "the maker of a function made %R, which is no Python function", made);
            Py_DECREF(made);
            return NULL;
        }
        if (self->function == NULL)
            self->function = made;
        else
            Py_DECREF(made);
    }
    return self->function;
}

/* The plan of a public function on the backend of a record, a new reference, or NULL. */
static inline CallPlan *
plan_under(Function *self, PyObject *record)
{
    PyObject *calls = SLOT(record, fast_calls_at), *plan;
    if (self->plan != NULL && self->plan->calls == calls)
        return (CallPlan *)Py_NewRef(self->plan);
    if (calls == NULL || calls == Py_None)
        return NULL;
    plan = PyDict_GetItemWithError(self->plans, calls);
    if (plan == NULL || !Py_IS_TYPE(plan, &CallPlanType))
        return NULL;
    CallPlan *former = self->plan;
    Py_INCREF(plan);
    self->plan = (CallPlan *)Py_NewRef(plan);
    Py_XDECREF(former);
    return (CallPlan *)plan;
}

/* The plan of a call under the settings in force, a new reference. NULL without an error: there is none. */
static inline CallPlan *
plan_in_force(Function *self, PyObject *const *args, Py_ssize_t given)
{
    if (self->plans == NULL)
        return self->plan == NULL || in_slow_mode() ? NULL : (CallPlan *)Py_NewRef(self->plan);
    PyObject *record = record_in_force();
    if (record == NULL)
        return NULL;
    CallPlan *plan = plan_under(self, record);
    if (plan != NULL && given != 0 && plan->array != NULL && !Py_IS_TYPE(args[0], plan->array)) {
        record = take_implicit(record, args[0]);
        Py_SETREF(plan, plan_under(self, record));
    }
    Py_DECREF(record);
    return plan;
}

/* Let Python say which call is meant, if the function takes no such call. Such an error comes before the function
   begins, so that it has no traceback. */
static void
explain_keyword(PyObject *function)
{
    PyObject *type, *error, *trace, *explained = NULL;
    PyErr_Fetch(&type, &error, &trace);
    if (trace == NULL) {
        PyErr_NormalizeException(&type, &error, &trace);
        PyObject *module = PyImport_ImportModule("corearray.calls.keywords");
        if (module != NULL)
            explained = PyObject_CallMethod(module, "unknown_keyword", "OO", error, function);
        Py_XDECREF(module);
        if (explained == NULL)
            PyErr_Clear();
        else if (explained != Py_None) {
            Py_XSETREF(type, Py_NewRef(Py_TYPE(explained)));
            Py_XSETREF(error, Py_NewRef(explained));
        }
        Py_XDECREF(explained);
    }
    PyErr_Restore(type, error, trace);
}

static PyObject *
function_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *names)
{
    CallPlan *plan = plan_in_force((Function *)self, args, PyVectorcall_NARGS(nargsf));
    if (plan != NULL) {
        PyObject *result = go(plan, args, PyVectorcall_NARGS(nargsf), names);
        Py_DECREF(plan);
        if (result != NULL || PyErr_Occurred())
            return result;
    }
    else if (PyErr_Occurred())
        return NULL;
    else if (((Function *)self)->first != NULL) {
        PyObject *result = PyObject_Vectorcall(((Function *)self)->first, args, nargsf, names);
        if (result != Py_None)
            return result;
        Py_DECREF(result);
    }
    PyObject *function = function_behind((Function *)self);
    if (function == NULL)
        return NULL;
    PyObject *result = PyObject_Vectorcall(function, args, nargsf, names);
    if (result == NULL && PyErr_ExceptionMatches(PyExc_TypeError))
        explain_keyword(function);
    return result;
}

static PyObject *
function_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *known[] = {"function", "first", "maker", NULL};
    PyObject *function = NULL, *first = NULL, *maker = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O!O$O:Function", known, &PyFunction_Type, &function, &first, &maker))
        return NULL;
    if ((function == NULL) == (maker == NULL) || (maker != NULL && !PyCallable_Check(maker))) {
        PyErr_SetString(PyExc_TypeError, "Function() takes a Python function or the maker of one, which can be called");
        return NULL;
    }
    Function *self = (Function *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->vectorcall = function_vectorcall;
        self->function = Py_XNewRef(function);
        self->maker = Py_XNewRef(maker);
        self->first = Py_XNewRef(first);
    }
    return (PyObject *)self;
}

static int
function_traverse(Function *self, visitproc visit, void *arg)
{
    Py_VISIT(self->function);
    Py_VISIT(self->maker);
    Py_VISIT(self->first);
    Py_VISIT(self->plan);
    Py_VISIT(self->plans);
    Py_VISIT(self->dict);
    return 0;
}

static int
function_clear(Function *self)
{
    Py_CLEAR(self->function);
    Py_CLEAR(self->maker);
    Py_CLEAR(self->first);
    Py_CLEAR(self->plan);
    Py_CLEAR(self->plans);
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
    Py_TYPE(self)->tp_free(self);
}

static PyObject *
function_repr(Function *self)
{
    PyObject *function = function_behind(self);
    return function == NULL ? NULL : PyObject_Repr(function);
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
        PyObject *function = function_behind((Function *)self);
        found = function == NULL ? NULL : PyObject_GetAttr(function, name);
    }
    return found;
}

static PyObject *
function_answer(Function *self, void *name)
{
    PyObject *function = function_behind(self);
    return function == NULL ? NULL : PyObject_GetAttrString(function, name);
}

static PyObject *
function_get_function(Function *self, void *Py_UNUSED(closure))
{
    return Py_XNewRef(function_behind(self));
}

static PyObject *
function_get_plan(Function *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(self->plan == NULL ? Py_None : (PyObject *)self->plan);
}

static int
function_set_plan(Function *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value != NULL && value != Py_None && !Py_IS_TYPE(value, &CallPlanType)) {
        PyErr_Format(PyExc_TypeError, "the plan of a function is a CallPlan or None, got %R", value);
        return -1;
    }
    CallPlan *former = self->plan;
    self->plan = value == NULL || value == Py_None ? NULL : (CallPlan *)Py_NewRef(value);
    Py_XDECREF(former);
    return 0;
}

static PyObject *
function_get_plans(Function *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(self->plans == NULL ? Py_None : self->plans);
}

static int
function_set_plans(Function *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value != NULL && value != Py_None && !PyDict_CheckExact(value)) {
        PyErr_Format(PyExc_TypeError, "the plans of a function are a dict or None, got %R", value);
        return -1;
    }
    Py_XSETREF(self->plans, value == NULL || value == Py_None ? NULL : Py_NewRef(value));
    Py_CLEAR(self->plan);
    return 0;
}

/* Pickled by its name, as a Python function is; copies are the function itself. */
static PyObject *
function_reduce(Function *self, PyObject *Py_UNUSED(ignored))
{
    return function_answer(self, "__qualname__");
}

static PyMethodDef function_methods[] = {
    {"__reduce__", (PyCFunction)function_reduce, METH_NOARGS, NULL},
    {NULL},
};

static PyGetSetDef function_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict},
    {"__doc__", (getter)function_answer, NULL, NULL, "__doc__"},
    {"__module__", (getter)function_answer, NULL, NULL, "__module__"},
    {"function", (getter)function_get_function, NULL, PyDoc_STR("The Python function behind.")},
    {"plan", (getter)function_get_plan, (setter)function_set_plan, PyDoc_STR("The plan that is executed first, or None.")},
    {"plans", (getter)function_get_plans, (setter)function_set_plans,
     PyDoc_STR("Plans by the functions of a backend; the settings in force choose one. None for other functions.")},
    {NULL},
};

static PyTypeObject FunctionType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "corearray.calls._accelerator.Function",
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
    .tp_getset = function_getset,
};
