// SPDX-License-Identifier: MIT
#include "engine/document/typed_choices.h"

#include "engine/document/cell_changes.h"
#include "engine/cost/prediction.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/rules/rules_extern.h"
#include "engine/search/kernels/register_caps.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <set>
#include <utility>

namespace tessera::document {

using pipeline::StageId;
using schedule::DecisionColumn;
using schedule::DecisionKey;
using schedule::DecisionKind;
using schedule::Edit;
using schedule::Schedule;
using schedule::Violation;

namespace {

bool isPartOfWord(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return lower;
}

std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char letter : lowered(text))
    if (isPartOfWord(letter))
      words.back() += letter;
    else if (!words.back().empty())
      words.emplace_back();
  if (words.back().empty()) words.pop_back();
  return words;
}

bool isNumber(const std::string &word) {
  return std::ranges::all_of(word, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

// The columns that report TypedChoices::current, which contains only sizes of loops.
bool isOfSizes(DecisionColumn column) {
  return column == DecisionColumn::Tile || column == DecisionColumn::Unroll ||
         column == DecisionColumn::Vector;
}

TypedChoices typedCap(const Schedule &schedule, const TypedWords &words,
                      const machine::Machine &machine) {
  TypedChoices typed;
  const auto number = words.number();
  if (!number || *number > schedule::kMostIterations) return typed;
  const std::string value = std::to_string(*number);
  if (!words.match("registers: " + value)) return typed;
  const DecisionKey cap{{}, 0, DecisionKind::RegisterCap, 0};
  if (*number == schedule.settings().registerCap) {
    typed.current.push_back(value);
    return typed;
  }
  Schedule after = search::withRegisterCap(schedule, static_cast<int>(*number));
  if (const auto violations = schedule::check(after, machine); !violations.empty()) {
    typed.refused.push_back({cap, value, reasonOf(violations)});
    return typed;
  }
  after.setMark(cap, {schedule::Origin::User, schedule.mark(cap).frozen});
  const double seconds = cost::predict(after, machine).seconds;
  typed.legal.push_back({cap, value, std::move(after), seconds});
  return typed;
}

} // namespace

std::optional<RefusedChoice> refusedByExtern(const Schedule &schedule, StageId stage,
                                             std::string_view text) {
  const pipeline::FuncId func = schedule.pipeline()->stage(stage).func;
  std::string why = schedule::whyUndecided(schedule.pipeline()->func(func));
  if (why.empty()) return std::nullopt;
  return RefusedChoice{{func, 0, DecisionKind::Compute, 0}, std::string(text), std::move(why)};
}

std::string reasonOf(const std::vector<Violation> &violations) {
  const Violation &first = violations.front();
  return first.message + (first.hint().empty() ? "" : "; " + first.hint());
}

TypedWords::TypedWords(std::string_view text) {
  for (std::string &word : wordsOf(text))
    (isNumber(word) ? m_numbers : m_words).push_back(std::move(word));
}

bool TypedWords::match(std::string_view value) const {
  const std::string lower = lowered(value);
  const std::vector<std::string> words = wordsOf(value);
  return std::ranges::all_of(
             m_words,
             [&](const std::string &word) { return lower.find(word) != std::string::npos; }) &&
         std::ranges::all_of(m_numbers, [&](const std::string &number) {
           return std::ranges::find(words, number) != words.end();
         });
}

bool TypedWords::areAllOf(std::string_view value) const {
  return match(value) && std::ranges::all_of(wordsOf(value), [this](const std::string &word) {
           const auto &typed = isNumber(word) ? m_numbers : m_words;
           return std::ranges::find(typed, word) != typed.end();
         });
}

std::optional<std::int64_t> TypedWords::number() const {
  if (m_numbers.size() != 1) return std::nullopt;
  const std::string &text = m_numbers.front();
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

void keepExact(TypedChoices &typed, const TypedWords &words, std::optional<DecisionColumn> column) {
  const auto isExact = [&](const auto &one) { return words.areAllOf(one.value); };
  const auto isExactText = [&](const std::string &value) { return words.areAllOf(value); };
  // `current` contains sizes of all loops of the stage, also of loops that other columns show.
  const bool countsCurrent = !column || *column == DecisionColumn::Tile;
  if (std::ranges::none_of(typed.legal, isExact) && std::ranges::none_of(typed.refused, isExact) &&
      !(countsCurrent && std::ranges::any_of(typed.current, isExactText)))
    return;
  std::erase_if(typed.legal, std::not_fn(isExact));
  std::erase_if(typed.refused, std::not_fn(isExact));
  std::erase_if(typed.current, std::not_fn(isExactText));
}

TypedChoices typedChoices(const Schedule &schedule, std::optional<StageId> stage,
                          std::optional<DecisionColumn> column, std::string_view text,
                          const machine::Machine &machine, const std::stop_token &stop) {
  const TypedWords words(text);
  if (words.empty()) return {};
  if (!stage) return typedCap(schedule, words, machine);
  if (auto refused = refusedByExtern(schedule, *stage, text)) {
    TypedChoices typed;
    typed.refused.push_back(std::move(*refused));
    return typed;
  }
  std::vector<Edit> edits = schedule::proposals(schedule, *stage);
  if (const auto number = words.number())
    std::ranges::move(schedule::resizings(schedule, *stage, *number), std::back_inserter(edits));
  std::optional<CellChanges> cell;
  if (column) cell.emplace(schedule, std::vector{*stage}, *column);
  TypedChoices typed;
  schedule::KnownLegality legality(machine);
  std::set<std::pair<DecisionKey, std::string>> seen;
  for (const Edit &edit : edits) {
    if (stop.stop_requested()) return typed;
    if (!words.match(edit.value) || !seen.emplace(edit.decision, edit.value).second) continue;
    if (edit.plan == schedule.plan(edit.decision.func)) {
      if (!column || isOfSizes(*column)) typed.current.push_back(edit.value);
      continue;
    }
    auto [after, violations] = schedule::applied(schedule, edit, schedule::Origin::User, legality);
    if (cell && !cell->has(edit.decision, after)) continue;
    if (violations.empty()) {
      const double seconds = cost::predict(after, machine).seconds;
      typed.legal.push_back({edit.decision, edit.value, std::move(after), seconds});
    } else {
      typed.refused.push_back({edit.decision, edit.value, reasonOf(violations)});
    }
  }
  keepExact(typed, words, column);
  return typed;
}

} // namespace tessera::document
