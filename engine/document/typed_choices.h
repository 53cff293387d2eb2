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

// A value that the user typed and that is not legal.
struct RefusedChoice {
  schedule::DecisionKey decision;
  std::string value;
  std::string reason; // names the stage, and what would be allowed
};

// The values of decisions that a typed text can mean.
struct TypedChoices {
  Choices legal;
  std::vector<RefusedChoice> refused;
  std::vector<std::string> current; // values that the schedule has already

  bool empty() const { return legal.empty() && refused.empty() && current.empty(); }
};

// All choices whose value contains the words of `text`. A single number may be one that
// schedule::proposals() does not list: "12" and "x_thread 12" also find the choices that give a
// part of a loop 12 iterations. keepExact() then drops values with further words. Without a stage,
// the text is about the register cap of the whole schedule. Blocks; ends early on a stop request.
//
// With a `column`, only choices are found that change the stage's cell in that column.
TypedChoices typedChoices(const schedule::Schedule &schedule,
                          std::optional<pipeline::StageId> stage,
                          std::optional<schedule::DecisionColumn> column, std::string_view text,
                          const machine::Machine &machine, const std::stop_token &stop);

// For an extern stage, whose decisions cannot be changed: why not. `text` is what was asked for.
std::optional<RefusedChoice> refusedByExtern(const schedule::Schedule &schedule,
                                             pipeline::StageId stage, std::string_view text);

// Why a schedule is refused, and what would be allowed, for RefusedChoice.
std::string reasonOf(const std::vector<schedule::Violation> &violations);

// Decides which values of a decision a typed text means: the values that contain each word of the
// text, possibly inside a longer word, and each number of the text as a whole word.
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

// Keeps only the values all of whose words were typed, if there are any: "x_thread 12" means
// "x_thread: 12" and not "x_thread: 12 unrolled inside".
void keepExact(TypedChoices &typed, const TypedWords &words,
               std::optional<schedule::DecisionColumn> column);

} // namespace tessera::document
