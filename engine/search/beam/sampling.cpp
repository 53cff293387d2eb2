// SPDX-License-Identifier: MIT
#include "engine/search/beam/sampling.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace tessera::search {

std::size_t representatives(std::size_t bucketSize) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(bucketSize)) - 1);
}

std::vector<BeamBucket> bucketsOf(pipeline::FuncId func, std::span<const BeamOption> options,
                                  int depth, BeamSampling sampling, BeamRandom &random) {
  std::map<std::uint64_t, BeamBucket> byHash;
  for (std::size_t o = 0; o < options.size(); ++o)
    byHash[hashTerm(func, options[o].shape, depth)].options.push_back(o);
  std::vector<BeamBucket> buckets;
  for (auto &[hash, bucket] : byHash) {
    std::vector<std::size_t> &all = bucket.options;
    for (std::size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[random.below(i)]);
    bucket.wanted = sampling == BeamSampling::All ? all.size() : representatives(all.size());
    buckets.push_back(std::move(bucket));
  }
  return buckets;
}

} // namespace tessera::search
