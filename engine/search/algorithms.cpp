// SPDX-License-Identifier: MIT
#include "engine/search/algorithms.h"

#include "engine/search/auto/auto_search.h"
#include "engine/search/autogpu/autogpu_parameters.h"
#include "engine/search/autogpu/autogpu_search.h"
#include "engine/search/beam/beam_search.h"
#include "engine/search/dp_fusion/dp_fusion_search.h"
#include "engine/search/mullapudi/mullapudi_search.h"

#include <array>

namespace tessera::search {

namespace {

constexpr ParameterTable kNoParameters;

const std::array kAlgorithms{
    Algorithm{"auto", "Tessera's own: chooses places, tiles and registers by the cost model"},
    Algorithm{"autogpu", "AutoGPU (2020), with nested fusion in demanding kernels",
              &autoGpuTable()},
    Algorithm{"autogpu-overlap", "AutoGPU with fusion by overlapped tiles only", &autoGpuTable()},
    Algorithm{"autogpu-nofusion", "AutoGPU without fusion: only inlining and tiles",
              &autoGpuTable()},
    Algorithm{"autogpu-nested-all", "AutoGPU, with nested fusion in every kernel", &autoGpuTable()},
    Algorithm{"mullapudi", "Mullapudi et al. (2016): groups and tiles by loads and operations",
              &mullapudiTable()},
    Algorithm{"mullapudi-baseline", "Mullapudi's baseline: only inlines what repeats no work",
              &mullapudiBaselineTable()},
    Algorithm{"polymage-like", "Mullapudi's PolyMage: groups with one tile in two dimensions",
              &polymageTable()},
    Algorithm{"dp-fusion",
              "PolyMage-GPU (2020): fuses by dynamic programming, a tile for each block",
              &dpFusionTable()},
    Algorithm{"beam", "Anderson et al. (2021): beam search over samples of all places and tiles",
              &beamTable()},
};

std::unique_ptr<Search> autoGpu(Problem problem, AutoGpuFusion fusion) {
  return std::make_unique<AutoGpuSearch>(std::move(problem), fusion);
}

std::unique_ptr<Search> mullapudi(Problem problem, MullapudiKind kind) {
  return std::make_unique<MullapudiSearch>(std::move(problem), kind);
}

} // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

Result<const Algorithm *> algorithmNamed(std::string_view name) {
  std::string known;
  for (const Algorithm &one : kAlgorithms) {
    if (one.name == name) return &one;
    known += (known.empty() ? "" : ", ") + std::string(one.name);
  }
  return Error{ErrorCode::Usage, "no algorithm is called '" + std::string(name) + "'",
               "known algorithms: " + known};
}

const ParameterTable &parametersOf(std::string_view name) {
  const auto algorithm = algorithmNamed(name);
  return algorithm && (*algorithm)->parameters ? *(*algorithm)->parameters : kNoParameters;
}

Result<std::unique_ptr<Search>> makeSearch(std::string_view algorithm, Problem problem) {
  if (algorithm == "auto")
    return std::unique_ptr<Search>(std::make_unique<AutoSearch>(std::move(problem)));
  if (algorithm == "autogpu") return autoGpu(std::move(problem), AutoGpuFusion::Nested);
  if (algorithm == "autogpu-overlap") return autoGpu(std::move(problem), AutoGpuFusion::Overlap);
  if (algorithm == "autogpu-nofusion") return autoGpu(std::move(problem), AutoGpuFusion::None);
  if (algorithm == "autogpu-nested-all")
    return autoGpu(std::move(problem), AutoGpuFusion::NestedAll);
  if (algorithm == "mullapudi") return mullapudi(std::move(problem), MullapudiKind::Mullapudi);
  if (algorithm == "mullapudi-baseline")
    return mullapudi(std::move(problem), MullapudiKind::Baseline);
  if (algorithm == "polymage-like")
    return mullapudi(std::move(problem), MullapudiKind::PolymageLike);
  if (algorithm == "dp-fusion")
    return std::unique_ptr<Search>(std::make_unique<DpFusionSearch>(std::move(problem)));
  if (algorithm == "beam")
    return std::unique_ptr<Search>(std::make_unique<BeamSearch>(std::move(problem)));
  return algorithmNamed(algorithm).error();
}

} // namespace tessera::search
