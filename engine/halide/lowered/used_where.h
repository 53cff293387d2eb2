// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <unordered_map>

namespace tessera::halide::lowered {

// Which threads need the value of a name. Halide lets all threads of a block load the old values of
// a tuple and only one of them store the new ones. What the others load meanwhile may be anything,
// and is no race, since none of them uses it.
class UsedWhere {
public:
  // A condition over names that are known outside of the let, or an undefined expression: the value
  // may be used by every thread. Lets without loads from `followed` buffers are used by all.
  const Halide::Expr &of(const Halide::Internal::LetStmt &let,
                         const std::map<std::string, std::size_t> &followed);

private:
  std::unordered_map<const Halide::Internal::LetStmt *, Halide::Expr> m_known;
};

} // namespace tessera::halide::lowered
