# SPDX-License-Identifier: MIT
"""Speaks with a tessera-gpu: frames of CBOR over its standard streams (engine/job/frame.h)."""
import struct
import subprocess
import zlib

MAGIC, VERSION = b"TSRA", 1


def _head(major, value):
    if value < 24:
        return bytes([major << 5 | value])
    for code, letter in ((24, "B"), (25, "H"), (26, "I"), (27, "Q")):
        if value < 1 << 8 * struct.calcsize(letter):
            return bytes([major << 5 | code]) + struct.pack(">" + letter, value)
    raise ValueError("a number that CBOR has no room for")


def encode(value):
    """CBOR of what JSON has."""
    if value is None or isinstance(value, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[value]
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, str):
        text = value.encode()
        return _head(3, len(text)) + text
    if isinstance(value, list):
        return _head(4, len(value)) + b"".join(encode(one) for one in value)
    if isinstance(value, dict):
        return _head(5, len(value)) + b"".join(encode(key) + encode(one)
                                               for key, one in value.items())
    raise TypeError(f"CBOR of a {type(value).__name__}")


def _argument(data, at):
    code = data[at] & 31
    if code < 24:
        return code, at + 1
    letter = {24: "B", 25: "H", 26: "I", 27: "Q"}[code]
    end = at + 1 + struct.calcsize(letter)
    return struct.unpack(">" + letter, data[at + 1:end])[0], end


def _decode(data, at):
    major = data[at] >> 5
    if major == 7:
        code = data[at] & 31
        if code in (20, 21, 22):
            return {20: False, 21: True, 22: None}[code], at + 1
        letter = {25: "e", 26: "f", 27: "d"}[code]
        end = at + 1 + struct.calcsize(letter)
        return struct.unpack(">" + letter, data[at + 1:end])[0], end
    count, at = _argument(data, at)
    if major in (0, 1):
        return count if major == 0 else -1 - count, at
    if major == 3:
        return data[at:at + count].decode(), at + count
    if major == 4:
        items = []
        for _ in range(count):
            item, at = _decode(data, at)
            items.append(item)
        return items, at
    if major == 5:
        result = {}
        for _ in range(count):
            key, at = _decode(data, at)
            result[key], at = _decode(data, at)
        return result, at
    raise ValueError(f"CBOR of kind {major} is not used in frames")


def decode(data):
    value, end = _decode(data, 0)
    if end != len(data):
        raise ValueError("there is more than one value")
    return value


def _check(fields):
    crc = zlib.crc32(fields)
    return (crc ^ crc >> 16) & 0xffff


def frame(message):
    payload = encode(message)
    front = MAGIC + struct.pack("<H", VERSION)
    back = struct.pack("<II", len(payload), zlib.crc32(payload))
    return front + struct.pack("<H", _check(front + back)) + back + payload


class Refused(Exception):
    """What the worker answered instead of a body."""


class Worker:
    """One process; ended with the `with` block. `command`: the program and what precedes it."""

    def __init__(self, command, environment=None):
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         env=environment)
        self._id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._process.stdout.close()

    def _read(self, count):
        data = self._process.stdout.read(count)
        if len(data) < count:
            raise Refused(f"tessera-gpu ended with {self._process.wait()}")
        return data

    def _message(self):
        header = self._read(16)
        length, crc = struct.unpack("<II", header[8:])
        if header[:4] != MAGIC or struct.unpack("<H", header[6:8])[0] != _check(
                header[:6] + header[8:]):
            raise Refused("tessera-gpu sent what is no frame")
        payload = self._read(length)
        if zlib.crc32(payload) != crc:
            raise Refused("a frame of tessera-gpu is damaged")
        return decode(payload)

    def ask(self, kind, **fields):
        """The body of the reply; Refused with the worker's words where there is none."""
        self._id += 1
        self._process.stdin.write(frame(dict(fields, id=self._id, type=kind)))
        self._process.stdin.flush()
        while True:
            message = self._message()
            if message["type"] != "reply":
                continue
            if "body" in message:
                return message["body"]
            error = message["error"]
            raise Refused(f"{message['outcome']}: {error['message']} {error['hint']}".strip())
