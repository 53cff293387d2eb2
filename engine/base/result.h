// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tessera {

// Determines the exit code of the command line, and where the explorer shows the error.
enum class ErrorCode {
  Usage,        // the request itself makes no sense
  InputRefused, // a file, generator or estimate of the user cannot be used
  NotTrusted,   // the user has not allowed this code to run yet
  WorkerFailed, // a child process crashed, hung or broke the protocol
  Cancelled,
  System, // the operating system failed: disk full, no permission
};

// What to ask the user for, so that the same request succeeds.
enum class ErrorRemedy {
  None,
  Estimates,  // sizes of inputs and outputs: one is missing or unusable
  Parameters, // of a generator: the types of its inputs, a target, a value
  Build,      // folders, definitions, sources or libraries of a generator's source
};

// An option that a request lacks, with a value to begin with: {"estimate", "out=0:1024"}.
struct Asked {
  std::string option;
  std::string value;

  friend bool operator==(const Asked &, const Asked &) = default;
};

// An error for the user: `message` names the subject and the cause, `hint` says what can be done
// (may be empty). Code decides by `code`, `remedy` and `asked`, never by the texts.
struct Error {
  ErrorCode code = ErrorCode::InputRefused;
  std::string message;
  std::string hint;
  ErrorRemedy remedy = ErrorRemedy::None;
  std::vector<Asked> asked = {}; // all that is known to be missing

  friend bool operator==(const Error &, const Error &) = default;
};

// A value or an Error, returned wherever something outside the program's own code can fail. No
// exception leaves the folder of the sources (engine/base, engine/array, …) in which it is thrown.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return m_state.index() == 0; }
  bool ok() const { return m_state.index() == 0; }

  T &value() & { return assert(ok()), std::get<0>(m_state); }
  const T &value() const & { return assert(ok()), std::get<0>(m_state); }
  T &&value() && { return assert(ok()), std::move(std::get<0>(m_state)); }
  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(*this).value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

  const Error &error() const { return assert(!ok()), std::get<1>(m_state); }

private:
  std::variant<T, Error> m_state;
};

// The value of a Result for actions that may fail and otherwise have nothing to return.
struct Done {};
using Status = Result<Done>;

} // namespace tessera
