// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/excerpt.h"
#include "engine/report/promise.h"
#include "engine/schedule/schedule.h"

#include <string>
#include <vector>

namespace tessera::schedule {
class Bounds;
}

namespace tessera::measure {

// One kernel of a schedule as a pipeline of its own: it compiles and runs without the others. A
// func that has updates may be several launches; here they are one kernel, since they share the
// func.
struct KernelAlone {
  pipeline::Excerpt excerpt;
  // Those whose definitions it has, computed in its loops or inlined, readers first: begins with
  // the func that owns the blocks.
  std::vector<pipeline::FuncId> funcs;
  std::vector<report::Promise> promises; // about its own buffers
  std::vector<std::string> buffers;      // of the whole pipeline that it reads or writes, too
};

// `kernel` is the func that owns the blocks. Fails, with the reason, for a kernel that cannot be
// taken out: one whose loops are shared with another, or that calls what only runs on the host.
Result<KernelAlone> kernelAlone(const schedule::Schedule &schedule, pipeline::FuncId kernel);
// The same for many kernels of a schedule, whose bounds are found once.
Result<KernelAlone> kernelAlone(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                                pipeline::FuncId kernel);

} // namespace tessera::measure
