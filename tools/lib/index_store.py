"""Reads the index that a debug build leaves, with the toolchain's libIndexStore."""

import ctypes
import shutil
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path

# From LLVM's indexstore.h: what an occurrence is, and what it has to do with another symbol.
DEFINITION, REFERENCE, READ, WRITE, IMPLICIT = 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 8
CHILD_OF, BASE_OF, OVERRIDE_OF, CALLED_BY, EXTENDED_BY = 1 << 9, 1 << 10, 1 << 11, 1 << 13, 1 << 14
ACCESSOR_OF, CONTAINED_BY = 1 << 15, 1 << 16
# Kinds of symbols.
ENUM, STRUCT, CLASS, PROTOCOL, EXTENSION, TYPEALIAS, FUNCTION, VARIABLE = 5, 6, 7, 8, 9, 11, 12, 13
CASE, METHOD, CLASS_METHOD, STATIC_METHOD = 15, 16, 17, 18
PROPERTY, CLASS_PROPERTY, STATIC_PROPERTY = 19, 20, 21
_RECORD = 2


class _Text(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


_VISIT = ctypes.CFUNCTYPE(c_bool, c_void_p, c_void_p)

_FUNCTIONS = {
    "store_create": (c_void_p, c_char_p, POINTER(c_void_p)),
    "error_get_description": (c_char_p, c_void_p),
    "unit_reader_create": (c_void_p, c_void_p, c_char_p, POINTER(c_void_p)),
    "unit_reader_dispose": (None, c_void_p),
    "unit_reader_get_main_file": (_Text, c_void_p),
    "unit_reader_dependencies_apply_f": (c_bool, c_void_p, c_void_p, _VISIT),
    "unit_dependency_get_kind": (c_int, c_void_p),
    "unit_dependency_get_name": (_Text, c_void_p),
    "unit_dependency_get_filepath": (_Text, c_void_p),
    "record_reader_create": (c_void_p, c_void_p, c_char_p, POINTER(c_void_p)),
    "record_reader_dispose": (None, c_void_p),
    "record_reader_occurrences_apply_f": (c_bool, c_void_p, c_void_p, _VISIT),
    "occurrence_get_symbol": (c_void_p, c_void_p),
    "occurrence_get_roles": (c_uint64, c_void_p),
    "occurrence_get_line_col": (None, c_void_p, POINTER(c_uint), POINTER(c_uint)),
    "occurrence_relations_apply_f": (c_bool, c_void_p, c_void_p, _VISIT),
    "symbol_relation_get_roles": (c_uint64, c_void_p),
    "symbol_relation_get_symbol": (c_void_p, c_void_p),
    "symbol_get_usr": (_Text, c_void_p),
    "symbol_get_name": (_Text, c_void_p),
    "symbol_get_kind": (c_int, c_void_p),
}


class Occurrence:
    """A place where a symbol is declared or named. `usr` is the compiler's one name of the symbol;
    `relations` has (roles, usr)."""

    def __init__(self, file, line, usr, name, kind, roles, relations):
        self.file = file
        self.line = line
        self.usr = usr
        self.name = name
        self.kind = kind
        self.roles = roles
        self.relations = relations


class IndexStore:
    def __init__(self, path):
        compiler = shutil.which("swift")
        if not compiler:
            raise OSError("no swift on the PATH")
        library = ctypes.CDLL(Path(compiler).resolve().parent.parent / "lib/libIndexStore.so")
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, "indexstore_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, "_" + name, function)
        self._path = Path(path)
        self._store = self._made(self._store_create, str(path).encode())

    def _made(self, create, *arguments):
        error = c_void_p()
        made = create(*arguments, byref(error))
        if not made:
            raise OSError(f"{self._path}: {self._error_get_description(error).decode()}")
        return made

    @staticmethod
    def _all(apply, of, read):
        """What a function of the library hands to a visitor, read while it is there."""
        found = []

        def visit(_, item):
            found.append(read(item))
            return True

        apply(of, None, _VISIT(visit))
        return found

    def occurrences(self):
        """Those of each file that there still is."""
        records = {}
        for unit in sorted((self._path / "v5" / "units").iterdir()):
            reader = self._made(self._unit_reader_create, self._store, unit.name.encode())
            main_file = str(self._unit_reader_get_main_file(reader))
            if main_file.endswith(".swift") and Path(main_file).exists():
                for kind, name, path in self._all(self._unit_reader_dependencies_apply_f, reader, self._dependency):
                    if kind == _RECORD and path == main_file:
                        records[main_file] = max(records.get(main_file, (0, "")), (unit.stat().st_mtime_ns, name))
            self._unit_reader_dispose(reader)
        for file, (_, record) in records.items():
            reader = self._made(self._record_reader_create, self._store, record.encode())
            yield from self._all(
                self._record_reader_occurrences_apply_f, reader, lambda item: self._occurrence(file, item)
            )
            self._record_reader_dispose(reader)

    def _dependency(self, item):
        return (
            self._unit_dependency_get_kind(item),
            str(self._unit_dependency_get_name(item)),
            str(self._unit_dependency_get_filepath(item)),
        )

    def _occurrence(self, file, item):
        symbol = self._occurrence_get_symbol(item)
        line, column = c_uint(), c_uint()
        self._occurrence_get_line_col(item, byref(line), byref(column))
        return Occurrence(
            file,
            line.value,
            str(self._symbol_get_usr(symbol)),
            str(self._symbol_get_name(symbol)),
            self._symbol_get_kind(symbol),
            self._occurrence_get_roles(item),
            self._all(self._occurrence_relations_apply_f, item, self._relation),
        )

    def _relation(self, item):
        symbol = self._symbol_relation_get_symbol(item)
        return self._symbol_relation_get_roles(item), str(self._symbol_get_usr(symbol))
