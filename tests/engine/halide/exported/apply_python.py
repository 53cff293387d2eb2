# SPDX-License-Identifier: MIT
"""apply_python.py SCHEDULE.py NAME PIPELINE.hlpipe OUT.hlpipe: applies an exported Python schedule
through Halide's own bindings."""

import importlib.util
import sys

import halide as hl

schedule, name, source, out = sys.argv[1:]
spec = importlib.util.spec_from_file_location("schedule", schedule)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
pipeline = hl.deserialize_pipeline(source, hl.deserialize_parameters(source))
# As many digits as in lower_to_file.h, because lengths of names show in the lowered code.
while int(hl.Var().name()[1:]) < 10000:
    pass
getattr(module, "apply_schedule_" + name)(pipeline)
hl.serialize_pipeline(pipeline, out)
