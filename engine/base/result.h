// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace tessera {

// Decides the exit code of the command line and where the explorer shows the error.
enum class ErrorCode {
  Usage,        // the request itself makes no sense
  InputRefused, // a file, generator or estimate of the user cannot be used
  NotTrusted,   // code of the user that nobody has allowed to run yet
  WorkerFailed, // a child process crashed, hung or broke the protocol
  Cancelled,
  System, // the operating system said no: disk full, no permission
};

// What the user can be asked for, so that the same request succeeds.
enum class ErrorRemedy {
  None,
  Estimates, // sizes of inputs and outputs: one is missing, or one that was given cannot be used
};

// What went wrong, said to a person: `message` names the subject and the cause, `hint` says what
// can be done about it (may be empty). Programs go by the code and the remedy, never by the words.
struct Error {
  ErrorCode code = ErrorCode::InputRefused;
  std::string message;
  std::string hint;
  ErrorRemedy remedy = ErrorRemedy::None;

  friend bool operator==(const Error &, const Error &) = default;
};

// A value or an Error; returned wherever something outside of our own code can fail. Nothing is
// thrown from one room into another.
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

// For actions that return nothing but may fail.
struct Done {};
using Status = Result<Done>;

} // namespace tessera
