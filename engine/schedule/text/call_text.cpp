// SPDX-License-Identifier: MIT
#include "engine/schedule/text/call_text.h"

#include <algorithm>

namespace tessera::schedule {

namespace {

// How names are printed.
struct Spelling {
  const Handles *handles; // null: names are printed as they are

  const std::string &loop(const LoopName &loop) const {
    return handles ? handles->loop(loop) : loop.name;
  }
  const std::string &func(const std::string &name) const {
    return handles ? handles->func(name) : name;
  }
};

std::string updateText(std::uint32_t stage) {
  return "update(" + (stage == 1 ? "" : std::to_string(stage - 1)) + ")";
}

std::string stageText(const std::string &func, std::uint32_t stage, const Spelling &spelling) {
  const std::string &handle = spelling.func(func);
  return stage == 0 ? handle : handle + "." + updateText(stage);
}

struct ArgumentText {
  Spelling spelling;
  const Dialect &dialect;
  Verb verb;

  std::string operator()(const LoopName &loop) const { return spelling.loop(loop); }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(Tail tail) const { return named("TailStrategy", halideName(tail)); }
  std::string operator()(Storage storage) const { return named("MemoryType", halideName(storage)); }
  std::string operator()(const FuncName &func) const { return spelling.func(func.name); }
  std::string operator()(const SizeExpression &size) const {
    if (!spelling.handles) return textOf(size);
    return textOf(size, dialect.sizes, [&](const std::string &name) {
      return std::string(kSizeFunction) + "(" + dialect.literal(name) + ")";
    });
  }
  std::string operator()(const Text &text) const {
    if (dialect.literal) return dialect.literal(text.text);
    return "\"" + text.text + "\"";
  }
  std::string operator()(const Level &level) const {
    // compute_at and the like find a loop by its name alone, and Halide refuses a stage in them.
    // Only compute_with needs the stage.
    const std::uint32_t stage = verb == Verb::ComputeWith ? level.stage : 0;
    return stageText(level.func, stage, spelling) + ", " + spelling.loop(level.loop);
  }

private:
  std::string named(std::string_view type, std::string_view value) const {
    return std::string(dialect.prefix) + std::string(type) + std::string(dialect.enumMark) +
           std::string(value);
  }
};

std::string joined(const std::vector<std::string> &items) {
  std::string out;
  for (const std::string &item : items)
    out += (out.empty() ? "" : ", ") + item;
  return out;
}

// Several pairs are printed as a list of pairs, a single pair as two arguments.
std::string pairsText(const std::vector<std::string> &items, const Dialect &dialect) {
  if (items.size() == 2) return joined(items);
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    pairs.push_back(dialect.pairOpen + items[i] + ", " + items[i + 1] + dialect.pairClose);
  return dialect.listOpen + joined(pairs) + dialect.listClose;
}

std::string argumentsText(const Directive &directive, const Spelling &spelling,
                          const Dialect &dialect) {
  const ArgumentText text{spelling, dialect, directive.verb};
  std::vector<std::string> items;
  for (const Argument &argument : directive.arguments)
    items.push_back(std::visit(text, argument));
  switch (directive.verb) {
  case Verb::Split: // Halide's default tail is not printed
    if (std::get<Tail>(directive.arguments.back()) == Tail::Auto) items.pop_back();
    return joined(items);
  case Verb::Atomic:
    return std::get<std::int64_t>(directive.arguments.front()) ? std::string(dialect.yes) : "";
  case Verb::RFactor:
    return pairsText(items, dialect);
  case Verb::NeverPartition:
  case Verb::AlwaysPartition:
    if (!dialect.listsLoops) return joined(items);
    return dialect.listOpen + joined(items) + dialect.listClose;
  case Verb::In:
  case Verb::CloneIn:
    if (items.size() < 2) return joined(items);
    return dialect.listOpen + joined(items) + dialect.listClose;
  default:
    return joined(items);
  }
}

} // namespace

namespace {

std::string spelled(const Directive &directive, const Spelling &spelling, const Dialect &dialect) {
  const std::string_view name = directive.verb == Verb::In      ? dialect.in
                                : directive.verb == Verb::Async ? dialect.async
                                                                : signature(directive.verb).name;
  return std::string(name) + "(" + argumentsText(directive, spelling, dialect) + ")";
}

} // namespace

std::string stageText(const Directive &directive, const Handles &handles) {
  return stageText(directive.func, directive.stage, {&handles});
}

std::string stageRemark(const Directive &directive) {
  if (directive.arguments.empty() || directive.verb == Verb::ComputeWith) return {};
  const auto *level = std::get_if<Level>(&directive.arguments.front());
  return level && level->stage != 0 ? std::string(kStageMark) + updateText(level->stage) : "";
}

std::string whichText(const std::string &func, const FoundNames &names,
                      const std::function<std::string(std::string_view)> &literal) {
  const auto at = names.funcs.find(func);
  if (at == names.funcs.end()) return literal(func);
  const LastingName &name = at->second;
  std::string text =
      literal(name.name) + ", " + std::to_string(name.which) + ", " + std::to_string(name.of);
  if (name.shape)
    text +=
        ", " + std::to_string(name.shape->dimensions) + ", " + std::to_string(name.shape->updates);
  return text;
}

std::string placeText(const LoopName &loop, const FoundNames &names, const Handles &handles) {
  const auto at = names.loops.find({loop.name, loop.reduction});
  if (at == names.loops.end()) return {};
  const LoopPlace &place = at->second;
  const std::string list =
      loop.reduction ? "rvars(" + std::to_string(place.stage - 1) + ")" : "args()";
  return handles.func(place.func) + "." + list + "[" + std::to_string(place.position) + "]";
}

namespace {

// The calls of specialize() that fetch the variant of a directive.
std::string variantText(const Directive &directive, std::span<const Directive> all,
                        const Handles &handles, const Dialect &dialect) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool isOfStage = all[i].verb == Verb::Specialize && all[i].func == directive.func &&
                           all[i].stage == directive.stage;
    if (!isOfStage || all[i].variant.size() >= directive.variant.size()) continue;
    const VariantPath made = variantMadeBy(all, i);
    if (std::equal(made.begin(), made.end(), directive.variant.begin()))
      text += "." + callText(all[i], handles, dialect);
  }
  return text;
}

} // namespace

std::string chainText(std::span<const Directive> statement, std::span<const Directive> all,
                      const Handles &handles, const Dialect &dialect, ChainFrame frame) {
  const std::string stage =
      stageText(statement.front(), handles) + variantText(statement.front(), all, handles, dialect);
  std::string line = frame.indent + frame.before + stage;
  std::string lines = frame.indent + frame.before + frame.open + stage;
  bool remarks = false;
  for (std::size_t i = 0; i < statement.size(); ++i) {
    const std::string call = "." + callText(statement[i], handles, dialect);
    const bool last = i + 1 == statement.size();
    std::string remark = stageRemark(statement[i]);
    remarks = remarks || !remark.empty();
    if (!remark.empty()) remark = "  " + frame.comment + " " + remark;
    line += call + (last ? frame.end + remark : "");
    lines += "\n" + frame.indent + "    " + call + (last ? frame.close + frame.end : "") + remark;
  }
  const bool fits =
      statement.size() == 1 || (line.size() < kTextWidth && statement.size() <= 3 && !remarks);
  return fits ? line : lines;
}

std::string callText(const Directive &directive, const Handles &handles, const Dialect &dialect) {
  return spelled(directive, {&handles}, dialect);
}

std::string plainCallText(const Directive &directive) {
  constexpr Dialect kCpp{"", "::", "in", "async", "true", '{', '}', '{', '}', nullptr, {}};
  const std::string remark = stageRemark(directive);
  return spelled(directive, {nullptr}, kCpp) + (remark.empty() ? "" : " // " + remark);
}

std::vector<std::span<const Directive>> statements(std::span<const Directive> directives) {
  std::vector<std::span<const Directive>> out;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= directives.size(); ++i) {
    const bool joins = i < directives.size() && directives[i].makes.empty() &&
                       directives[begin].makes.empty() &&
                       directives[i].func == directives[begin].func &&
                       directives[i].stage == directives[begin].stage &&
                       // What follows specialize() in a chain is of the variant.
                       directives[i].variant == (directives[i - 1].verb == Verb::Specialize
                                                     ? variantMadeBy(directives, i - 1)
                                                     : directives[i - 1].variant) &&
                       directives[i - 1].verb != Verb::SpecializeFail;
    if (joins) continue;
    out.push_back(directives.subspan(begin, i - begin));
    begin = i;
  }
  return out;
}

bool usesSizes(std::span<const Directive> directives) {
  return std::ranges::any_of(directives, hasSize);
}

std::string wrapped(const std::string &start, const std::vector<std::string> &items,
                    std::size_t width) {
  std::string out = start;
  std::size_t column = start.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (i > 0 && column + 1 + item.size() > width) {
      out += "\n" + std::string(start.size(), ' ');
      column = start.size();
    } else if (i > 0) {
      out += " ";
      ++column;
    }
    out += item;
    column += item.size();
  }
  return out;
}

std::string filledIn(std::string text, std::string_view mark, std::string_view value) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + value.size()))
    text.replace(at, mark.size(), value);
  return text;
}

} // namespace tessera::schedule
