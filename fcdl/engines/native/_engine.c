/* The module: the native engine for Python. */

#include "types.h"

#include "interpreter.h"
#include "library.h"
#include "search_tree.h"

PyDoc_STRVAR(
    use_fast_bits_doc,
    "use_fast_bits(wanted)\n--\n\nSwitches between the two builds of the interpreter, for tests; returns which is used.");
static PyObject *use_fast_bits(PyObject *self, PyObject *wanted) {
    (void)self;
    int truth = PyObject_IsTrue(wanted);
    if (truth < 0) return NULL;
    use_fast_bits_if(truth);
    return PyBool_FromLong(fast_bits);
}

static PyMethodDef module_methods[] = {
    {"use_fast_bits", use_fast_bits, METH_O, use_fast_bits_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT, "_engine", "Node programs and games in C.", -1, module_methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__engine(void) {
    static const struct {
        const char *name;
        PyTypeObject *type;
    } types[] = {
        {"Program", &program_type},     {"Evaluation", &evaluation_type},
        {"Policy", &policy_type},       {"NativeState", &state_type},
        {"Book", &book_type},           {"Play", &play_type},
        {"Particles", &particles_type}, {"Search", &search_type},
        {"Network", &network_type},
    };
    PyObject *module = PyModule_Create(&module_definition);
    if (!module) return NULL;
    fill_logarithms();
    use_fast_bits_if(1);
    illegal_move = PyErr_NewException("fcdl.engines.native._engine.IllegalMoveError", PyExc_ValueError, NULL);
    int failed = !illegal_move || make_numbers() < 0 || PyModule_AddStringConstant(module, "ABI", FCDL_ABI) < 0 ||
                 PyModule_AddObjectRef(module, "IllegalMoveError", illegal_move) < 0;
    for (size_t n = 0; !failed && n < sizeof types / sizeof *types; n++)
        failed = PyType_Ready(types[n].type) < 0 ||
                 PyModule_AddObjectRef(module, types[n].name, (PyObject *)types[n].type) < 0;
    if (failed) Py_CLEAR(module);
    return module;
}
