# SPDX-License-Identifier: MIT
"""apply_python.py SCHEDULE.py NAME PIPELINE.hlpipe OUT.hlpipe: applies an exported Python schedule
through Halide's own bindings."""

import importlib.util
import inspect
import re
import sys

import halide as hl

schedule, name, source, out = sys.argv[1:]
spec = importlib.util.spec_from_file_location("schedule", schedule)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
parameters = hl.deserialize_parameters(source)
pipeline = hl.deserialize_pipeline(source, parameters)
# As many digits as in lower_to_file.h, because lengths of names show in the lowered code.
while int(hl.Var().name()[1:]) < 10000:
    pass
apply = getattr(module, "apply_schedule_" + name)
if "inputs" in inspect.signature(apply).parameters:
    try:
        apply(pipeline)
        sys.exit("promises about inputs that it was not given")
    except ValueError as refused:
        assert "pass the inputs too" in str(refused), refused
    apply(pipeline, parameters.values())
else:
    apply(pipeline)

buffers = {of: each for of, each in parameters.items() if each.is_buffer()}
for output in pipeline.outputs():
    buffers[output.name()] = output.output_buffer().parameter()
with open(schedule) as text:
    promises = [line.split(": ", 1)[1] for line in text if line.startswith("# promise: ")]
# input.dim(1).min == 0 && input.host_alignment == 128
for term in (term for promise in promises for term in promise.strip().split(" && ")):
    promised = re.fullmatch(r"(\w+)\.(?:dim\((\d)\)\.)?(\w+) == (-?\d+)", term)
    of, dim, what, value = promised.groups()
    kept = buffers[of].host_alignment() if dim is None else getattr(
        buffers[of], what + "_constraint")(int(dim))
    assert str(kept) in (value, f"<halide.Expr of type int32: {value}>"), term
hl.serialize_pipeline(pipeline, out)
