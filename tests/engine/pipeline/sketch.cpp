// SPDX-License-Identifier: MIT
#include "tests/engine/pipeline/sketch.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace tessera::pipeline::test {
namespace {

[[noreturn]] void malformed(std::string_view what) {
  throw std::invalid_argument("malformed sketch: " + std::string(what));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) {
    std::erase(part, ' ');
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

Interval interval(std::string_view text) {
  const std::vector<std::string> ends = split(text, ',');
  if (ends.size() != 2) malformed(text);
  return {std::stoll(ends[0]), std::stoll(ends[1])};
}

// Splits at "+" outside of brackets. "x-1" counts as "x+-1".
std::vector<std::string> summands(std::string text) {
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i] == '-' && text[i - 1] != '[' && text[i - 1] != ',' && text[i - 1] != '+')
      text.insert(i++, "+");
  return split(text, '+');
}

void addSummand(Atom &atom, const std::string &text, const std::vector<std::string> &loops) {
  if (text.front() == '[') {
    const Interval range = interval(text.substr(1, text.size() - 2));
    atom.offset = {atom.offset.min + range.min, atom.offset.max + range.max};
    return;
  }
  std::int64_t coefficient = 1;
  std::string name = text;
  if (const std::size_t star = text.find('*'); star != std::string::npos) {
    coefficient = std::stoll(text.substr(0, star));
    name = text.substr(star + 1);
  } else if (name.front() == '-' && !std::isdigit(static_cast<unsigned char>(name[1]))) {
    coefficient = -1;
    name.erase(0, 1);
  }
  const auto loop = std::find(loops.begin(), loops.end(), name);
  if (loop == loops.end()) {
    const std::int64_t constant = std::stoll(text);
    atom.offset = {atom.offset.min + constant, atom.offset.max + constant};
    return;
  }
  atom.terms.push_back({static_cast<std::uint32_t>(loop - loops.begin()), coefficient});
  std::sort(atom.terms.begin(), atom.terms.end(),
            [](const AffineTerm &a, const AffineTerm &b) { return a.loop < b.loop; });
}

constexpr std::string_view kSine = "sine";
constexpr std::string_view kBounded = "bounded";
constexpr std::string_view kBoundsIndices = "bounds_indices";
constexpr std::string_view kNarrows = "narrows";
constexpr std::string_view kBytes = "bytes";
constexpr std::string_view kExtern = "extern";

struct Line {
  std::string keyword, name;
  std::vector<std::string> args, words; // inside the parentheses, and after them
  std::string definition;               // behind "="
};

Line lineOf(const std::string &text) {
  Line line;
  const std::size_t equals = text.find(" = ");
  std::string head = text.substr(0, equals);
  if (equals != std::string::npos) line.definition = text.substr(equals + 3);
  if (const std::size_t open = head.find('('); open != std::string::npos) {
    const std::size_t close = head.find(')');
    line.args = split(head.substr(open + 1, close - open - 1), ' ');
    head.erase(open, close - open + 1);
  }
  std::istringstream words(head);
  words >> line.keyword >> line.name;
  for (std::string word; words >> word;)
    line.words.push_back(word);
  return line;
}

class Sketch {
public:
  void add(const Line &line) {
    if (line.keyword == "input") return input(line);
    if (line.keyword == "func") return func(line);
    if (line.keyword == "update") return update(line);
    if (line.keyword == "folded") return folded(line);
    if (line.keyword == "output") return output(line);
    malformed(line.keyword);
  }

  PipelineParts parts{.name = "sketch", .halideVersion = "21.0.0"};

private:
  void input(const Line &line) {
    Input made{.name = line.name, .type = {TypeKind::UInt, 8}};
    for (const std::string &extent : line.words)
      made.dims.push_back({{0, std::stoll(extent) - 1}, EstimateSource::File});
    parts.inputs.push_back(made);
  }

  void func(const Line &line) {
    Func made{.name = line.name, .types = {{TypeKind::Float, 32}}, .args = line.args};
    std::vector<ScalarType> types;
    for (const std::string &word : line.words)
      if (const auto type = scalarTypeFromString(word))
        types.push_back(*type);
      else if (word == kBounded)
        made.bounded = made.args;
      else if (word == kBoundsIndices)
        made.boundsIndices = true;
      else if (word == kExtern)
        made.externCall = ExternCall{line.name + "_call"};
      else if (word != kSine && word != kNarrows && word != kBytes)
        made.region.push_back({0, std::stoll(word) - 1});
    if (!types.empty()) made.types = types;
    made.firstStage = StageId(parts.stages.size());
    parts.funcs.push_back(made);
    stage(line, 0, made.args);
  }

  void update(const Line &line) {
    Func &owner = parts.funcs.back();
    if (owner.name != line.name) malformed("an update follows its func");
    stage(line, owner.stageCount++, {});
  }

  void stage(const Line &line, std::uint32_t index, std::vector<std::string> loops) {
    Stage made{.func = FuncId(parts.funcs.size() - 1), .index = index};
    const Func &owner = parts.funcs.back();
    if (index > 0)
      for (const std::string &word : line.words)
        addProperty(made, loops, word);
    for (const std::string &arg : line.args)
      if (std::find(owner.args.begin(), owner.args.end(), arg) != owner.args.end())
        addPure(made, loops, arg);
    m_loops = loops;
    made.definition = line.name + " = " + line.definition;
    made.operations.push_back({OpKind::Add, {TypeKind::Float, 32}, 1});
    if (std::find(line.words.begin(), line.words.end(), kSine) != line.words.end())
      made.operations.push_back({OpKind::Transcendental, {TypeKind::Float, 32}, 1});
    if (std::find(line.words.begin(), line.words.end(), kNarrows) != line.words.end())
      made.operations.push_back({OpKind::Cast, {TypeKind::Float, 16}, 1});
    if (std::find(line.words.begin(), line.words.end(), kBytes) != line.words.end())
      made.operations.push_back({OpKind::Add, {TypeKind::UInt, 8}, 1});
    if (owner.externCall) made.operations.clear();
    made.store.producer = Producer::func(made.func);
    for (const std::string &arg : line.args)
      made.store.indices.push_back(indexMap(arg, loops));
    addLoads(made, loops, line.definition);
    parts.stages.push_back(made);
  }

  void folded(const Line &line) {
    const auto loop = std::find(m_loops.begin(), m_loops.end(), line.name);
    if (loop == m_loops.end()) malformed(line.name);
    Folded made{static_cast<std::uint32_t>(loop - m_loops.begin()), 1, {}, {}, {}};
    Stage left;
    addLoads(left, m_loops, line.definition);
    for (const Access &load : left.loads)
      made.loads.push_back({load.producer, 1});
    parts.stages.back().folded.push_back(made);
  }

  void addLoads(Stage &stage, const std::vector<std::string> &loops, const std::string &text) {
    std::size_t at = 0;
    while ((at = text.find_first_not_of(' ', at)) != std::string::npos)
      at = addLoad(stage, loops, text, at);
  }

  void addPure(Stage &stage, std::vector<std::string> &loops, const std::string &arg) {
    const Func &owner = parts.funcs.back();
    const auto dim = std::find(owner.args.begin(), owner.args.end(), arg) - owner.args.begin();
    stage.loops.push_back({arg, LoopDim::Kind::Pure, owner.region[static_cast<std::size_t>(dim)]});
    if (std::find(loops.begin(), loops.end(), arg) == loops.end()) loops.push_back(arg);
  }

  static void addProperty(Stage &stage, std::vector<std::string> &loops, const std::string &word) {
    if (word == "commutative")
      stage.associative = stage.commutative = true;
    else if (word == "associative")
      stage.associative = true;
    else
      addReduction(stage, loops, word);
  }

  static void addReduction(Stage &stage, std::vector<std::string> &loops, const std::string &word) {
    const std::vector<std::string> fields = split(word, ':');
    if (fields.size() < 3) malformed(word);
    const std::int64_t min = std::stoll(fields[1]);
    LoopDim loop{fields[0], LoopDim::Kind::Reduction, {min, min + std::stoll(fields[2]) - 1}};
    for (std::size_t i = 3; i < fields.size(); ++i)
      if (fields[i] == "fixed")
        loop.fixed = true;
      else if (fields[i] == "independent")
        loop.independent = true;
      else
        malformed(word);
    stage.loops.push_back(loop);
    loops.push_back(fields[0]);
  }

  std::size_t addLoad(Stage &stage, const std::vector<std::string> &loops, const std::string &text,
                      std::size_t at) {
    const std::size_t open = text.find('(', at);
    int depth = 0;
    std::size_t close = open;
    for (; close < text.size(); ++close) {
      depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    if (open == std::string::npos || close >= text.size()) malformed(text);
    Access load{.producer = producer(text.substr(at, open - at))};
    for (const std::string &index : split(text.substr(open + 1, close - open - 1), ';'))
      load.indices.push_back(indexMap(index, loops));
    stage.loads.push_back(load);
    return close + 1;
  }

  Producer producer(const std::string &name) const {
    for (std::uint32_t i = 0; i < parts.inputs.size(); ++i)
      if (parts.inputs[i].name == name) return Producer::input(InputId{i});
    for (std::uint32_t f = 0; f < parts.funcs.size(); ++f)
      if (parts.funcs[f].name == name) return Producer::func(FuncId{f});
    malformed("no producer '" + name + "'");
  }

  void output(const Line &line) {
    const Producer found = producer(line.name);
    Func &func = parts.funcs[found.index];
    func.isOutput = true;
    Output made{.func = FuncId{found.index}};
    const bool isFixed = !line.words.empty() && line.words.front() == "fixed";
    for (const Interval &side : func.region)
      made.dims.push_back({side, EstimateSource::File, isFixed});
    parts.outputs.push_back(made);
  }

  std::vector<std::string> m_loops; // the loops of the last stage
};

} // namespace

IndexMap indexMap(std::string_view text, const std::vector<std::string> &loops) {
  std::string index(text);
  std::erase(index, ' ');
  if (index == "?") return {{}, kEverything, Precision::Whole, "depends on data"};
  if (index.front() == '?') {
    const auto loop = std::find(loops.begin(), loops.end(), index.substr(1));
    if (loop == loops.end()) malformed(text);
    return {{}, kEverything, Precision::Whole, "not affine", 1U << (loop - loops.begin())};
  }
  if (index.back() == '!')
    return {
        {},  interval(index.substr(1, index.size() - 3)), Precision::Whole, "depends on data", {},
        true};
  IndexMap map;
  if (index.back() == '?') {
    index.pop_back();
    map.precision = Precision::Whole;
    map.reason = "depends on data";
  }
  Atom atom;
  if (index.starts_with("clamp(")) {
    const std::size_t high = index.rfind(',');
    const std::size_t low = index.rfind(',', high - 1);
    atom.clamp = {std::stoll(index.substr(low + 1, high - low - 1)),
                  std::stoll(index.substr(high + 1))};
    index = index.substr(6, low - 6);
  }
  if (const std::size_t slash = index.rfind('/'); slash != std::string::npos) {
    std::size_t digits = 0;
    atom.divisor = std::stoll(index.substr(slash + 1), &digits);
    if (slash + 1 + digits < index.size()) {
      // Summands behind the division are added to its result.
      Atom behind;
      for (const std::string &summand : summands("0" + index.substr(slash + 1 + digits)))
        addSummand(behind, summand, loops);
      if (!behind.terms.empty()) malformed(text);
      map.offset = behind.offset;
    }
    index.erase(slash);
  }
  for (const std::string &summand : summands(index))
    addSummand(atom, summand, loops);
  map.atoms.push_back(atom);
  return map;
}

PipelineParts sketchParts(std::string_view text) {
  Sketch sketch;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(' ') != std::string::npos) sketch.add(lineOf(line));
  return sketch.parts;
}

PipelinePtr sketch(std::string_view text) {
  auto made = Pipeline::create(sketchParts(text));
  if (!made) malformed(made.error().message);
  return *made;
}

} // namespace tessera::pipeline::test
