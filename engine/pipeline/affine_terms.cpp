// SPDX-License-Identifier: MIT
#include "engine/pipeline/affine_terms.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>

namespace tessera::pipeline {

void addTerm(std::vector<AffineTerm> &terms, const AffineTerm &term) {
  if (term.coefficient == 0) return;
  const auto at = std::ranges::lower_bound(terms, placeOf(term), {}, placeOf);
  if (at != terms.end() && placeOf(*at) == placeOf(term))
    at->coefficient = saturatingAdd(at->coefficient, term.coefficient);
  else
    terms.insert(at, term);
}

} // namespace tessera::pipeline
