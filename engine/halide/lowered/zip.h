// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/value.h"

#include <algorithm>
#include <array>

namespace tessera::halide::lowered {

// Calls visit(index into the result, index into a, index into b) for every word of a result that is
// as wide as the wider of the two.
template <typename Visit>
void forPairs(const Value &a, const Value &b, Visit visit) {
  const std::size_t lanes = a.lanes();
  if (a.threads == b.threads) {
    for (std::size_t i = 0; i < a.words.size(); ++i)
      visit(i, i, i);
    return;
  }
  const bool aIsNarrow = a.threads < b.threads;
  const Value &narrow = aIsNarrow ? a : b;
  const std::size_t times = (aIsNarrow ? b : a).threads / narrow.threads;
  std::size_t wide = 0;
  for (std::size_t thread = 0; thread < narrow.threads; ++thread)
    for (std::size_t time = 0; time < times; ++time)
      for (std::size_t lane = 0; lane < lanes; ++lane, ++wide) {
        const std::size_t at = thread * lanes + lane;
        aIsNarrow ? visit(wide, at, wide) : visit(wide, wide, at);
      }
}

// The words op(a, b), of the type; what comes of an unknown word is unknown.
template <typename Op>
Value zipped(const Halide::Type &type, const Value &a, const Value &b, Op op) {
  Value result(type, std::max(a.threads, b.threads));
  forPairs(a, b, [&](std::size_t to, std::size_t i, std::size_t k) {
    result.words[to] = op(a.words[i], b.words[k]);
  });
  if (a.unknown.empty() && b.unknown.empty()) return result;
  result.unknown.resize(result.words.size());
  forPairs(a, b, [&](std::size_t to, std::size_t i, std::size_t k) {
    result.unknown[to] = a.isUnknown(i) || b.isUnknown(k);
  });
  return result;
}

template <typename Op>
Value mapped(const Halide::Type &type, const Value &a, Op op) {
  Value result(type, a.threads);
  for (std::size_t i = 0; i < a.words.size(); ++i)
    result.words[i] = op(a.words[i]);
  result.unknown = a.unknown;
  return result;
}

} // namespace tessera::halide::lowered
