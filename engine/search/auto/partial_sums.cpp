// SPDX-License-Identifier: MIT
#include "engine/search/auto/partial_sums.h"

#include "engine/cost/load/run_facts.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/group_timer.h"
#include "engine/search/kernels/kept_kernels.h"
#include "engine/search/kernels/longest_first.h"
#include "engine/search/kernels/tile_dims.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using schedule::Derivation;
using schedule::Factored;
using schedule::FuncPlan;
using schedule::Place;
using schedule::Schedule;
using schedule::Wrapper;

namespace {

constexpr double kShare = 0.03; // part of the total time; shorter kernels are not worth it
constexpr std::int64_t kLeastSteps = 128;  // a sum with fewer steps is not split
constexpr std::int64_t kLeastPerStrip = 8; // smallest number of steps per strip
constexpr std::int64_t kThreads = 256;     // threads of a block that adds up a strip
constexpr std::int64_t kFewPoints = 32;    // a sum with fewer points cannot fill a warp
constexpr std::size_t kMostCopies = 64;

std::int64_t product(const Stage &stage, LoopDim::Kind kind) {
  std::int64_t product = 1;
  for (const LoopDim &loop : stage.loops)
    if (loop.kind == kind) product *= std::max<std::int64_t>(1, extentOf(loop));
  return product;
}

// Half of the threads that the machine runs at once.
std::int64_t threadsToFill(const machine::Machine &machine) {
  return std::int64_t{machine.multiprocessors} * machine.sm.threads / 2;
}

bool mayBeParted(const Stage &stage, const machine::Machine &machine) {
  return stage.index > 0 && stage.associative && stage.commutative && stage.predicate.empty() &&
         product(stage, LoopDim::Kind::Reduction) >= kLeastSteps &&
         2 * product(stage, LoopDim::Kind::Pure) <= threadsToFill(machine);
}

// Whether the sum is slow because few threads run it, or because the threads of the whole machine
// add to the same elements.
bool isSlow(const Schedule &schedule, const cost::KernelLoad &kernel, const cost::StageLoad &load,
            const machine::Machine &machine) {
  const bool isSpreadOut = load.depth == schedule::Depth::Host &&
                           schedule.plan(load.stage).atomic != schedule::Atomic::No;
  return isSpreadOut ||
         2 * load.threads * kernel.blocks <= static_cast<double>(threadsToFill(machine));
}

FuncId kernelOf(const Schedule &schedule, FuncId func) {
  while (schedule.plan(func).compute.kind == Place::Kind::At)
    func = schedule.pipeline()->stage(schedule.plan(func).compute.stage).func;
  return func;
}

// The func's copy for all readers, whether or not it is inlined.
const Wrapper *copyOf(const Schedule &schedule, const std::string &func) {
  for (const Derivation &derivation : schedule.derivations()) {
    const auto *copy = std::get_if<Wrapper>(&derivation);
    if (copy && copy->of == func && copy->consumers.empty()) return copy;
  }
  return nullptr;
}

std::string unused(std::string name, const std::set<std::string> &used) {
  if (!used.contains(name)) return name;
  for (int n = 1;; ++n)
    if (std::string numbered = name + std::to_string(n); !used.contains(numbered)) return numbered;
}

// Names that an update uses already: the arguments of its func and its loops.
std::set<std::string> namesIn(const Pipeline &pipeline, const Stage &stage) {
  const std::vector<std::string> &args = pipeline.func(stage.func).args;
  std::set<std::string> names(args.begin(), args.end());
  for (const LoopDim &loop : stage.loops)
    names.insert(loop.name);
  return names;
}

std::string partsName(const Pipeline &pipeline, const std::string &of) {
  std::set<std::string> names;
  for (const pipeline::Func &func : pipeline.funcs())
    names.insert(func.name);
  for (const pipeline::Input &input : pipeline.inputs())
    names.insert(input.name);
  return unused(of + "_intm", names);
}

// Which loop gets a partial result for each of its iterations, after a split by `factor`: the outer
// or the inner loop. With factor 0, it is the loop without a split.
enum class Preserved : std::uint8_t { Outer, Inner };
Factored factored(const Pipeline &pipeline, const Stage &stage, std::size_t loop,
                  std::int64_t factor, Preserved part) {
  Factored made;
  made.of = pipeline.func(stage.func).name;
  made.name = partsName(pipeline, made.of);
  made.stage = stage.index;
  std::set<std::string> names = namesIn(pipeline, stage);
  const std::string &reduction = stage.loops[loop].name;
  const std::string base = reduction.substr(0, reduction.find('$'));
  const auto name = [&](const std::string &end) {
    return *names.insert(unused(base + end, names)).first;
  };
  const bool isOuter = part == Preserved::Outer;
  const std::string pure = name(isOuter ? "_strip" : "_lane");
  if (factor == 0) {
    made.preserved = {{reduction, pure}};
    return made;
  }
  const std::string outer = name("_outer"), inner = name("_inner");
  made.splits = {{reduction, outer, inner, factor}};
  made.preserved = {{isOuter ? outer : inner, pure}};
  return made;
}

// The outermost or the innermost reduction with more than one step.
std::size_t reductionOf(const Stage &stage, Preserved part) {
  std::size_t found = kNone;
  for (std::size_t l = 0; l < stage.loops.size(); ++l)
    if (stage.loops[l].kind == LoopDim::Kind::Reduction && extentOf(stage.loops[l]) > 1) {
      found = l;
      if (part == Preserved::Inner) break;
    }
  return found;
}

// Factors that split the outermost reduction into suitable numbers of strips. 0: one strip for each
// step.
std::vector<std::int64_t> stripFactors(const Stage &stage, const machine::Machine &machine) {
  const std::int64_t points = std::max(kThreads, product(stage, LoopDim::Kind::Pure));
  const std::int64_t steps = product(stage, LoopDim::Kind::Reduction);
  const std::int64_t extent = extentOf(stage.loops[reductionOf(stage, Preserved::Outer)]);
  std::vector<std::int64_t> factors;
  for (const std::int64_t part : {1, 4}) {
    const std::int64_t strips =
        std::min(threadsToFill(machine) / points / part, steps / kLeastPerStrip);
    if (strips < 2) continue;
    const std::int64_t wanted = extent / strips;
    const std::int64_t factor =
        wanted < 2 ? 0
                   : static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(wanted)));
    if (std::ranges::find(factors, factor) == factors.end()) factors.push_back(factor);
  }
  return factors;
}

class Parted {
public:
  Parted(const Schedule &schedule, const Sum &sum, const machine::Machine &machine)
      : m_schedule(schedule), m_sum(sum), m_machine(machine) {}

  // Returns nothing if frozen decisions forbid the partial sums.
  std::optional<WithCopies> make(std::int64_t factor) {
    const FuncId of = funcNamed(pipeline(), m_sum.func);
    takeApart(of);
    for (const Stage &stage : pipeline().stagesOf(of))
      for (const pipeline::Access &load : stage.loads)
        if (load.producer.kind == Producer::Kind::Func && load.producer != Producer::func(of))
          takeReadApart(static_cast<FuncId>(load.producer.index));
    if (!isFree()) return std::nullopt;
    for (const FuncId func : m_inlined)
      makeInlined(func);
    for (const FuncId func : m_anew)
      makeKernel(func);
    std::set<std::string> names;
    for (const FuncId func : m_anew)
      names.insert(pipeline().func(func).name);
    const bool wantsLanes =
        !cost::isStoredAnywhere(update()) && product(update(), LoopDim::Kind::Pure) < kFewPoints;
    if (!add(factored(pipeline(), update(), reductionOf(update(), Preserved::Outer), factor,
                      Preserved::Outer),
             names))
      return std::nullopt;
    if (wantsLanes && !addLanes(names)) return std::nullopt;
    return copied(names);
  }

private:
  const Pipeline &pipeline() const { return *m_schedule.pipeline(); }
  const Stage &update(const std::string &func, std::uint32_t stage) const {
    return pipeline().stagesOf(funcNamed(pipeline(), func))[stage];
  }
  const Stage &update() const { return update(m_sum.func, m_sum.stage); }

  // Collects a func, its copy if that owns the func's kernel, and all funcs that are computed in
  // their loops, directly or not.
  void takeApart(FuncId func) {
    const FuncId kernel = kernelOf(m_schedule, func);
    const Wrapper *copy = copyOf(m_schedule, pipeline().func(func).name);
    if (copy && pipeline().func(kernel).name == copy->name) m_inlined.insert(kernel);
    m_anew.insert(func);
    for (bool grows = true; grows;) {
      grows = false;
      for (std::uint32_t f = 0; f < pipeline().funcs().size(); ++f) {
        const Place &place = m_schedule.plan(FuncId{f}).compute;
        if (place.kind == Place::Kind::At &&
            (m_anew.contains(pipeline().stage(place.stage).func) ||
             m_inlined.contains(pipeline().stage(place.stage).func)))
          grows = m_anew.insert(FuncId{f}).second || grows;
      }
    }
  }

  // Calls takeApart() for another sum, which may be better computed elsewhere. This is `func`,
  // which the sum reads, if it is a sum in a kernel of its own; or the original of `func`, if
  // `func` is a copy whose kernel computes the original.
  void takeReadApart(FuncId func) {
    if (!m_schedule.plan(func).isRoot()) return;
    if (pipeline().func(func).stageCount > 1) return takeApart(func);
    for (const Derivation &derivation : m_schedule.derivations()) {
      const auto *copy = std::get_if<Wrapper>(&derivation);
      if (!copy || copy->name != pipeline().func(func).name || !copy->consumers.empty()) continue;
      const FuncId of = funcNamed(pipeline(), copy->of);
      if (kernelOf(m_schedule, of) == func) takeApart(of);
    }
  }

  bool isFree() const {
    const std::set<FuncId> kept = keptFuncs(m_schedule);
    const auto isKept = [&](FuncId func) { return kept.contains(func); };
    return std::ranges::none_of(m_anew, isKept) && std::ranges::none_of(m_inlined, isKept);
  }

  void makeKernel(FuncId func) {
    FuncPlan plan;
    for (const Stage &stage : pipeline().stagesOf(func))
      plan.stages.push_back({schedule::kernelNest(stage)});
    m_schedule.set(func, std::move(plan));
  }

  void makeInlined(FuncId func) {
    FuncPlan plan;
    plan.compute = Place::inlined();
    for (const Stage &stage : pipeline().stagesOf(func))
      plan.stages.push_back({schedule::plainNest(stage)});
    m_schedule.set(func, std::move(plan));
  }

  // Adds partial results of a sum. The partial results and the sum become kernels.
  bool add(const Factored &parts, std::set<std::string> &names) {
    if (!m_schedule.add(parts)) return false;
    for (const std::string &name : {parts.name, parts.of}) {
      makeKernel(funcNamed(pipeline(), name));
      names.insert(name);
    }
    if (m_strips.empty()) m_strips = parts.name;
    m_parts = parts.name;
    return true;
  }

  // Splits each strip into lanes: adjacent threads then read adjacent elements.
  bool addLanes(std::set<std::string> &names) {
    const Stage &strip = update(m_parts, 1);
    const std::size_t loop = reductionOf(strip, Preserved::Inner);
    if (loop == kNone) return true;
    const std::int64_t extent = extentOf(strip.loops[loop]);
    return add(
        factored(pipeline(), strip, loop, extent > kThreads ? kThreads : 0, Preserved::Inner),
        names);
  }

  WithCopies copied(const std::set<std::string> &names) {
    std::vector<FuncId> withoutCopy;
    for (const std::string &name : names)
      if (!copyOf(m_schedule, name)) withoutCopy.push_back(funcNamed(pipeline(), name));
    WithCopies made = withCopiesOfSums(m_schedule, withoutCopy, kMostCopies);
    made.around.clear();
    for (const std::string &name : names)
      made.around.push_back(funcNamed(*made.schedule.pipeline(), name));
    std::ranges::sort(made.around);
    placeInStrips(made.schedule, names);
    return made;
  }

  // Makes a block for each strip, and places everything that its partial results need in this
  // block. This is a good start for the search. If that is too much for a block, nothing changes.
  void placeInStrips(Schedule &schedule, const std::set<std::string> &names) const {
    const Pipeline &pipeline = *schedule.pipeline();
    const auto copy = idleCopyOf(schedule, funcNamed(pipeline, m_strips));
    if (!copy) return;
    Group group{.output = *copy, .ids = pipeline.ids()};
    addMembers(schedule, *copy, names, group.members);
    std::ranges::sort(group.members, {}, &Member::func);
    GroupTimer timer(schedule, m_machine);
    timer.setTraffic(schedule);
    std::optional<Schedule> best;
    double least = std::numeric_limits<double>::infinity();
    for (const Tile &tile : tilesFor(schedule, group, TileEffort::Few)) {
      if (!tile.strips) continue;
      group.tile = tile;
      auto written = withGroup(schedule, group);
      if (!written) return;
      const double seconds = timer.secondsOf(*written, group);
      if (seconds >= least || !schedule::isLegal(*written, m_machine)) continue;
      least = seconds;
      best = std::move(written);
    }
    if (best) schedule = std::move(*best);
  }

  // Adds to `members` the sums that `reader` reads, directly or not, and that are kernels of their
  // own.
  void addMembers(const Schedule &schedule, FuncId reader, const std::set<std::string> &names,
                  std::vector<Member> &members) const {
    const Pipeline &pipeline = *schedule.pipeline();
    for (const Stage &stage : pipeline.stagesOf(reader))
      for (const pipeline::Access &load : stage.loads) {
        const FuncId func{load.producer.index};
        if (load.producer.kind != Producer::Kind::Func || func == reader) continue;
        const Member member{func, Placement::Block};
        const bool isSum = pipeline.func(func).stageCount > 1;
        const bool isInline = schedule.plan(func).isInline();
        if (!isInline && (!isSum || !names.contains(pipeline.func(func).name))) continue;
        if (std::ranges::find(members, member) != members.end()) continue;
        if (!isInline) members.push_back(member);
        addMembers(schedule, func, names, members);
      }
  }

  Schedule m_schedule;
  const Sum &m_sum;
  std::set<FuncId> m_anew, m_inlined;
  const machine::Machine &m_machine;
  std::string m_strips, m_parts; // names of the first and the last func added
};

bool isPartedAlready(const Schedule &schedule, const std::string &func) {
  return std::ranges::any_of(schedule.derivations(), [&](const Derivation &derivation) {
    const auto *parts = std::get_if<Factored>(&derivation);
    return parts && (parts->name == func || parts->of == func);
  });
}

} // namespace

std::vector<Sum> sumsToPart(const Schedule &schedule, const machine::Machine &machine) {
  const Pipeline &pipeline = *schedule.pipeline();
  const cost::Prediction prediction = longestFirst(schedule, machine);
  std::vector<Sum> sums;
  for (const auto &kernel : prediction.kernels) {
    if (kernel.time.seconds < kShare * prediction.seconds) break;
    for (const cost::StageLoad &load : kernel.load.stages) {
      const Stage &stage = pipeline.stage(load.stage);
      Sum sum{pipeline.func(stage.func).name, stage.index};
      if (mayBeParted(stage, machine) && isSlow(schedule, kernel.load, load, machine) &&
          !isPartedAlready(schedule, sum.func))
        sums.push_back(std::move(sum));
    }
  }
  return sums;
}

std::vector<WithCopies> withPartialSums(const Schedule &schedule, const Sum &sum,
                                        const machine::Machine &machine) {
  const Pipeline &pipeline = *schedule.pipeline();
  const Stage &stage = pipeline.stagesOf(funcNamed(pipeline, sum.func))[sum.stage];
  std::vector<WithCopies> forms;
  for (const std::int64_t factor : stripFactors(stage, machine))
    if (auto form = Parted(schedule, sum, machine).make(factor)) forms.push_back(std::move(*form));
  return forms;
}

} // namespace tessera::search
