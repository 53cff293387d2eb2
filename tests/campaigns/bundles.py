# SPDX-License-Identifier: MIT
"""Bundles that `tessera-cli compile -o` made, run on the GPU of this machine without Halide."""
import ctypes
import json
import math
import random
import struct
import subprocess

TYPES = {"float32": ("f", 2, 32), "float64": ("d", 2, 64), "uint8": ("B", 1, 8),
         "uint16": ("H", 1, 16), "uint32": ("I", 1, 32), "int8": ("b", 0, 8), "int16": ("h", 0, 16),
         "int32": ("i", 0, 32), "int64": ("q", 0, 64), "uint64": ("Q", 1, 64), "float16": ("e", 2, 16)}
SCALARS = {"float32": ctypes.c_float, "int32": ctypes.c_int32, "uint32": ctypes.c_uint32}
DEVICE_SYNC, COPY_TO_HOST = 2, 4  # places in halide_device_interface_t


class Dimension(ctypes.Structure):
    _fields_ = [("min", ctypes.c_int32), ("extent", ctypes.c_int32), ("stride", ctypes.c_int32),
                ("flags", ctypes.c_uint32)]


class RawBuffer(ctypes.Structure):
    """halide_buffer_t, of HalideRuntime.h."""
    _fields_ = [("device", ctypes.c_uint64), ("interface", ctypes.c_void_p),
                ("host", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("dimensions", ctypes.c_int32), ("dim", ctypes.POINTER(Dimension)),
                ("padding", ctypes.c_void_p)]


def random_bytes(letter, count, seed):
    """A short random pattern, repeated: values in [0, 1) or the type's whole range."""
    source = random.Random(seed)
    period = 65521
    if letter in "fde":
        pattern = struct.pack(f"{period}{letter}", *(source.random() for _ in range(period)))
    else:
        pattern = source.randbytes(period * struct.calcsize(letter))
    size = count * struct.calcsize(letter)
    return (pattern * (size // len(pattern) + 1))[:size]


class Buffer:
    """An input with random contents, or an output of zeros; until it is allocated, its size alone."""

    def __init__(self, argument, seed):
        self.name, self.is_input, self._seed = argument["name"], argument["kind"] == "input", seed
        self._letter, code, self._bits = TYPES[argument["type"]]
        self._dims = (Dimension * len(argument["dims"]))()
        self.raw = RawBuffer(code=code, bits=self._bits, lanes=1, dimensions=len(self._dims),
                             dim=self._dims)
        self.set_ranges([(size["min"], size["extent"]) for size in argument["dims"]])

    def ranges(self):
        return [(dim.min, dim.extent) for dim in self._dims]

    def set_ranges(self, ranges):
        stride = 1
        for dim, (begin, extent) in zip(self._dims, ranges):
            dim.min, dim.extent, dim.stride = begin, extent, stride
            stride *= extent

    def allocate(self):
        count = math.prod(extent for _, extent in self.ranges())
        size = count * self._bits // 8
        self.memory = ctypes.create_string_buffer(
            random_bytes(self._letter, count, self._seed) if self.is_input else b"\0" * size, size)
        self.raw.host, self.raw.flags = ctypes.addressof(self.memory), 1 if self.is_input else 0

    def call(self, place):
        """A bundle hides its runtime, but its buffers know the functions of their device."""
        function = ctypes.cast(self.raw.interface, ctypes.POINTER(ctypes.c_void_p))[place]
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(RawBuffer))
        return kind(function)(None, ctypes.byref(self.raw))


def hull(one, other):
    begin = min(one[0], other[0])
    return begin, max(one[0] + one[1], other[0] + other[1]) - begin


class Bundle:
    """With `grows`, its buffers are as large as the schedule wants them: a tile that is rounded up
    goes beyond what was asked for, and reads more."""

    def __init__(self, folder, grows=False):
        self.description = json.loads((folder / "bundle.json").read_text())
        self.buffers, self._values = [], []
        for number, argument in enumerate(self.description["arguments"]):
            if argument["kind"] == "scalar":
                text = argument.get("estimate") or argument.get("value") or "1"
                kind = SCALARS[argument["type"]]
                self._values.append(kind(float(text) if kind is ctypes.c_float
                                         else int(float(text))))
                continue
            buffer = Buffer(argument, number)
            self.buffers.append(buffer)
            self._values.append(ctypes.byref(buffer.raw))
        library = ctypes.CDLL(str(folder / self.description["files"]["library"]))
        self._entry = getattr(library, self.description["entry_point"])
        self._library = library
        if grows:
            self._grow()
        for buffer in self.buffers:
            buffer.allocate()

    def _grow(self):
        """Asked without memory, a pipeline says which ranges it needs; a wider output needs more of
        the inputs."""
        before = None
        while before != (asked := [buffer.ranges() for buffer in self.buffers]):
            before = asked
            if (code := self.run()) != 0:
                raise RuntimeError(f"the pipeline does not say how large its buffers have to be: {code}")
            for buffer, ranges in zip(self.buffers, asked):
                buffer.set_ranges(list(map(hull, ranges, buffer.ranges())))

    def reuse_allocations(self):
        """Halide's runtime keeps the memory that a run frees, and gives it to the next."""
        self._library.halide_reuse_device_allocations(None, ctypes.c_bool(True))

    def run(self):
        """Launches; 0, or Halide's error."""
        return self._entry(*self._values)

    def outputs(self):
        return [buffer for buffer in self.buffers if not buffer.is_input]


def environment_of(description, links, base):
    """The register cap is read once in a process, from the environment."""
    return dict(base, LD_LIBRARY_PATH=f"{links}:{base.get('LD_LIBRARY_PATH', '')}",
                HL_CUDA_JIT_MAX_REGISTERS=str(description["register_cap"]))


def driver_links(folder):
    """Halide's runtime opens libcuda.so; a driver without a toolkit has only libcuda.so.1."""
    known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout
    for line in known.splitlines():
        if "libcuda.so.1" in line and "=>" in line:
            link = folder / "libcuda.so"
            link.unlink(missing_ok=True)
            link.symlink_to(line.split("=>")[1].strip())
            break
    return str(folder)


def folders(folder):
    """Those of bundles, in the order of their numbers."""
    return [path for path in sorted(folder.iterdir(), key=lambda one: (len(one.name), one.name))
            if (path / "bundle.json").exists()]
