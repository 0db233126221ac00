/* The memory of arrays.

   An array is made and forgotten in every call. What Python does for an instance of a class with slots takes longer than
   the rest of the call: so the memory of some that were forgotten is kept for those that come, as Python itself keeps that
   of lists and floats. The classes of all backends have one layout. */

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

#define KEPT 64
static PyObject *kept[KEPT];
static int kept_count;

/* Where instances hold what they hold; the class of a backend adds nothing to `Array`. */
static Py_ssize_t native_at, kind_at, link_at, weak_references_at;

static void
array_dealloc(PyObject *array)
{
    PyTypeObject *type = Py_TYPE(array);
    PyObject_GC_UnTrack(array);
    Py_TRASHCAN_BEGIN(array, array_dealloc)
    if (SLOT(array, weak_references_at) != NULL)
        PyObject_ClearWeakRefs(array);
    Py_CLEAR(SLOT(array, native_at));
    Py_CLEAR(SLOT(array, kind_at));
    Py_CLEAR(SLOT(array, link_at));
    if (kept_count < KEPT && type->tp_dealloc == array_dealloc) /* not of a class that adds something */
        kept[kept_count++] = array;
    else
        type->tp_free(array);
    Py_DECREF(type);
    Py_TRASHCAN_END
}

/* An array that holds nothing yet, of a class that was prepared. */
static inline PyObject *
new_array(PyTypeObject *type)
{
    if (kept_count == 0)
        return type->tp_alloc(type, 0);
    PyObject *array = PyObject_Init(kept[--kept_count], type);
    PyObject_GC_Track(array);
    return array;
}

/* What the class is called with: nothing. */
static PyObject *
array_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *names)
{
    if (PyVectorcall_NARGS(nargsf) != 0 || (names != NULL && PyTuple_GET_SIZE(names) != 0)) {
        PyErr_Format(PyExc_TypeError, "%R takes no arguments", type);
        return NULL;
    }
    return new_array((PyTypeObject *)type);
}

static Py_ssize_t
offset_of(PyTypeObject *type, const char *name)
{
    PyObject *slot = PyObject_GetAttrString((PyObject *)type, name);
    if (slot == NULL)
        return -1;
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(slot, &PyMemberDescr_Type) && PyType_IsSubtype(type, PyDescr_TYPE(slot)))
        offset = ((PyMemberDescrObject *)slot)->d_member->offset;
    else
        PyErr_Format(PyExc_TypeError, "'%s' of %R is no slot", name, type);
    Py_DECREF(slot);
    return offset;
}
