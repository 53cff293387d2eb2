// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/choices.h"
#include "engine/schedule/text/decision_text.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::document {

// A value that was asked for and is not legal.
struct RefusedChoice {
  schedule::DecisionKey decision;
  std::string value;
  std::string reason; // names the stage, and what would be allowed
};

// What somebody has typed as the value of a decision, as far as it means something.
struct TypedChoices {
  Choices legal;
  std::vector<RefusedChoice> refused;
  std::vector<std::string> current; // values that are decided already

  bool empty() const { return legal.empty() && refused.empty() && current.empty(); }
};

// All choices whose value has the words of `text`. A number stands for itself: "12" and
// "x_thread 12" also find the choices that give a part of a loop 12 iterations, which
// schedule::proposals() does not list; the latter finds nothing else. Without a stage, it is the
// register cap of the whole schedule. Blocks; ends early on a stop request.
//
// `column`: only what would change that cell.
TypedChoices typedChoices(const schedule::Schedule &schedule,
                          std::optional<pipeline::StageId> stage,
                          std::optional<schedule::DecisionColumn> column, std::string_view text,
                          const machine::Machine &machine, const std::stop_token &stop);

// Why a schedule is refused, and what would be allowed, for RefusedChoice.
std::string reasonOf(const std::vector<schedule::Violation> &violations);

// Which of the values of a decision a text means: each of its words is part of the value, each of
// its numbers is a number of the value.
class TypedWords {
public:
  explicit TypedWords(std::string_view text);

  bool empty() const { return m_words.empty() && m_numbers.empty(); }
  bool match(std::string_view value) const;
  bool areAllOf(std::string_view value) const; // match(), and the value has no other words
  std::optional<std::int64_t> number() const;  // if there is just one

private:
  std::vector<std::string> m_words, m_numbers;
};

// Whoever types all words of a value means that value, and not "x_thread: 12 unrolled inside" by
// "x_thread 12": leaves only such values, if there are any.
void keepExact(TypedChoices &typed, const TypedWords &words,
               std::optional<schedule::DecisionColumn> column);

} // namespace tessera::document
