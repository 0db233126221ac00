/* Operators.

   `x + y` of two arrays of one class executes the plan of `add`, and `x[key]` that of `get_item`. The class has Python's methods,
   such as `__add__`, all the same: they compute everything else, and tracers of Python code look them up. Only the slot
   behind the operator leads elsewhere. `x += y` of two arrays of one kind is led to what the framework writes in place. */

/* X(name, slot) for each, X(name, slot, function) of those in place */
#define BINARY(X)                                                                                                      \
    X(add, nb_add)                                                                                                     \
    X(sub, nb_subtract)                                                                                                \
    X(mul, nb_multiply)                                                                                                \
    X(truediv, nb_true_divide)                                                                                         \
    X(floordiv, nb_floor_divide)                                                                                       \
    X(mod, nb_remainder)                                                                                               \
    X(matmul, nb_matrix_multiply)                                                                                      \
    X(and, nb_and)                                                                                                     \
    X(or, nb_or)                                                                                                       \
    X(xor, nb_xor)                                                                                                     \
    X(lshift, nb_lshift)                                                                                               \
    X(rshift, nb_rshift)
#define UNARY(X)                                                                                                       \
    X(neg, nb_negative)                                                                                                \
    X(pos, nb_positive)                                                                                                \
    X(abs, nb_absolute)                                                                                                \
    X(invert, nb_invert)
#define IN_PLACE(X)                                                                                                    \
    X(iadd, nb_inplace_add, "add")                                                                                     \
    X(isub, nb_inplace_subtract, "subtract")                                                                           \
    X(imul, nb_inplace_multiply, "multiply")                                                                           \
    X(itruediv, nb_inplace_true_divide, "divide")                                                                      \
    X(iand, nb_inplace_and, "bitwise_and")                                                                             \
    X(ior, nb_inplace_or, "bitwise_or")                                                                                \
    X(ixor, nb_inplace_xor, "bitwise_xor")

/* Comparisons come first, by the numbers that Python gives them: <, <=, ==, !=, >, >=. */
enum operator {
#define NUMBER(name, slot) operator_##name,
    comparisons = Py_GE,
    BINARY(NUMBER) UNARY(NUMBER) operator_getitem,
    operator_count
#undef NUMBER
};
enum update {
#define NUMBER(name, slot, function) update_##name,
    IN_PLACE(NUMBER) update_count
#undef NUMBER
};

/* The names of the methods, and of those of the right operand. */
static PyObject *method_names[operator_count], *reflected_names[operator_count], *update_names[update_count];

/* What a class keeps under `_operators`. The plans hold the class, so that none of another class has its address. */
typedef struct {
    PyObject_HEAD
    PyTypeObject *type;
    CallPlan *plans[operator_count];
    PyObject *updates[update_count]; /* what writes into the first of two native arrays, and says whether it did */
    PyObject *failures[update_count]; /* what raises the error of one that raised */
    PyObject *copies;                 /* a dict: while it is empty, no other array is to be told of what is written */
} Operators;

static Operators *last_operators; /* of the class that was asked for last */

static int
operators_traverse(Operators *operators, visitproc visit, void *arg)
{
    Py_VISIT(operators->type);
    for (int i = 0; i < operator_count; i++)
        Py_VISIT(operators->plans[i]);
    for (int i = 0; i < update_count; i++) {
        Py_VISIT(operators->updates[i]);
        Py_VISIT(operators->failures[i]);
    }
    Py_VISIT(operators->copies);
    return 0;
}

static int
operators_clear(Operators *operators)
{
    for (int i = 0; i < operator_count; i++)
        Py_CLEAR(operators->plans[i]);
    for (int i = 0; i < update_count; i++) {
        Py_CLEAR(operators->updates[i]);
        Py_CLEAR(operators->failures[i]);
    }
    Py_CLEAR(operators->copies);
    Py_CLEAR(operators->type);
    return 0;
}

static void
operators_dealloc(Operators *operators)
{
    PyObject_GC_UnTrack(operators);
    operators_clear(operators);
    PyObject_GC_Del(operators);
}

static PyTypeObject OperatorsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "corearray.calls._accelerator.Operators",
    .tp_basicsize = sizeof(Operators),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = (traverseproc)operators_traverse,
    .tp_clear = (inquiry)operators_clear,
    .tp_dealloc = (destructor)operators_dealloc,
};

/* The plans of a prepared class; NULL without an error for others. What is returned is borrowed from `last_operators`. */
static inline Operators *
operators_of(PyTypeObject *type)
{
    if (last_operators != NULL && last_operators->type == type)
        return last_operators;
    if (type->tp_dealloc != array_dealloc)
        return NULL;
    PyObject *found = PyObject_GetAttrString((PyObject *)type, "_operators");
    if (found == NULL || !Py_IS_TYPE(found, &OperatorsType)) {
        PyErr_Clear();
        Py_XDECREF(found);
        return NULL;
    }
    Operators *former = last_operators;
    last_operators = (Operators *)found;
    Py_XDECREF(former); /* which may run code, and that may ask for the plans of another class */
    return last_operators == (Operators *)found ? last_operators : NULL;
}

/* Execute the plan of an operator. NULL without an error: there is none for these operands. */
static inline PyObject *
operate(enum operator operator, PyObject *const *operands, Py_ssize_t count)
{
    Operators *operators = operators_of(Py_TYPE(operands[0]));
    if (operators == NULL || operators->plans[operator] == NULL || in_slow_mode())
        return NULL;
    CallPlan *plan = (CallPlan *)Py_NewRef(operators->plans[operator]);
    PyObject *result = go(plan, operands, count, NULL);
    Py_DECREF(plan);
    return result;
}

static PyObject *
call_method(PyObject *name, PyObject *x, PyObject *y)
{
    PyObject *operands[] = {x, y};
    return PyObject_VectorcallMethod(name, operands, y == NULL ? 1 : 2, NULL);
}

static PyObject *
binary(enum operator operator, PyObject *x, PyObject *y)
{
    int alike = Py_IS_TYPE(x, Py_TYPE(y));
    PyObject *operands[] = {x, y}, *result;
    if (alike && ((result = operate(operator, operands, 2)) != NULL || PyErr_Occurred()))
        return result;
    /* what the slot of a Python class does: the method of the left operand, then that of the right one */
    if (Py_TYPE(x)->tp_dealloc == array_dealloc) {
        result = call_method(method_names[operator], x, y);
        if (result != Py_NotImplemented)
            return result;
        Py_DECREF(result);
    }
    if (!alike && Py_TYPE(y)->tp_dealloc == array_dealloc)
        return call_method(reflected_names[operator], y, x);
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
unary(enum operator operator, PyObject *x)
{
    PyObject *result = operate(operator, &x, 1);
    return result != NULL || PyErr_Occurred() ? result : call_method(method_names[operator], x, NULL);
}

static PyObject *
compare(PyObject *x, PyObject *y, int operator)
{
    PyObject *operands[] = {x, y}, *result;
    if (Py_IS_TYPE(x, Py_TYPE(y)) && ((result = operate(operator, operands, 2)) != NULL || PyErr_Occurred()))
        return result;
    return call_method(method_names[operator], x, y);
}

static PyObject *
subscript(PyObject *x, PyObject *key)
{
    PyObject *operands[] = {x, key}, *result = operate(operator_getitem, operands, 2);
    return result != NULL || PyErr_Occurred() ? result : call_method(method_names[operator_getitem], x, key);
}

/* Let the error of an update be told by what knows how; it has written nothing, or all, so that nobody may try again. */
static void
tell(PyObject *failure)
{
    PyObject *type, *error, *trace;
    if (!PyErr_ExceptionMatches(PyExc_Exception))
        return;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace != NULL)
        PyException_SetTraceback(error, trace);
    PyObject *told = PyObject_CallOneArg(failure, error);
    if (told == NULL) {
        Py_DECREF(type);
        Py_DECREF(error);
        Py_XDECREF(trace);
    }
    else {
        Py_DECREF(told);
        PyErr_Restore(type, error, trace);
    }
}

static PyObject *
in_place(enum update update, PyObject *x, PyObject *y)
{
    Operators *operators = Py_IS_TYPE(x, Py_TYPE(y)) ? operators_of(Py_TYPE(x)) : NULL;
    if (operators != NULL && operators->updates[update] != NULL && PyDict_GET_SIZE(operators->copies) == 0 &&
        !in_slow_mode() &&
        SLOT(x, kind_at) != NULL && SLOT(x, kind_at) == SLOT(y, kind_at) && SLOT(x, native_at) != NULL &&
        SLOT(y, native_at) != NULL) {
        PyObject *function = Py_NewRef(operators->updates[update]), *failure = Py_NewRef(operators->failures[update]);
        PyObject *natives[] = {NULL, Py_NewRef(SLOT(x, native_at)), Py_NewRef(SLOT(y, native_at))};
        PyObject *done = PyObject_Vectorcall(function, natives + 1, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
        if (done == NULL)
            tell(failure);
        Py_DECREF(function);
        Py_DECREF(failure);
        Py_DECREF(natives[1]);
        Py_DECREF(natives[2]);
        if (done == NULL)
            return NULL;
        if (is_true(done))
            return Py_NewRef(x);
    }
    if (PyErr_Occurred())
        return NULL;
    return call_method(update_names[update], x, y);
}

#define SLOT_FUNCTION(name, slot, function)                                                                            \
    static PyObject *slot_##name(PyObject *x, PyObject *y) { return in_place(update_##name, x, y); }
IN_PLACE(SLOT_FUNCTION)
#undef SLOT_FUNCTION
#define SLOT_FUNCTION(name, slot)                                                                                      \
    static PyObject *slot_##name(PyObject *x, PyObject *y) { return binary(operator_##name, x, y); }
BINARY(SLOT_FUNCTION)
#undef SLOT_FUNCTION
#define SLOT_FUNCTION(name, slot)                                                                                      \
    static PyObject *slot_##name(PyObject *x) { return unary(operator_##name, x); }
UNARY(SLOT_FUNCTION)
#undef SLOT_FUNCTION

static int
name_operators(void)
{
    static const char *comparison_names[] = {"__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"};
    for (int i = Py_LT; i <= Py_GE; i++)
        if ((method_names[i] = PyUnicode_InternFromString(comparison_names[i])) == NULL)
            return -1;
#define NAME(name, slot)                                                                                               \
    method_names[operator_##name] = PyUnicode_InternFromString("__" #name "__");                                       \
    reflected_names[operator_##name] = PyUnicode_InternFromString("__r" #name "__");                                   \
    if (method_names[operator_##name] == NULL || reflected_names[operator_##name] == NULL)                             \
        return -1;
    BINARY(NAME)
    UNARY(NAME)
#undef NAME
#define NAME(name, slot, function)                                                                                     \
    if ((update_names[update_##name] = PyUnicode_InternFromString("__" #name "__")) == NULL)                           \
        return -1;
    IN_PLACE(NAME)
#undef NAME
    method_names[operator_getitem] = PyUnicode_InternFromString("__getitem__");
    reflected_names[operator_getitem] = method_names[operator_getitem];
    return method_names[operator_getitem] == NULL ? -1 : 0;
}

static PyObject *
prepare(PyObject *Py_UNUSED(module), PyObject *argument)
{
    if (!PyType_Check(argument))
        return PyErr_Format(PyExc_TypeError, "a class is prepared, got %R", argument);
    PyTypeObject *type = (PyTypeObject *)argument;
    Py_ssize_t native = offset_of(type, "_native"), kind = native < 0 ? -1 : offset_of(type, "_kind");
    Py_ssize_t link = kind < 0 ? -1 : offset_of(type, "_link");
    if (link < 0)
        return NULL;
    /* the head of an object, three slots, the list of weak references (from Python 3.12 on in front), and nothing else */
    Py_ssize_t places = type->tp_weaklistoffset > 0 ? 4 : 3;
    if (type->tp_basicsize != (Py_ssize_t)(sizeof(PyObject) + places * sizeof(PyObject *)) || type->tp_itemsize != 0 ||
        type->tp_dictoffset != 0 || type->tp_weaklistoffset == 0 || type->tp_finalize != NULL)
        return PyErr_Format(PyExc_TypeError, "%R does not have the layout of an array", type);
    Operators *operators = PyObject_GC_New(Operators, &OperatorsType);
    if (operators == NULL)
        return NULL;
    memset((char *)operators + sizeof(PyObject), 0, sizeof(Operators) - sizeof(PyObject));
    operators->type = (PyTypeObject *)Py_NewRef(type);
    PyObject_GC_Track(operators);
    int failed = PyObject_SetAttrString((PyObject *)type, "_operators", (PyObject *)operators);
    Py_DECREF(operators);
    if (failed)
        return NULL;
    native_at = native, kind_at = kind, link_at = link, weak_references_at = type->tp_weaklistoffset;
    type->tp_vectorcall = array_vectorcall;
    type->tp_dealloc = array_dealloc;
    Py_RETURN_NONE;
}

/* Python leads a slot to the methods anew whenever one of them is set, so that this comes after. */
static PyObject *
accelerate_operator(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyTypeObject *type;
    PyObject *name, *plan;
    if (!PyArg_ParseTuple(args, "O!UO:accelerate_operator", &PyType_Type, &type, &name, &plan))
        return NULL;
    Operators *operators = operators_of(type);
    if (operators == NULL || (plan != Py_None && !Py_IS_TYPE(plan, &CallPlanType)))
        return PyErr_Format(PyExc_TypeError, "%R is no prepared class, or %R no plan", type, plan);
    int operator = 0, reflected = 0;
    for (; operator < operator_count; operator++) {
        if (PyUnicode_Compare(method_names[operator], name) == 0)
            break;
        if (operator > comparisons && PyUnicode_Compare(reflected_names[operator], name) == 0) {
            reflected = 1;
            break;
        }
    }
    if (operator == operator_count) /* one without a slot here, such as `**` */
        Py_RETURN_NONE;
    Py_INCREF(operators); /* the former plan may run code when it goes */
    if (!reflected)
        Py_XSETREF(operators->plans[operator], plan == Py_None ? NULL : (CallPlan *)Py_NewRef(plan));
    int leads = operators->plans[operator] != NULL;
    Py_DECREF(operators);
    if (!leads)
        Py_RETURN_NONE;
    switch (operator) {
#define LEAD(name, slot)                                                                                               \
    case operator_##name:                                                                                              \
        type->tp_as_number->slot = slot_##name;                                                                        \
        break;
        BINARY(LEAD)
        UNARY(LEAD)
#undef LEAD
    case operator_getitem:
        type->tp_as_mapping->mp_subscript = subscript;
        break;
    default:
        type->tp_richcompare = compare;
    }
    Py_RETURN_NONE;
}

/* Let an operator in place be led to what computes a function in place, or to None any more. */
static PyObject *
accelerate_update(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyTypeObject *type;
    PyObject *function, *compute, *failure, *copies;
    if (!PyArg_ParseTuple(args, "O!UOOO!:accelerate_update", &PyType_Type, &type, &function, &compute, &failure, &PyDict_Type,
                          &copies))
        return NULL;
    Operators *operators = operators_of(type);
    if (operators == NULL)
        return PyErr_Format(PyExc_TypeError, "%R is no prepared class", type);
    int update = update_count; /* functions without a slot here, such as `pow`, are left alone */
#define LEAD(name, slot, of)                                                                                           \
    if (PyUnicode_CompareWithASCIIString(function, of) == 0) {                                                         \
        update = update_##name;                                                                                        \
        type->tp_as_number->slot = slot_##name;                                                                        \
    }
    IN_PLACE(LEAD)
#undef LEAD
    if (update < update_count) {
        Py_INCREF(operators); /* what was there before may run code when it goes */
        Py_XSETREF(operators->copies, Py_NewRef(copies));
        Py_XSETREF(operators->failures[update], Py_NewRef(failure));
        Py_XSETREF(operators->updates[update], compute == Py_None ? NULL : Py_NewRef(compute));
        Py_DECREF(operators);
    }
    Py_RETURN_NONE;
}
