// SPDX-License-Identifier: MIT
#include "engine/schedule/text/call_reader.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tessera::schedule {

namespace {

using Problem = CallReader::Problem;
using List = CallValue::List;

// Limits each part of an invented name, in bytes, since wrappers of wrappers would get ever longer
// names.
constexpr std::size_t kLongestStem = 80;

// How each call may be written, for error messages. The table has every known call but update().
struct Usage {
  std::string_view call, text;
};
constexpr auto kUsages = std::to_array<Usage>({
    {"split",
     "split(x, outer, inner, 32) or split(x, outer, inner, 32, TailStrategy::GuardWithIf)"},
    {"fuse", "fuse(inner, outer, fused)"},
    {"reorder", "reorder(x, y, ...), innermost first, at least two loops"},
    {"gpu_blocks", "gpu_blocks(x), (x, y) or (x, y, z)"},
    {"gpu_threads", "gpu_threads(x), (x, y) or (x, y, z)"},
    {"gpu_lanes", "gpu_lanes(x)"},
    {"gpu_single_thread", "gpu_single_thread()"},
    {"unroll", "unroll(x), unroll(x, 4) or unroll(x, 4, TailStrategy::GuardWithIf)"},
    {"vectorize", "vectorize(x), vectorize(x, 4) or vectorize(x, 4, TailStrategy::GuardWithIf)"},
    {"parallel", "parallel(x), parallel(x, 4) or parallel(x, 4, TailStrategy::GuardWithIf)"},
    {"compute_root", "compute_root()"},
    {"compute_at",
     "compute_at(f, x), compute_at(LoopLevel(f, x, 1)) or compute_at(LoopLevel::root())"},
    {"store_root", "store_root()"},
    {"store_at", "store_at(f, x), store_at(LoopLevel(f, x, 1)) or store_at(LoopLevel::root())"},
    {"hoist_storage_root", "hoist_storage_root()"},
    {"hoist_storage", "hoist_storage(f, x), hoist_storage(LoopLevel(f, x, 1)) or "
                      "hoist_storage(LoopLevel::root())"},
    {"store_in", "store_in(MemoryType::GPUShared), or Auto, Heap, Register, Stack"},
    {"reorder_storage", "reorder_storage(x, y, ...), at least two pure loops"},
    {"align_storage", "align_storage(x, 32) of a pure loop"},
    {"bound_storage", "bound_storage(x, 32) of a pure loop"},
    {"fold_storage", "fold_storage(x, 4) of a pure loop"},
    {"bound", "bound(x, 0, 32) or bound(x, 0, size(\"input.extent.0\")) of a pure loop"},
    {"bound_extent",
     "bound_extent(x, 32) or bound_extent(x, size(\"input.extent.0\")) of a pure loop"},
    {"align_bounds", "align_bounds(x, 32) or align_bounds(x, 32, 0) of a pure loop"},
    {"atomic", "atomic() or atomic(true)"},
    {"allow_race_conditions", "allow_race_conditions()"},
    {"never_partition_all", "never_partition_all()"},
    {"never_partition", "never_partition(x, y, ...)"},
    {"always_partition", "always_partition(x, y, ...)"},
    {"specialize",
     "specialize(size(\"input.extent.0\") > 8), and behind it what is of this variant"},
    {"specialize_fail", "specialize_fail(\"why\"), behind all calls of specialize"},
    {"memoize", "memoize()"},
    {"async", "async()"},
    {"ring_buffer", "ring_buffer(2) or ring_buffer(size(\"input.extent.0\"))"},
    {"compute_with", "compute_with(f, x) or compute_with(LoopLevel(f, x, 1))"},
    {"in", "in(), in(consumer) or in({consumer, consumer})"},
    {"clone_in", "clone_in(consumer) or clone_in({consumer, consumer})"},
    {"rfactor", "rfactor(r, u) or rfactor({{r, u}, {s, v}}), each a reduction loop and the pure "
                "loop that it becomes"},
    {"tile", "tile(x, y, xo, yo, xi, yi, 32, 8), tile(x, y, xi, yi, 32, 8) or "
             "tile({x, y}, {xo, yo}, {xi, yi}, {32, 8}), each with or without a TailStrategy"},
    {"gpu_tile", "gpu_tile(x, bx, tx, 32), gpu_tile(x, tx, 32) and the same with two or three "
                 "loops, each with or without a TailStrategy"},
    {"gpu", "gpu(bx, tx), gpu(bx, by, tx, ty) or gpu(bx, by, bz, tx, ty, tz)"},
    {"compute_inline", "compute_inline() of a func that is computed nowhere else"},
});
static_assert(kUsages.size() == kVerbs + 4);

std::string usageOf(std::string_view call) {
  const auto at = std::find_if(kUsages.begin(), kUsages.end(),
                               [call](const Usage &usage) { return usage.call == call; });
  return at == kUsages.end() ? "" : std::string(at->text);
}

Problem doesNotFit(std::string_view call) {
  return {"these are not valid arguments of " + std::string(call), usageOf(call)};
}

void flatten(const List &values, List &out) {
  for (const CallValue &value : values) {
    if (const auto *list = value.as<List>())
      flatten(*list, out);
    else
      out.push_back(value);
  }
}

// Turns a value into an argument of a directive. Returns nothing for a value that no call takes.
// problemWith() later checks the kind of each argument.
struct AsArgument {
  const Signature &call;

  using Maybe = std::optional<Argument>;
  Maybe operator()(const LoopName &loop) const { return loop; }
  Maybe operator()(std::int64_t number) const { return number; }
  Maybe operator()(bool flag) const {
    if (call.verb != Verb::Atomic) return {};
    return std::int64_t{flag};
  }
  Maybe operator()(Tail tail) const { return tail; }
  Maybe operator()(Storage storage) const { return storage; }
  Maybe operator()(const SizeExpression &size) const { return size; }
  Maybe operator()(const Text &text) const { return text; }
  Maybe operator()(const Level &level) const { return level; }
  Maybe operator()(const StageName &stage) const {
    if (!stage.isFunc) return {};
    return FuncName{stage.func};
  }
  template <typename Other>
  Maybe operator()(const Other &) const {
    return {};
  }
};

// The loop that two values name, as in compute_at(f, x), or that one value of type LoopLevel names.
std::optional<Level> levelOf(const List &values) {
  if (values.size() == 1 && values[0].as<Level>()) return *values[0].as<Level>();
  if (values.size() != 2) return std::nullopt;
  const auto *stage = values[0].as<StageName>();
  const auto *loop = values[1].as<LoopName>();
  if (!stage || !loop) return std::nullopt;
  return Level{stage->func, stage->stage, *loop};
}

// Adds Halide's default values for arguments that are left out.
void addDefaults(const Signature &call, List &values) {
  if (call.verb == Verb::Split && values.size() == 4) values.push_back({Tail::Auto});
  if (call.verb == Verb::Atomic && values.empty()) values.push_back({false});
  if (call.verb == Verb::AlignBounds && values.size() == 2) values.push_back({std::int64_t{0}});
  // In a directive, fold_storage always folds forwards. So its flag for forwards is dropped if it
  // is true, and is later refused as an argument too many if it is false.
  const bool *forward = values.size() == 3 ? values[2].as<bool>() : nullptr;
  if (call.verb == Verb::FoldStorage && forward && *forward) values.pop_back();
}

Directive directiveOf(const StageName &stage, Verb verb, std::vector<Argument> arguments) {
  return {stage.func, stage.stage, verb, std::move(arguments), {}, stage.variant};
}

std::vector<Argument> asArguments(const std::vector<LoopName> &loops) {
  return {loops.begin(), loops.end()};
}

std::optional<Verb> atRoot(Verb verb) {
  if (verb == Verb::ComputeAt) return Verb::ComputeRoot;
  if (verb == Verb::StoreAt) return Verb::StoreRoot;
  if (verb == Verb::HoistStorage) return Verb::HoistStorageRoot;
  return std::nullopt;
}

bool takesLevel(const Signature &call) {
  return call.parameters.size() == 1 && call.parameters[0] == ParameterKind::Level;
}

// Removes the values of type T from the beginning of the list and returns them.
template <typename T>
std::vector<T> takeLeading(std::span<const CallValue> &values) {
  std::vector<T> taken;
  while (!values.empty() && values.front().as<T>()) {
    taken.push_back(*values.front().as<T>());
    values = values.subspan(1);
  }
  return taken;
}

} // namespace

// The loops, factors and tails of a tile or gpu_tile call, in any of its forms.
struct CallReader::Tiling {
  std::vector<LoopName> olds, outers, inners;
  std::vector<std::int64_t> factors;
  std::vector<Tail> tails;

  static std::optional<Tiling> of(const List &values) {
    Tiling tiling;
    const bool lists = !values.empty() && values.front().as<List>();
    if (!(lists ? tiling.readLists(values) : tiling.readFlat(values))) return std::nullopt;
    const std::size_t count = tiling.factors.size();
    if (tiling.outers.empty()) tiling.outers = tiling.olds;
    if (tiling.tails.empty()) tiling.tails = {Tail::Auto};
    if (tiling.tails.size() == 1) tiling.tails.resize(count, tiling.tails.front());
    if (count == 0 || tiling.olds.size() != count || tiling.outers.size() != count ||
        tiling.inners.size() != count || tiling.tails.size() != count)
      return std::nullopt;
    return tiling;
  }

private:
  bool readFlat(std::span<const CallValue> values) {
    const auto loops = takeLeading<LoopName>(values);
    factors = takeLeading<std::int64_t>(values);
    tails = takeLeading<Tail>(values);
    const std::size_t count = factors.size();
    if (count == 0 || tails.size() > 1 || !values.empty()) return false;
    if (loops.size() != 2 * count && loops.size() != 3 * count) return false;
    const auto part = [&](std::size_t n) {
      const auto begin = loops.begin() + static_cast<std::ptrdiff_t>(n * count);
      return std::vector<LoopName>(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    olds = part(0);
    inners = part(loops.size() / count - 1);
    if (loops.size() == 3 * count) outers = part(1);
    return true;
  }

  bool readLists(std::span<const CallValue> values) {
    std::vector<std::vector<LoopName>> loops;
    while (!values.empty() && values.front().as<List>()) {
      std::span<const CallValue> items = *values.front().as<List>();
      if (!items.empty() && items.front().as<LoopName>())
        loops.push_back(takeLeading<LoopName>(items));
      else if (factors.empty())
        factors = takeLeading<std::int64_t>(items);
      else
        tails = takeLeading<Tail>(items);
      if (!items.empty()) return false;
      values = values.subspan(1);
    }
    if (tails.empty()) tails = takeLeading<Tail>(values);
    if (!values.empty() || loops.size() < 2 || loops.size() > 3) return false;
    olds = loops.front();
    inners = loops.back();
    if (loops.size() == 3) outers = loops[1];
    return true;
  }
};

bool CallReader::isKnown(std::string_view call) { return !usageOf(call).empty(); }

bool CallReader::makesFunc(std::string_view call) {
  const Signature *known = signatureNamed(call);
  return known && known->makesFunc;
}

std::string CallReader::knownCalls() {
  std::vector<std::string_view> names{"update"};
  for (const Usage &usage : kUsages)
    names.push_back(usage.call);
  std::sort(names.begin(), names.end());
  std::string out;
  for (const std::string_view name : names)
    out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

StageName CallReader::variantIn(std::vector<Directive> &directives) {
  const Directive made = directives.back();
  const auto first = std::ranges::find(directives, made);
  StageName variant{
      made.func, made.stage, false,
      variantMadeBy(directives, static_cast<std::size_t>(first - directives.begin()))};
  if (first != directives.end() - 1) directives.pop_back();
  return variant;
}

std::string CallReader::invented(const std::string &owner, const std::string &stem,
                                 const Names &taken) {
  int &number = m_numbers[{owner, stem}];
  while (true) {
    std::string tried = ++number == 1 ? stem : stem + "_" + std::to_string(number);
    if (!taken.count(tried)) return tried;
  }
}

std::string CallReader::inventedFunc(const StageName &stage, std::string_view call,
                                     const List &values, const Names &taken) {
  const std::string func = stage.func.substr(0, kLongestStem);
  if (call == "rfactor") return invented("", func + "_intm", taken);
  std::string stem = func + "_" + std::string(call);
  List flat;
  flatten(values, flat);
  for (const CallValue &value : flat)
    if (const auto *consumer = value.as<StageName>(); consumer && flat.size() == 1)
      stem += "_" + consumer->func.substr(0, kLongestStem);
  return invented("", stem, taken);
}

std::optional<Problem> CallReader::add(Directive directive, std::vector<Directive> &directives) {
  const std::string_view name = signature(directive.verb).name;
  if (std::string problem = problemWith(directive); !problem.empty())
    return Problem{std::move(problem), usageOf(name)};
  if (directive.verb == Verb::ComputeRoot || directive.verb == Verb::ComputeAt)
    m_computed.insert(directive.func);
  directives.push_back(std::move(directive));
  return std::nullopt;
}

std::optional<Problem> CallReader::readBasic(Directive directive, const List &values,
                                             std::vector<Directive> &directives) {
  const Signature &call = signature(directive.verb);
  if (takesLevel(call)) {
    if (values.size() == 1 && values[0].as<CallValue::Root>() && atRoot(call.verb)) {
      directive.verb = *atRoot(call.verb);
      return add(std::move(directive), directives);
    }
    const auto level = levelOf(values);
    if (!level) return doesNotFit(call.name);
    directive.arguments = {*level};
    return add(std::move(directive), directives);
  }
  List flat;
  flatten(values, flat);
  addDefaults(call, flat);
  for (const CallValue &value : flat) {
    auto argument = std::visit(AsArgument{call}, value.what);
    if (!argument) return doesNotFit(call.name);
    directive.arguments.push_back(std::move(*argument));
  }
  return add(std::move(directive), directives);
}

// vectorize(x, 4) splits off an inner loop of 4 and vectorizes it. parallel(x, 4) makes tasks of 4
// iterations, so it splits in the same way but marks the outer loop.
std::optional<Problem> CallReader::readSplitting(const StageName &stage, const Signature &call,
                                                 const List &values,
                                                 std::vector<Directive> &directives) {
  const auto *loop = values[0].as<LoopName>();
  const auto *factor = values[1].as<std::int64_t>();
  const auto *tail = values.size() == 3 ? values[2].as<Tail>() : nullptr;
  if (!loop || !factor || values.size() > 3 || (values.size() == 3 && !tail))
    return doesNotFit(call.name);
  const std::string_view suffix = call.verb == Verb::Vectorize ? "_vector"
                                  : call.verb == Verb::Unroll  ? "_unrolled"
                                                               : "_task";
  std::string owner = stage.func + "." + std::to_string(stage.stage);
  for (const std::uint32_t number : stage.variant)
    owner += "." + std::to_string(number);
  const std::string stem = loop->name.substr(0, kLongestStem) + std::string(suffix);
  const LoopName inner{invented(owner, stem, m_taken), loop->reduction};
  auto problem = add(
      directiveOf(stage, Verb::Split, {*loop, *loop, inner, *factor, tail ? *tail : Tail::Auto}),
      directives);
  if (problem) return problem;
  const LoopName &marked = call.verb == Verb::Parallel ? *loop : inner;
  return add(directiveOf(stage, call.verb, {marked}), directives);
}

std::optional<Problem> CallReader::readTile(const StageName &stage, std::string_view call,
                                            const List &values,
                                            std::vector<Directive> &directives) {
  const auto tiling = Tiling::of(values);
  const bool gpu = call == "gpu_tile";
  if (!tiling || (gpu && tiling->factors.size() > 3)) return doesNotFit(call);
  for (std::size_t i = 0; i < tiling->olds.size(); ++i) {
    auto problem = add(directiveOf(stage, Verb::Split,
                                   {tiling->olds[i], tiling->outers[i], tiling->inners[i],
                                    tiling->factors[i], tiling->tails[i]}),
                       directives);
    if (problem) return problem;
  }
  std::vector<LoopName> order = tiling->inners;
  order.insert(order.end(), tiling->outers.begin(), tiling->outers.end());
  // In one dimension Halide's gpu_tile does not reorder, and need not.
  if (!gpu || tiling->olds.size() > 1)
    if (auto problem = add(directiveOf(stage, Verb::Reorder, asArguments(order)), directives))
      return problem;
  if (!gpu) return std::nullopt;
  if (auto problem =
          add(directiveOf(stage, Verb::GpuBlocks, asArguments(tiling->outers)), directives))
    return problem;
  return add(directiveOf(stage, Verb::GpuThreads, asArguments(tiling->inners)), directives);
}

std::optional<Problem> CallReader::readGpu(const StageName &stage, const List &values,
                                           std::vector<Directive> &directives) {
  std::span<const CallValue> rest = values;
  const auto loops = takeLeading<LoopName>(rest);
  if (!rest.empty() || loops.empty() || loops.size() % 2 != 0 || loops.size() > 6)
    return doesNotFit("gpu");
  const auto middle = loops.begin() + static_cast<std::ptrdiff_t>(loops.size() / 2);
  if (auto problem = add(directiveOf(stage, Verb::GpuBlocks, {loops.begin(), middle}), directives))
    return problem;
  return add(directiveOf(stage, Verb::GpuThreads, {middle, loops.end()}), directives);
}

std::optional<Problem> CallReader::read(const StageName &stage, std::string_view call,
                                        const List &written, const std::string &makes,
                                        std::vector<Directive> &directives) {
  List values = written;
  if (call.starts_with("gpu") && !values.empty() && values.back().as<CallValue::DefaultGpu>())
    values.pop_back();
  if (call == "tile" || call == "gpu_tile") return readTile(stage, call, values, directives);
  if (call == "gpu") return readGpu(stage, values, directives);
  if (call == "compute_inline") {
    if (!values.empty()) return doesNotFit(call);
    if (m_computed.count(stage.func))
      return Problem{"'" + stage.func + "' is computed somewhere already",
                     "one compute place for each func"};
    return std::nullopt;
  }
  const Signature *known = signatureNamed(call);
  if (!known) return Problem{"found '" + std::string(call) + "'", knownCalls()};
  const bool canSplit = known->verb == Verb::Vectorize || known->verb == Verb::Unroll ||
                        known->verb == Verb::Parallel;
  if (canSplit && values.size() > 1) return readSplitting(stage, *known, values, directives);
  // Calling a method of Func on an update is not valid C++; problemWith() reports it.
  return readBasic({stage.func, stage.stage, known->verb, {}, makes, stage.variant}, values,
                   directives);
}

} // namespace tessera::schedule
