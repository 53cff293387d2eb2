// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/lasting_names.h"

#include "engine/schedule/directives/handles.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <variant>

namespace tessera::schedule {

namespace {

using pipeline::Func;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;

constexpr std::string_view kLambda = "lambda"; // Halide numbers these behind '_'

using LoopKey = std::pair<std::string, bool>;
using NameSet = std::set<std::string, std::less<>>;

// The digits of a number, which compare like the number.
using Digits = std::pair<std::size_t, std::string>;

Digits digitsOf(std::string_view digits) { return {digits.size(), std::string(digits)}; }

bool isAllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether Halide made the name up from a letter alone.
bool isNumberedLetter(std::string_view name) {
  return name.size() > 1 && name[0] >= 'a' && name[0] <= 'z' && isAllDigits(name.substr(1));
}

// The length of `name` without "$3" at its end; its whole length if there is no such number.
std::size_t lengthWithoutNumber(std::string_view name) {
  const std::size_t dollar = name.rfind('$');
  const bool numbered = dollar != std::string_view::npos && isAllDigits(name.substr(dollar + 1));
  return numbered ? dollar : name.size();
}

// A name taken apart: what lasts, and a number for each word of it.
struct TakenApart {
  std::string name;
  std::vector<Digits> numbers;
};

// Whether any end of `name` that begins at a word is the name of a func.
bool endsWithFunc(const NameSet &funcs, std::string_view name) {
  while (!funcs.contains(name)) {
    const std::size_t next = name.find('_');
    if (next == std::string_view::npos) return false;
    name.remove_prefix(next + 1);
  }
  return true;
}

TakenApart takenApart(std::string_view name, const NameSet &funcs) {
  TakenApart out;
  // Halide writes '_' for '$' where it puts a number behind a name that has one already.
  const bool isRewritten = lengthWithoutNumber(name) < name.size();
  std::string last;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find('_', from), name.size());
    const std::string_view word = name.substr(from, to - from);
    const std::string before = std::string(name.substr(0, std::max<std::size_t>(from, 1) - 1));
    from = to + 1;
    const bool numbersLast =
        !out.numbers.empty() && isAllDigits(word) &&
        (last == kLambda || (isRewritten && endsWithFunc(funcs, before + "$" + std::string(word))));
    if (numbersLast) {
      out.numbers.back() = digitsOf(word);
      continue;
    }
    const std::size_t length = lengthWithoutNumber(word);
    const bool isNumbered = isNumberedLetter(word) && funcs.contains(word);
    last = isNumbered ? std::string(1, word[0]) + "#" : std::string(word.substr(0, length));
    out.name += (out.numbers.empty() ? "" : "_") + last;
    const std::size_t digits = isNumbered ? 1 : std::min(length + 1, word.size());
    out.numbers.push_back(digitsOf(word.substr(digits)));
  }
  return out;
}

std::map<std::string, LastingName> lastingNames(const Pipeline &pipeline) {
  std::vector<std::string> names;
  for (const Func &func : pipeline.funcs())
    names.push_back(func.name);
  for (const pipeline::Input &input : pipeline.inputs())
    if (!input.stagingFunc.empty()) names.push_back(input.stagingFunc);
  return schedule::lastingNames(names);
}

// Changes the names of funcs and loops in a directive. Names of funcs that it makes stay.
class Renaming {
public:
  std::map<std::string, std::string> funcs;
  std::map<LoopKey, std::string> loops;
  std::function<std::string(const std::string &)> size; // of a buffer, or a scalar

  void apply(Directive &directive) const {
    rename(directive.func);
    for (Argument &argument : directive.arguments) {
      if (auto *loop = std::get_if<LoopName>(&argument)) rename(*loop);
      if (auto *func = std::get_if<FuncName>(&argument)) rename(func->name);
      if (auto *level = std::get_if<Level>(&argument)) {
        rename(level->func);
        rename(level->loop);
      }
      if (auto *expression = std::get_if<SizeExpression>(&argument)) renameIn(*expression, size);
    }
  }
  void rename(std::string &func) const {
    if (const auto to = funcs.find(func); to != funcs.end()) func = to->second;
  }

private:
  void rename(LoopName &loop) const {
    if (const auto to = loops.find({loop.name, loop.reduction}); to != loops.end())
      loop.name = to->second;
  }
};

struct UsedNames {
  std::vector<std::string> funcs; // that no directive makes, in the order of first use
  // A loop, and the func and stage that a directive uses it for.
  struct Loop {
    LoopName name;
    std::string func;
    std::uint32_t stage;
  };
  std::vector<Loop> loops;
};

UsedNames namesIn(std::span<const Directive> directives) {
  UsedNames used;
  NameSet known;
  const auto func = [&](const std::string &name) {
    if (known.insert(name).second) used.funcs.push_back(name);
  };
  for (const Directive &directive : directives) {
    func(directive.func);
    for (const Argument &argument : directive.arguments) {
      if (const auto *loop = std::get_if<LoopName>(&argument))
        used.loops.push_back({*loop, directive.func, directive.stage});
      if (const auto *named = std::get_if<FuncName>(&argument)) func(named->name);
      if (const auto *level = std::get_if<Level>(&argument)) {
        func(level->func);
        used.loops.push_back({level->loop, level->func, level->stage});
      }
    }
    if (!directive.makes.empty()) known.insert(directive.makes);
  }
  return used;
}

// The funcs that a text has to find.
std::vector<std::string> funcsIn(const LastingDirectives &lasting) {
  std::vector<std::string> funcs = namesIn(lasting.directives).funcs;
  for (const auto &[loop, place] : lasting.names.loops)
    funcs.push_back(place.func);
  return funcs;
}

// A name of a loop that Halide made up: v4, r6$x or x$2.
struct NumberedLoop {
  std::string before, after;
  Digits number;
};

std::optional<NumberedLoop> numberedLoop(const std::string &name) {
  constexpr std::string_view kLetters = "vr"; // for a Var and an RDom
  const std::size_t dollar = std::min(name.find('$'), name.size());
  if (isNumberedLetter(std::string_view(name).substr(0, dollar)) &&
      kLetters.find(name[0]) != kLetters.npos)
    return NumberedLoop{name.substr(0, 1), name.substr(dollar),
                        digitsOf(name.substr(1, dollar - 1))};
  const std::size_t length = lengthWithoutNumber(name);
  if (length == name.size()) return std::nullopt;
  return NumberedLoop{name.substr(0, length) + "_", "", digitsOf(name.substr(length + 1))};
}

std::vector<std::string> reductionsOf(const Stage &stage) {
  std::vector<std::string> names;
  for (const LoopDim &dim : stage.loops)
    if (dim.kind == LoopDim::Kind::Reduction) names.push_back(dim.name);
  return names;
}

// Where the definition of a stage has a loop.
std::optional<LoopPlace> placeIn(const Func &func, const Stage &stage, const LoopName &loop) {
  const std::vector<std::string> names = loop.reduction ? reductionsOf(stage) : func.args;
  const auto at = std::ranges::find(names, loop.name);
  if (at == names.end()) return std::nullopt;
  return LoopPlace{func.name, loop.reduction ? stage.index : 0,
                   static_cast<std::uint32_t>(at - names.begin())};
}

// Where the pipeline has a loop, if possible in the func and stage that it is used for.
std::optional<LoopPlace> placeOf(const Pipeline &pipeline, const UsedNames::Loop &loop) {
  std::optional<LoopPlace> found;
  for (const Stage &stage : pipeline.stages()) {
    const Func &func = pipeline.func(stage.func);
    const bool isUser = func.name == loop.func;
    if (found && !isUser) continue;
    const auto place = placeIn(func, stage, loop.name);
    if (place && isUser && stage.index == loop.stage) return place;
    if (place && (!found || found->func != loop.func)) found = place;
  }
  return found;
}

std::optional<std::string> loopAt(const Pipeline &pipeline, const std::string &func,
                                  const LoopPlace &place, bool isReduction) {
  const auto at = std::ranges::find(pipeline.funcs(), func, &Func::name);
  if (at == pipeline.funcs().end() || place.stage >= at->stageCount) return std::nullopt;
  const auto first = static_cast<std::uint32_t>(at->firstStage);
  const Stage &stage = pipeline.stage(pipeline::StageId{first + place.stage});
  const std::vector<std::string> names = isReduction ? reductionsOf(stage) : at->args;
  return place.position < names.size() ? std::optional(names[place.position]) : std::nullopt;
}

// Names for the loops of the pipeline whose names do not last. Their numbers become small ones.
void renameLoops(const Pipeline &pipeline, const UsedNames &used, Renaming &renaming,
                 FoundNames &found) {
  std::map<std::string, std::set<Digits>> numbers;
  for (const Stage &stage : pipeline.stages())
    for (const LoopDim &dim : stage.loops)
      if (const auto numbered = numberedLoop(dim.name))
        numbers[numbered->before].insert(numbered->number);
  NameSet taken;
  for (const UsedNames::Loop &loop : used.loops)
    taken.insert(loop.name.name);
  for (const UsedNames::Loop &loop : used.loops) {
    const LoopKey key{loop.name.name, loop.name.reduction};
    const auto numbered = numberedLoop(key.first);
    if (!numbered || renaming.loops.contains(key)) continue;
    auto place = placeOf(pipeline, loop);
    if (!place) continue;
    const auto &ofKind = numbers[numbered->before];
    const auto number = std::distance(ofKind.begin(), ofKind.find(numbered->number));
    std::string name =
        asIdentifier(numbered->before + std::to_string(number) + numbered->after, 'v');
    taken.erase(key.first);
    while (!taken.insert(name).second)
      name += "_";
    renaming.rename(place->func);
    found.loops.emplace(LoopKey{name, key.second}, std::move(*place));
    renaming.loops.emplace(key, std::move(name));
  }
}

// A size of an output, such as output$1.extent.0, without the number, and the inverse. Inputs and
// scalars have names that last.
std::string lastingSize(const Pipeline &pipeline, const std::string &name) {
  for (const pipeline::Output &output : pipeline.outputs())
    if (name.starts_with(pipeline.func(output.func).name + ".")) return lastingBuffer(name);
  return name;
}

std::string sizeNamed(const Pipeline &pipeline, const std::string &lasting) {
  const std::string_view buffer = std::string_view(lasting).substr(0, lasting.find('.'));
  const bool isInput = std::ranges::any_of(
      pipeline.inputs(), [&](const pipeline::Input &input) { return input.name == buffer; });
  return isInput ? lasting : bufferNamed(pipeline, lasting);
}

Error anotherVersion(std::string message) {
  return {ErrorCode::InputRefused, std::move(message),
          "The schedule was made for another version of the pipeline. Schedule this one anew."};
}

std::optional<FuncShape> shapeOf(const Pipeline &pipeline, const std::string &func) {
  const auto at = std::ranges::find(pipeline.funcs(), func, &Func::name);
  if (at == pipeline.funcs().end()) return std::nullopt; // an input's
  return FuncShape{static_cast<std::uint32_t>(at->args.size()), at->stageCount - 1};
}

// What each func needs, itself or through others: those of which there is one of the name.
class Needs {
public:
  Needs(const Pipeline &pipeline, const std::map<std::string, LastingName> &names) {
    for (std::uint32_t f = 0; f < pipeline.funcs().size(); ++f) { // producers first
      const Func &func = pipeline.funcs()[f];
      NameSet &needed = m_needed[func.name];
      for (const pipeline::StageId stage : pipeline.stageIdsOf(pipeline::FuncId{f}))
        for (const pipeline::EdgeId edge : pipeline.edgesInto(stage))
          add(pipeline, pipeline.edge(edge).producer, func.name, names, needed);
    }
  }

  bool has(const std::string &func, const std::string &needed) const {
    const auto at = m_needed.find(func);
    return at != m_needed.end() && at->second.contains(needed);
  }

  // What `func` needs and the fewest of `alike` do. Empty if all do.
  std::string telling(const std::string &func, const std::vector<std::string> &alike) const {
    const auto at = m_needed.find(func);
    std::string best;
    std::size_t fewest = alike.size();
    for (const std::string &needed : at == m_needed.end() ? NameSet() : at->second) {
      const auto count = static_cast<std::size_t>(
          std::ranges::count_if(alike, [&](const std::string &one) { return has(one, needed); }));
      if (count >= fewest) continue;
      fewest = count;
      best = needed;
    }
    return best;
  }

private:
  void add(const Pipeline &pipeline, const pipeline::Producer &producer, const std::string &reader,
           const std::map<std::string, LastingName> &names, NameSet &needed) const {
    const bool isFunc = producer.kind == pipeline::Producer::Kind::Func;
    const std::string &name =
        isFunc ? pipeline.func(pipeline::FuncId{producer.index}).name
               : pipeline.input(static_cast<pipeline::InputId>(producer.index)).stagingFunc;
    if (name == reader) return;
    if (const auto at = names.find(name); at != names.end() && at->second.of == 1)
      needed.insert(at->second.name);
    if (isFunc) needed.insert(m_needed.at(name).begin(), m_needed.at(name).end());
  }

  std::map<std::string, NameSet> m_needed;
};

std::string textOf(const FuncShape &shape) {
  const auto several = [](std::uint32_t count, const std::string &noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  return several(shape.dimensions, "dimension") + " and " + several(shape.updates, "update");
}

std::string counted(std::size_t count, const std::string &name) {
  return count == 1 ? "one func called '" + name + "'"
                    : std::to_string(count) + " funcs called '" + name + "'";
}

} // namespace

std::string textOf(const LastingName &name) {
  return name.of == 1 ? name.name : name.name + "#" + std::to_string(name.which);
}

std::map<std::string, LastingName> lastingNames(std::span<const std::string> names) {
  const NameSet funcs(names.begin(), names.end());
  std::map<std::string, std::map<std::vector<Digits>, std::string>> alike;
  for (const std::string &name : funcs) {
    TakenApart apart = takenApart(name, funcs);
    alike[apart.name].emplace(std::move(apart.numbers), name);
  }
  std::map<std::string, LastingName> lasting;
  for (const auto &[name, ofThatName] : alike) {
    std::uint32_t which = 0;
    for (const auto &[numbers, full] : ofThatName)
      lasting.emplace(full,
                      LastingName{name, ++which, static_cast<std::uint32_t>(ofThatName.size())});
  }
  return lasting;
}

LastingDirectives withLastingNames(std::vector<Directive> directives, const Pipeline &pipeline) {
  LastingDirectives out{std::move(directives), {}};
  Renaming renaming;
  const auto names = lastingNames(pipeline);
  const Needs needs(pipeline, names);
  std::map<std::string, LastingName> alike; // by their names in the text
  const auto keyOf = [](const LastingName &name) {
    const FuncShape shape = name.shape.value_or(FuncShape());
    return std::tuple(name.name, shape.dimensions, shape.updates);
  };
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<std::string>> likeIt;
  for (auto [name, lasting] : names) {
    renaming.funcs.emplace(name, textOf(lasting));
    if (lasting.of == 1) continue;
    lasting.shape = shapeOf(pipeline, name);
    likeIt[keyOf(lasting)].push_back(name);
    alike.emplace(textOf(lasting), lasting);
  }
  for (const auto &[key, funcs] : likeIt)
    for (const std::string &name : funcs)
      alike.at(renaming.funcs.at(name)).needs = needs.telling(name, funcs);
  renaming.size = [&](const std::string &name) { return lastingSize(pipeline, name); };
  renameLoops(pipeline, namesIn(out.directives), renaming, out.names);
  for (Directive &directive : out.directives)
    renaming.apply(directive);
  for (const std::string &name : funcsIn(out))
    if (const auto at = alike.find(name); at != alike.end()) out.names.funcs.insert(*at);
  return out;
}

Result<std::vector<Directive>> withNamesOf(const Pipeline &pipeline,
                                           const LastingDirectives &lasting) {
  std::map<std::string, std::vector<std::string>> alike;
  const auto names = lastingNames(pipeline);
  for (const auto &[name, lastingName] : names) {
    auto &group = alike[lastingName.name];
    group.resize(lastingName.of);
    group[lastingName.which - 1] = name;
  }
  const Needs needs(pipeline, names);
  Renaming renaming;
  renaming.size = [&](const std::string &name) { return sizeNamed(pipeline, name); };
  for (const std::string &name : funcsIn(lasting)) {
    const auto told = lasting.names.funcs.find(name);
    const bool isTold = told != lasting.names.funcs.end();
    const LastingName meant = isTold ? told->second : LastingName{name};
    const auto group = alike.find(meant.name);
    const std::size_t count = group == alike.end() ? 0 : group->second.size();
    if (count == meant.of) {
      const std::string &found = group->second[meant.which - 1];
      const auto shape = shapeOf(pipeline, found);
      if (meant.shape && shape && *shape != *meant.shape)
        return anotherVersion("the schedule is for a func called '" + meant.name + "' with " +
                              textOf(*meant.shape) + ", and number " + std::to_string(meant.which) +
                              " of that name has " + textOf(*shape));
      if (!meant.needs.empty() && !needs.has(found, meant.needs))
        return anotherVersion("the schedule is for a func called '" + meant.name +
                              "' that needs '" + meant.needs + "', and number " +
                              std::to_string(meant.which) + " of that name does not");
      renaming.funcs.emplace(name, found);
    } else if (isTold || (count > 0 && !names.contains(name)))
      return anotherVersion("the schedule is for " + counted(meant.of, meant.name) +
                            ", and the pipeline has " + counted(count, meant.name));
  }
  for (const auto &[loop, place] : lasting.names.loops) {
    std::string func = place.func;
    renaming.rename(func);
    auto name = loopAt(pipeline, func, place, loop.second);
    if (!name)
      return anotherVersion("the pipeline has no loop where the schedule found '" + loop.first +
                            "' in '" + place.func + "'");
    renaming.loops.emplace(loop, std::move(*name));
  }
  std::vector<Directive> directives = lasting.directives;
  for (Directive &directive : directives)
    renaming.apply(directive);
  return directives;
}

std::string lastingBuffer(const std::string &name) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  return name.substr(0, lengthWithoutNumber(std::string_view(name).substr(0, dot))) +
         name.substr(dot);
}

std::string bufferNamed(const Pipeline &pipeline, const std::string &lasting) {
  const std::size_t dot = std::min(lasting.find('.'), lasting.size());
  for (const pipeline::Output &output : pipeline.outputs())
    if (const std::string &name = pipeline.func(output.func).name;
        lastingBuffer(name) == lasting.substr(0, dot))
      return name + lasting.substr(dot);
  return lasting;
}

} // namespace tessera::schedule
