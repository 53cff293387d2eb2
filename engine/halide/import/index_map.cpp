// SPDX-License-Identifier: MIT
#include "engine/halide/import/index_map.h"

#include "engine/halide/import/index_algebra.h"

#include <algorithm>
#include <optional>

namespace tessera::halide {

namespace {

using Halide::Expr;
using Halide::Internal::Call;
using Maps = IndexEvaluator::Maps;
using pipeline::IndexMap;
using pipeline::Precision;
namespace ir = Halide::Internal;

// Nested selects multiply the alternatives. An index with more than this many is called unknown.
constexpr std::size_t kMaxMaps = 8;

std::optional<std::int64_t> constantIndex(const Expr &e) {
  const auto value = ir::as_const_int(e);
  if (value) return *value;
  const auto positive = ir::as_const_uint(e);
  if (positive && *positive <= static_cast<std::uint64_t>(INT64_MAX))
    return static_cast<std::int64_t>(*positive);
  return std::nullopt;
}

bool isIndexType(const Halide::Type &type) {
  return type.is_scalar() && type.is_int() && type.bits() >= 32;
}

// The reason shown to the user: the data or the arithmetic that makes the index unknown.
std::string reasonFor(const Expr &e) {
  struct FindLoad : ir::IRVisitor {
    using IRVisitor::visit;
    std::string name;
    void visit(const Call *call) override {
      if (name.empty() && (call->call_type == Call::Halide || call->call_type == Call::Image))
        name = call->name;
      IRVisitor::visit(call);
    }
  } find;
  e.accept(&find);
  if (!find.name.empty()) return "depends on data of " + find.name;
  struct FindFloat : ir::IRVisitor {
    using IRVisitor::visit;
    bool found = false;
    void visit(const ir::Cast *cast) override {
      found = found || cast->value.type().is_float();
      IRVisitor::visit(cast);
    }
  } isFloat;
  e.accept(&isFloat);
  return isFloat.found ? "computed in floating point" : "not affine";
}

template <typename Operation>
Maps mapEach(const Maps &maps, Operation operation) {
  Maps result;
  for (const IndexMap &map : maps)
    result.push_back(operation(map));
  return result;
}

// Alternatives that differ only in a constant become one map.
Maps unite(const Maps &a, const Maps &b, const char *reason) {
  Maps result = a;
  for (const IndexMap &map : b) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const IndexMap &other) {
      return algebra::sameShape(map, other);
    });
    if (same == result.end()) {
      result.push_back(map);
      continue;
    }
    *same = algebra::withConstantPart(
        *same, pipeline::hull(algebra::constantPart(*same), algebra::constantPart(map)));
    algebra::degrade(*same, map.precision, map.reason);
  }
  if (reason)
    for (IndexMap &map : result)
      algebra::degrade(map, Precision::Covers, reason);
  return result;
}

} // namespace

pipeline::Interval constantInterval(const ir::Interval &interval) {
  pipeline::Interval result = pipeline::kEverything;
  if (interval.has_lower_bound())
    if (const auto low = constantIndex(ir::simplify(interval.min))) result.min = *low;
  if (interval.has_upper_bound())
    if (const auto high = constantIndex(ir::simplify(interval.max))) result.max = *high;
  return result;
}

IndexEvaluator::IndexEvaluator(const std::vector<pipeline::LoopDim> &loops,
                               const ir::FuncValueBounds &values)
    : m_values(values) {
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const pipeline::LoopDim &loop = loops[i];
    m_loops.emplace(loop.name, static_cast<std::uint32_t>(i));
    if (loop.kind == pipeline::LoopDim::Kind::Reduction && loop.range.bounded())
      m_scope.push(loop.name, ir::Interval(Expr(static_cast<int>(loop.range.min)),
                                           Expr(static_cast<int>(loop.range.max))));
    else
      m_scope.push(loop.name, ir::Interval::everything());
  }
}

void IndexEvaluator::pushLet(const std::string &name, const Expr &value) {
  const ir::Interval bounds = ir::bounds_of_expr_in_scope(value, m_scope, m_values);
  m_lets.push_back(
      {name, isIndexType(value.type()) ? visit(value) : Maps{}, bounds, decidedBy(value)});
  m_scope.push(name, bounds);
}

void IndexEvaluator::popLet() {
  m_scope.pop(m_lets.back().name);
  m_lets.pop_back();
}

Maps IndexEvaluator::evaluate(const Expr &index) {
  Maps maps = visit(index);
  if (maps.size() > kMaxMaps) maps = unknown(index, "too many branches");
  for (IndexMap &map : maps)
    if (map.offset.empty())
      map = algebra::interval(pipeline::kEverything, Precision::Whole, "contradictory bounds");
  for (IndexMap &map : maps)
    if (map.precision == Precision::Whole) {
      map.decidedBy = decidedBy(index);
      map.fixed = map.offset.bounded() && knownRange(index).bounded();
    }
  return maps;
}

std::optional<std::uint32_t> IndexEvaluator::decidedBy(const Expr &e) const {
  struct Collect : ir::IRVisitor {
    using IRVisitor::visit;
    explicit Collect(const IndexEvaluator &of) : evaluator(of) {}
    const IndexEvaluator &evaluator;
    std::map<std::string, std::optional<std::uint32_t>> inner; // lets inside the expression
    std::optional<std::uint32_t> loops = 0;

    void add(std::optional<std::uint32_t> more) {
      loops = loops && more ? std::optional(*loops | *more) : std::nullopt;
    }
    void visit(const ir::Let *let) override {
      inner[let->name] = evaluator.decidedBy(let->value);
      let->body.accept(this);
    }
    void visit(const ir::Variable *variable) override {
      if (const auto let = inner.find(variable->name); let != inner.end()) return add(let->second);
      add(evaluator.decidedByName(variable->name));
    }
    void visit(const Call *call) override {
      if (call->call_type == Call::Halide || call->call_type == Call::Image)
        loops.reset();
      else
        IRVisitor::visit(call);
    }
  } collect(*this);
  e.accept(&collect);
  return collect.loops;
}

std::optional<std::uint32_t> IndexEvaluator::decidedByName(const std::string &name) const {
  for (auto let = m_lets.rbegin(); let != m_lets.rend(); ++let)
    if (let->name == name) return let->decidedBy;
  const auto loop = m_loops.find(name);
  if (loop == m_loops.end() || loop->second >= 32) return std::nullopt;
  return std::uint32_t{1} << loop->second;
}

pipeline::Interval IndexEvaluator::knownRange(const Expr &e) {
  return constantInterval(ir::bounds_of_expr_in_scope(e, m_scope, m_values));
}

Maps IndexEvaluator::unknown(const Expr &e, const std::string &reason) {
  return {algebra::interval(knownRange(e), Precision::Whole, reason)};
}

Maps IndexEvaluator::visit(const Expr &e) {
  if (const auto value = constantIndex(e)) return {algebra::constant(*value)};
  if (const auto *cast = e.as<ir::Cast>()) return visitCast(*cast, e);
  if (!isIndexType(e.type())) return unknown(e, reasonFor(e));
  const auto cross = [&](const Expr &a, const Expr &b, auto operation) {
    const Maps left = visit(a), right = visit(b);
    if (left.size() * right.size() > kMaxMaps) return unknown(e, "too many branches");
    Maps result;
    for (const IndexMap &l : left)
      for (const IndexMap &r : right)
        result.push_back(operation(l, r));
    return result;
  };
  if (const auto *node = e.as<ir::Variable>()) return visitVariable(*node, e);
  if (const auto *node = e.as<ir::Add>()) return cross(node->a, node->b, algebra::add);
  if (const auto *node = e.as<ir::Sub>())
    return cross(node->a, node->b, [](const IndexMap &a, const IndexMap &b) {
      return algebra::add(a, algebra::negate(b));
    });
  if (const auto *node = e.as<ir::Mul>()) return visitProduct(node->a, node->b, e);
  if (const auto *node = e.as<ir::Div>()) {
    const auto divisor = constantIndex(node->b);
    if (!divisor || *divisor == 0) return unknown(e, reasonFor(e));
    const Maps maps = visit(node->a);
    // Halide's division leaves a remainder that is never negative, so a/-c is -(a/c).
    return mapEach(maps, [&](const IndexMap &map) {
      return *divisor > 0 ? algebra::divide(map, *divisor)
                          : algebra::negate(algebra::divide(map, -*divisor));
    });
  }
  if (const auto *node = e.as<ir::Mod>()) {
    const auto modulus = constantIndex(node->b);
    if (!modulus || *modulus == 0) return unknown(e, reasonFor(e));
    return visitModulo(node->a, *modulus < 0 ? -*modulus : *modulus);
  }
  if (const auto *node = e.as<ir::Min>()) return visitMinMax(node->a, node->b, true);
  if (const auto *node = e.as<ir::Max>()) return visitMinMax(node->a, node->b, false);
  if (const auto *node = e.as<ir::Select>())
    return unite(visit(node->true_value), visit(node->false_value), "select");
  if (const auto *node = e.as<ir::Let>()) {
    pushLet(node->name, node->value);
    Maps maps = visit(node->body);
    popLet();
    return maps;
  }
  if (const auto *node = e.as<Call>()) return visitCall(*node, e);
  return unknown(e, reasonFor(e));
}

Maps IndexEvaluator::visitVariable(const ir::Variable &variable, const Expr &e) {
  for (auto let = m_lets.rbegin(); let != m_lets.rend(); ++let)
    if (let->name == variable.name && !let->maps.empty()) return let->maps;
  const auto loop = m_loops.find(variable.name);
  if (loop != m_loops.end()) return {algebra::loop(loop->second)};
  return unknown(e, "depends on " + variable.name);
}

Maps IndexEvaluator::visitProduct(const Expr &a, const Expr &b, const Expr &e) {
  const auto right = constantIndex(b), left = constantIndex(a);
  if (!right && !left) {
    // A factor that is not a constant expression may still have only one possible value.
    const pipeline::Interval rangeA = knownRange(a), rangeB = knownRange(b);
    if (rangeB.bounded() && rangeB.min == rangeB.max)
      return mapEach(visit(a), [&](const IndexMap &m) { return algebra::multiply(m, rangeB.min); });
    if (rangeA.bounded() && rangeA.min == rangeA.max)
      return mapEach(visit(b), [&](const IndexMap &m) { return algebra::multiply(m, rangeA.min); });
    return unknown(e, reasonFor(e));
  }
  const std::int64_t factor = right ? *right : *left;
  return mapEach(visit(right ? a : b),
                 [&](const IndexMap &map) { return algebra::multiply(map, factor); });
}

Maps IndexEvaluator::visitModulo(const Expr &a, std::int64_t modulus) {
  const pipeline::Interval known = knownRange(a);
  Maps result;
  for (const IndexMap &map : visit(a))
    result = unite(result, {algebra::modulo(map, modulus, known)}, nullptr);
  return result;
}

Maps IndexEvaluator::visitMinMax(const Expr &a, const Expr &b, bool isMin) {
  const Maps left = visit(a), right = visit(b);
  const auto point = [](const Maps &maps) {
    const bool one = maps.size() == 1 && maps[0].atoms.empty() && maps[0].offset.bounded();
    return one && maps[0].offset.min == maps[0].offset.max;
  };
  const auto clampBy = [&](const Maps &maps, std::int64_t limit) {
    return mapEach(maps, [&](const IndexMap &map) {
      return isMin ? algebra::atMost(map, limit) : algebra::atLeast(map, limit);
    });
  };
  if (point(right)) return clampBy(left, right[0].offset.min);
  if (point(left)) return clampBy(right, left[0].offset.min);
  if (left.size() == 1 && right.size() == 1 && algebra::sameShape(left[0], right[0])) {
    const pipeline::Interval p = algebra::constantPart(left[0]);
    const pipeline::Interval q = algebra::constantPart(right[0]);
    const pipeline::Interval both =
        isMin ? pipeline::Interval{std::min(p.min, q.min), std::min(p.max, q.max)}
              : pipeline::Interval{std::max(p.min, q.min), std::max(p.max, q.max)};
    IndexMap map = algebra::withConstantPart(left[0], both);
    algebra::degrade(map, right[0].precision, right[0].reason);
    return {map};
  }
  // A minimum or maximum of two indices is always one of the two.
  return unite(left, right, isMin ? "minimum of indices" : "maximum of indices");
}

Maps IndexEvaluator::visitCast(const ir::Cast &cast, const Expr &e) {
  const Halide::Type from = cast.value.type(), to = cast.type;
  // A cast from 64 to 32 bits keeps the value: an overflow of an index is undefined in Halide.
  if (isIndexType(to) && isIndexType(from)) return visit(cast.value);
  if (!isIndexType(to) || from.is_float() || !from.is_scalar()) return unknown(e, reasonFor(e));
  // Narrow arithmetic may wrap, which a map cannot express. So only a cast of a wide index to a
  // narrow type and back is followed, and only if every value of the index fits the narrow type.
  if (const auto *inner = cast.value.as<ir::Cast>(); inner && isIndexType(inner->value.type())) {
    const pipeline::Interval range = knownRange(inner->value);
    const bool fits = range.bounded() && inner->type.can_represent(range.min) &&
                      inner->type.can_represent(range.max);
    if (fits) return visit(inner->value);
    return unknown(e, "cast to " + std::string(inner->type.is_uint() ? "uint" : "int") +
                          std::to_string(inner->type.bits()));
  }
  return unknown(e, reasonFor(e));
}

Maps IndexEvaluator::visitCall(const Call &call, const Expr &e) {
  if (call.is_intrinsic({Call::likely, Call::likely_if_innermost}) && call.args.size() == 1)
    return visit(call.args[0]);
  if (call.is_intrinsic({Call::promise_clamped, Call::unsafe_promise_clamped}) &&
      call.args.size() == 3) {
    // Bounds that are not constant promise nothing that a map could use.
    Maps maps = visit(call.args[0]);
    const auto low = constantIndex(call.args[1]), high = constantIndex(call.args[2]);
    if (low) maps = mapEach(maps, [&](const IndexMap &m) { return algebra::atLeast(m, *low); });
    if (high) maps = mapEach(maps, [&](const IndexMap &m) { return algebra::atMost(m, *high); });
    return maps;
  }
  if (call.is_intrinsic({Call::shift_right, Call::shift_left}) && call.args.size() == 2) {
    const auto bits = constantIndex(call.args[1]);
    if (!bits || *bits < 0 || *bits > 30) return unknown(e, reasonFor(e));
    const std::int64_t factor = std::int64_t{1} << *bits;
    const bool left = call.is_intrinsic(Call::shift_left);
    return mapEach(visit(call.args[0]), [&](const IndexMap &map) {
      return left ? algebra::multiply(map, factor) : algebra::divide(map, factor);
    });
  }
  if (call.is_intrinsic(Call::bitwise_and) && call.args.size() == 2) {
    const auto mask = constantIndex(call.args[1]);
    if (mask && *mask > 0 && ((*mask + 1) & *mask) == 0)
      return visitModulo(call.args[0], *mask + 1);
  }
  if (call.is_intrinsic(Call::if_then_else) && call.args.size() == 3)
    return unite(visit(call.args[1]), visit(call.args[2]), "select");
  if (call.is_intrinsic(Call::return_second) && call.args.size() == 2) return visit(call.args[1]);
  return unknown(e, reasonFor(e));
}

bool isAffine(const Expr &e) {
  if (constantIndex(e)) return true;
  const auto constant = [](const Expr &x) { return constantIndex(x).has_value(); };
  if (e.as<ir::Variable>()) return isIndexType(e.type());
  if (const auto *n = e.as<ir::Add>()) return isAffine(n->a) && isAffine(n->b);
  if (const auto *n = e.as<ir::Sub>()) return isAffine(n->a) && isAffine(n->b);
  if (const auto *n = e.as<ir::Mul>())
    return (constant(n->b) && isAffine(n->a)) || (constant(n->a) && isAffine(n->b));
  if (const auto *n = e.as<ir::Div>()) return constant(n->b) && isAffine(n->a);
  if (const auto *n = e.as<ir::Min>()) return isAffine(n->a) && isAffine(n->b);
  if (const auto *n = e.as<ir::Max>()) return isAffine(n->a) && isAffine(n->b);
  if (const auto *n = e.as<ir::Cast>())
    return isIndexType(n->type) && isIndexType(n->value.type()) && isAffine(n->value);
  if (const auto *n = e.as<Call>()) {
    if (n->is_intrinsic({Call::likely, Call::likely_if_innermost})) return isAffine(n->args[0]);
    if (n->is_intrinsic({Call::shift_right, Call::shift_left}))
      return constant(n->args[1]) && isAffine(n->args[0]);
    if (n->is_intrinsic({Call::promise_clamped, Call::unsafe_promise_clamped}))
      return isAffine(n->args[0]) && constant(n->args[1]) && constant(n->args[2]);
  }
  return false;
}

} // namespace tessera::halide
