// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_kernel.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;

namespace {

std::vector<FuncId> united(std::vector<FuncId> a, const std::vector<FuncId> &b) {
  a.insert(a.end(), b.begin(), b.end());
  std::ranges::sort(a);
  a.erase(std::ranges::unique(a).begin(), a.end());
  return a;
}

} // namespace

MullapudiKernel singleElementKernel(const Pipeline &pipeline, FuncId func,
                                    std::vector<FuncId> inlined,
                                    const MullapudiParameters &parameters) {
  MullapudiKernel kernel{{func, {func}, std::move(inlined)}, {}, {}, 0, 0};
  const MullapudiRegionCost whole =
      MullapudiCost(pipeline, kernel.group, parameters).wholeInElements();
  kernel.arithmetic = whole.arithmetic;
  kernel.loads = whole.loads;
  return kernel;
}

MullapudiGroup mergedGroup(const MullapudiGroup &producer, const MullapudiGroup &consumer) {
  return {consumer.output, united(consumer.members, producer.members),
          united(consumer.inlined, producer.inlined)};
}

} // namespace tessera::search
