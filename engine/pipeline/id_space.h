// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace tessera::pipeline {

struct PipelineParts;

// What the ids of a pipeline name: which func, stage and loop each of them is. Pipelines with equal
// spaces give the same ids to the same funcs, so ids of one may be used with the other. A schedule
// that adds funcs has a space of its own, in which later funcs have other ids. A value that is kept
// for longer than the schedule that its ids are from keeps their space too, and whoever uses the
// ids asks the pipeline whether it has that space (Pipeline::requireIds()).
class IdSpace {
public:
  IdSpace() = default; // that of no pipeline
  explicit IdSpace(const PipelineParts &parts);

  friend bool operator==(const IdSpace &, const IdSpace &) = default;

private:
  std::uint64_t m_fingerprint = 0; // of all names, in the order of the ids
};

// An id was used with a pipeline that it is not of. This is a fault of the program, and never of
// what the user gave it. Like Result::value(), it throws, so that no foreign memory is read: a job
// of the explorer ends with an error, a tuning drops the proposal, and any other program ends with
// this message.
class ForeignId : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

constexpr const char *idName(FuncId) { return "func"; }
constexpr const char *idName(StageId) { return "stage"; }
constexpr const char *idName(InputId) { return "input"; }
constexpr const char *idName(EdgeId) { return "edge"; }

[[noreturn]] void throwForeignId(const char *name, std::size_t id, std::size_t count);

// The index of an id among `count` things. Throws ForeignId if there are not so many.
template <typename Id>
std::size_t checkedIndex(Id id, std::size_t count) {
  if (index(id) >= count) [[unlikely]]
    throwForeignId(idName(id), index(id), count);
  return index(id);
}

} // namespace tessera::pipeline
