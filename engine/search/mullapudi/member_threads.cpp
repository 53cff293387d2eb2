// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/member_threads.h"

#include <algorithm>
#include <map>
#include <string>

namespace tessera::search {

std::vector<std::size_t> memberThreadLoops(const pipeline::Pipeline &pipeline,
                                           pipeline::FuncId output,
                                           const std::vector<bool> &threads,
                                           const pipeline::Stage &stage) {
  const std::vector<std::string> &outer = pipeline.func(output).args;
  std::map<std::size_t, std::size_t> loops; // by dimension of the output
  std::vector<std::size_t> others;
  for (std::size_t l = 0; l < stage.loops.size(); ++l) {
    if (!stage.loops[l].argument) continue; // a reduction
    const auto dim =
        static_cast<std::size_t>(std::ranges::find(outer, stage.loops[l].name) - outer.begin());
    if (dim < outer.size() && threads[dim])
      loops[dim] = l;
    else
      others.push_back(l);
  }
  std::ranges::sort(others, {}, [&](std::size_t l) { return *stage.loops[l].argument; });
  auto other = others.begin();
  for (std::size_t dim = 0; dim < outer.size() && other != others.end(); ++dim)
    if (threads[dim] && !loops.contains(dim)) loops[dim] = *other++;
  std::vector<std::size_t> inOrder;
  for (const auto &[dim, loop] : loops)
    inOrder.push_back(loop);
  return inOrder;
}

} // namespace tessera::search
