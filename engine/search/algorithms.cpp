// SPDX-License-Identifier: MIT
#include "engine/search/algorithms.h"

#include "engine/search/auto/auto_search.h"
#include "engine/search/autogpu/autogpu_search.h"

#include <array>

namespace tessera::search {

namespace {

constexpr std::array kAlgorithms{
    Algorithm{"auto", "Tessera's own: chooses places, tiles and registers by the cost model"},
    Algorithm{"autogpu", "AutoGPU (2020), with nested fusion in demanding kernels"},
    Algorithm{"autogpu-overlap", "AutoGPU with fusion by overlapped tiles only"},
    Algorithm{"autogpu-nofusion", "AutoGPU without fusion: only inlining and tiles"},
    Algorithm{"autogpu-nested-all", "AutoGPU, with nested fusion in every kernel"},
};

std::unique_ptr<Search> autoGpu(Problem problem, AutoGpuFusion fusion) {
  return std::make_unique<AutoGpuSearch>(std::move(problem), fusion);
}

} // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

Result<std::unique_ptr<Search>> makeSearch(std::string_view algorithm, Problem problem) {
  if (algorithm == "auto")
    return std::unique_ptr<Search>(std::make_unique<AutoSearch>(std::move(problem)));
  if (algorithm == "autogpu") return autoGpu(std::move(problem), AutoGpuFusion::Nested);
  if (algorithm == "autogpu-overlap") return autoGpu(std::move(problem), AutoGpuFusion::Overlap);
  if (algorithm == "autogpu-nofusion") return autoGpu(std::move(problem), AutoGpuFusion::None);
  if (algorithm == "autogpu-nested-all")
    return autoGpu(std::move(problem), AutoGpuFusion::NestedAll);
  std::string known;
  for (const Algorithm &one : kAlgorithms)
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  return Error{ErrorCode::Usage, "no algorithm is called '" + std::string(algorithm) + "'",
               "known algorithms: " + known};
}

} // namespace tessera::search
