// SPDX-License-Identifier: MIT
#include "tests/campaigns/planted/plant.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace tessera::halide::testing {

namespace {

namespace ir = Halide::Internal;
using Halide::Expr;

int pick(Random &random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

Expr nothing(const Halide::Type &type) { return ir::make_zero(type); }

// A definition that is changed, and what is known of its func.
struct Place {
  ir::Function function;
  ir::Definition definition;
  std::size_t stage = 0;
  pipeline::Box region; // of the func

  bool isUpdate() const { return stage > 0; }
  // What the update finds, in place of what it would store.
  Expr oldValue(std::size_t element) const {
    ir::FunctionPtr self = function.get_contents();
    self.weaken(); // a definition that owned its own func would never be freed
    return ir::Call::make(function.output_types()[element], function.name(), definition.args(),
                          ir::Call::Halide, self, static_cast<int>(element));
  }
  // The loops of the definition, as variables: its own dimensions and those of its reduction.
  std::vector<Expr> loops() const {
    std::vector<Expr> all;
    for (const Expr &arg : definition.args())
      if (arg.as<ir::Variable>()) all.push_back(arg);
    for (const ir::ReductionVariable &variable : definition.schedule().rvars())
      all.push_back(ir::Variable::make(Halide::Int(32), variable.var));
    return all;
  }
};

bool isRead(const ir::Call *call) {
  return call->call_type == ir::Call::Halide || call->call_type == ir::Call::Image;
}

class HasRead : public ir::IRVisitor {
public:
  bool found = false;

private:
  using IRVisitor::visit;
  void visit(const ir::Call *op) override {
    found = found || isRead(op);
    IRVisitor::visit(op);
  }
};

bool hasRead(const Expr &expr) {
  HasRead visitor;
  expr.accept(&visitor);
  return visitor.found;
}

// Replaces one of the expressions that `replacement` has an answer for: the n-th. Counts them all.
class ReplaceOne : public ir::IRMutator {
public:
  using Replacement = std::function<Expr(const Expr &)>; // undefined: not a place for this fault
  ReplaceOne(Replacement replacement, int which)
      : m_replacement(std::move(replacement)), m_which(which) {}

  using IRMutator::mutate;
  Expr mutate(const Expr &expr) override {
    if (!expr.defined()) return expr;
    if (const Expr other = m_replacement(expr); other.defined() && m_count++ == m_which)
      return other;
    return IRMutator::mutate(expr);
  }
  int count() const { return m_count; }

private:
  const Replacement m_replacement;
  const int m_which;
  int m_count = 0;
};

// Replaces a random one of the places in the definition's values.
bool replaceOne(Place &place, const ReplaceOne::Replacement &replacement, Random &random) {
  ReplaceOne counting(replacement, -1);
  for (const Expr &value : place.definition.values())
    (void)counting.mutate(value);
  if (counting.count() == 0) return false;
  ReplaceOne replacing(replacement, pick(random, 0, counting.count() - 1));
  for (Expr &value : place.definition.values())
    value = replacing.mutate(value);
  return true;
}

// The loop that an index follows with an offset, such as x in x + 1 or in x + r; undefined for x
// alone and for what is no stencil.
Expr stencilLoop(const Expr &index, const std::vector<Expr> &loops) {
  for (const Expr &loop : loops) {
    const auto *variable = loop.as<ir::Variable>();
    if (!ir::expr_uses_var(index, variable->name)) continue;
    const Expr offset = ir::simplify(index - loop);
    if (!ir::is_const_zero(offset)) return loop;
  }
  return {};
}

bool plantHalo(Place &place, Random &random) {
  const int tile = 8 << pick(random, 0, 2);
  const bool isLast = pick(random, 0, 1) == 1;
  const std::vector<Expr> loops = place.loops();
  return replaceOne(
      place,
      [&](const Expr &expr) -> Expr {
        const auto *call = expr.as<ir::Call>();
        if (!call || !isRead(call)) return {};
        for (const Expr &index : call->args)
          if (const Expr loop = stencilLoop(index, loops); loop.defined())
            return Halide::select(loop % tile == (isLast ? tile - 1 : 0), nothing(expr.type()),
                                  expr);
        return {};
      },
      random);
}

bool plantTail(Place &place, Random &random) {
  const std::vector<Expr> &args = place.definition.args();
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < args.size(); ++d)
    if (args[d].as<ir::Variable>() && place.region[d].bounded() && place.region[d].extent() > 1)
      dims.push_back(d);
  if (dims.empty()) return false;
  const std::size_t d =
      dims[static_cast<std::size_t>(pick(random, 0, static_cast<int>(dims.size()) - 1))];
  const std::int64_t tile = 4 << pick(random, 0, 3);
  const std::int64_t whole = place.region[d].extent() / tile * tile;
  if (whole == place.region[d].extent()) return false;
  const auto begin = static_cast<int>(place.region[d].min + whole);
  std::vector<Expr> &values = place.definition.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        Halide::select(args[d] >= begin,
                       place.isUpdate() ? place.oldValue(i) : nothing(values[i].type()), values[i]);
  return true;
}

// The indices of a load with neighbours swapped along two dimensions. They stay in the region of
// what is loaded.
std::vector<Expr> swapped(const std::vector<Expr> &args, const pipeline::Box &region) {
  std::vector<Expr> other = args;
  if (args.size() > 1) {
    other[0] = args[0] - args[0] % 2 + args[1] % 2;
    other[1] = args[1] - args[1] % 2 + args[0] % 2;
  } else {
    other[0] = args[0] - Halide::select(args[0] % 4 == 3, 1, 0);
  }
  for (std::size_t d = 0; d < std::min<std::size_t>(2, args.size()); ++d)
    other[d] =
        Halide::clamp(other[d], static_cast<int>(region[d].min), static_cast<int>(region[d].max));
  return other;
}

bool isBounded(const pipeline::Box &region) {
  return std::ranges::all_of(region, [](const pipeline::Interval &side) { return side.bounded(); });
}

using Regions = std::map<std::string, pipeline::Box>;

// The regions of all funcs and inputs at this size.
Regions regionsOf(const PreparedPipeline &prepared) {
  Regions regions;
  for (std::size_t f = 0; f < prepared.raw.funcs.size(); ++f)
    regions.emplace(prepared.raw.funcs[f].function.name(), prepared.regions.funcs[f]);
  for (std::size_t i = 0; i < prepared.raw.inputs.size(); ++i) {
    pipeline::Box box;
    for (const pipeline::Estimate &dim : prepared.estimates.inputs[i].dims)
      box.push_back(dim.range);
    regions.emplace(prepared.raw.inputs[i].name, box);
    regions.emplace(prepared.raw.inputs[i].stagingFunc, box); // through which the file reads it
  }
  return regions;
}

bool plantIndex(Place &place, const Regions &regions, Random &random) {
  return replaceOne(
      place,
      [&](const Expr &expr) -> Expr {
        const auto *call = expr.as<ir::Call>();
        if (!call || !isRead(call) || call->args.empty()) return {};
        const auto region = regions.find(call->name);
        if (region == regions.end() || region->second.size() != call->args.size() ||
            !isBounded(region->second))
          return {};
        return ir::Call::make(call->type, call->name, swapped(call->args, region->second),
                              call->call_type, call->func, call->value_index, call->image,
                              call->param);
      },
      random);
}

// A sum without one of its terms, which is a load or made of loads.
bool plantTap(Place &place, Random &random) {
  const bool dropsFirst = pick(random, 0, 1) == 1;
  const auto without = [&](const auto *op) -> Expr {
    if (!op || !hasRead(op->a) || !hasRead(op->b)) return {};
    return dropsFirst ? op->b : op->a;
  };
  return replaceOne(
      place,
      [&](const Expr &expr) -> Expr {
        for (const Expr &other : {without(expr.as<ir::Add>()), without(expr.as<ir::Sub>()),
                                  without(expr.as<ir::Max>()), without(expr.as<ir::Min>())})
          if (other.defined()) return other;
        return {};
      },
      random);
}

// Leaves out the iterations of an update where the condition holds.
void leaveOut(Place &place, const Expr &condition) {
  std::vector<Expr> &values = place.definition.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = Halide::select(condition, place.oldValue(i), values[i]);
}

bool plantStep(Place &place, Random &random) {
  const std::vector<ir::ReductionVariable> &variables = place.definition.schedule().rvars();
  if (!place.isUpdate() || variables.empty()) return false;
  const ir::ReductionVariable &variable =
      variables[static_cast<std::size_t>(pick(random, 0, static_cast<int>(variables.size()) - 1))];
  const Expr loop = ir::Variable::make(Halide::Int(32), variable.var);
  const Expr last = variable.min + variable.extent - 1;
  leaveOut(place, loop == (pick(random, 0, 1) ? variable.min : last));
  return true;
}

// A sum of the loops with odd factors, so that the iterations that lose are spread.
Expr spread(const std::vector<Expr> &loops) {
  Expr sum = 0;
  int factor = 3;
  for (const Expr &loop : loops)
    sum = sum + loop * std::exchange(factor, factor + 4);
  return sum;
}

bool plantRace(Place &place, Random &random) {
  const std::vector<Expr> loops = place.loops();
  if (loops.empty()) return false;
  const int period = 8 << pick(random, 0, 2);
  const Expr isLost = spread(loops) % period == pick(random, 0, period - 1);
  if (place.isUpdate() && !place.definition.schedule().rvars().empty()) {
    leaveOut(place, isLost);
    return true;
  }
  return replaceOne(
      place,
      [&](const Expr &expr) -> Expr {
        const auto *call = expr.as<ir::Call>();
        if (!call || call->call_type != ir::Call::Halide) return {};
        return Halide::select(isLost, nothing(expr.type()), expr);
      },
      random);
}

std::vector<ir::Function> functionsOf(const Halide::Pipeline &pipeline) {
  std::vector<ir::Function> outputs, all;
  for (const Halide::Func &output : pipeline.outputs())
    outputs.push_back(output.function());
  for (const auto &[name, function] : ir::build_environment(outputs))
    all.push_back(function);
  return all;
}

} // namespace

std::string_view name(Fault fault) {
  constexpr std::array<std::string_view, 6> kNames{"halo", "tail", "index", "tap", "step", "race"};
  return kNames[static_cast<std::size_t>(fault)];
}

std::optional<std::string> plant(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                                 Fault fault, Random &random) {
  std::vector<ir::Function> functions = functionsOf(pipeline);
  ir::Function function =
      functions[static_cast<std::size_t>(pick(random, 0, static_cast<int>(functions.size()) - 1))];
  const Regions regions = regionsOf(prepared);
  const auto region = regions.find(function.name());
  if (region == regions.end() || !function.has_pure_definition()) return std::nullopt;
  const auto stage =
      static_cast<std::size_t>(pick(random, 0, static_cast<int>(function.updates().size())));
  Place place{function,
              stage == 0 ? function.definition() : function.update(static_cast<int>(stage) - 1),
              stage, region->second};
  const bool isPlanted = [&] {
    switch (fault) {
    case Fault::Halo:
      return plantHalo(place, random);
    case Fault::Tail:
      return plantTail(place, random);
    case Fault::Index:
      return plantIndex(place, regions, random);
    case Fault::Tap:
      return plantTap(place, random);
    case Fault::Step:
      return plantStep(place, random);
    case Fault::Race:
      return plantRace(place, random);
    }
    return false;
  }();
  if (!isPlanted) return std::nullopt;
  return std::string(name(fault)) + " in " + function.name() + " stage " + std::to_string(stage);
}

} // namespace tessera::halide::testing
