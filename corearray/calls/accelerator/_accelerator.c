/* Plans of calls (see plan.py): arrays of one kind, one native call, a new array.

   `FunctionWriter` writes the same case as text: tests hold the two equal.
   Everything that it does not cover, and every call that fails, goes to the Python function behind, which computes the same.
   corearray is complete without this module; it is built where there is a compiler.

   The files are one piece of C, in the order in which they build on each other:
   arrays.h      the memory of arrays
   context.h     the settings in force
   scope.h       a change that is undone
   call_plan.h   a call of a native function
   operators.h   `x + y`
   function.h    what users call
   trees.h       trees of arrays
   tape.h        what a derivative leads to
   keys.h        what an answer is remembered by
   threefry.h    random words
   slots.h       the arrays that a training step reads and writes
*/

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <structmember.h>

#include "arrays.h"
#include "context.h"
#include "scope.h"
#include "call_plan.h"
#include "operators.h"
#include "function.h"
#include "trees.h"
#include "tape.h"
#include "keys.h"
#include "threefry.h"
#include "slots.h"

/* The checksum of these files, which the build gives: a checkout leaves out a library of other files. */
#ifndef SOURCES
#error "hatch_build.py compiles this file"
#endif

static PyMethodDef module_methods[] = {
    {"read_settings_from", read_settings_from, METH_VARARGS, PyDoc_STR("Name the context variable of the settings.")},
    {"see_slow_mode", see_slow_mode, METH_NOARGS, PyDoc_STR("Let fast paths look whether the slow mode is in force.")},
    {"prepare", prepare, METH_O, PyDoc_STR("Let the instances of a backend's class of arrays be made and forgotten fast.")},
    {"flatten_tree", (PyCFunction)(void (*)(void))flatten_tree, METH_FASTCALL, NULL},
    {"unflatten_tree", (PyCFunction)(void (*)(void))unflatten_tree, METH_FASTCALL, NULL},
    {"depends_on_other_leaves", (PyCFunction)(void (*)(void))depends_on_other_leaves, METH_FASTCALL, NULL},
    {"key_of", (PyCFunction)(void (*)(void))key_of, METH_FASTCALL, NULL},
    {"words_of_host", (PyCFunction)(void (*)(void))words_of_host, METH_FASTCALL, NULL},
    {"natives_at", (PyCFunction)(void (*)(void))natives_at, METH_FASTCALL, NULL},
    {"put_at", (PyCFunction)(void (*)(void))put_at, METH_FASTCALL, NULL},
    {"accelerate_operator", accelerate_operator, METH_VARARGS, PyDoc_STR("Let an operator of a class, just set, execute a plan first.")},
    {"accelerate_update", accelerate_update, METH_VARARGS, PyDoc_STR("Let an operator in place of a class write natively first.")},
    {NULL},
};

/* Types, memory and the settings' variable belong to the process: one interpreter has them, and one lock guards them. Other
   interpreters compute without this module, and a build of Python without the lock switches it on. */
static int
module_exec(PyObject *made)
{
    if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
        PyErr_SetString(PyExc_ImportError, "corearray.calls._accelerator is for the main interpreter only");
        return -1;
    }
    if ((method_names[operator_getitem] == NULL && name_operators() < 0) || PyType_Ready(&OperatorsType) < 0)
        return -1;
    if (PyModule_AddType(made, &CallPlanType) < 0 || PyModule_AddType(made, &FunctionType) < 0)
        return -1;
    if (PyModule_AddType(made, &ScopeType) < 0)
        return -1;
    PyObject *sources = PyLong_FromUnsignedLong(SOURCES);
    int added = PyModule_AddObjectRef(made, "sources", sources);
    Py_XDECREF(sources);
    return added;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_methods = module_methods,
    .m_name = "corearray.calls._accelerator",
    .m_doc = PyDoc_STR("The direct plan of a call, in C."),
    .m_size = 0,
    .m_slots = module_slots,
};

PyMODINIT_FUNC
PyInit__accelerator(void)
{
    return PyModuleDef_Init(&module);
}
