// SPDX-License-Identifier: MIT
#include "tests/engine/halide/import/footprint_tally.h"

#include "engine/halide/import/index_map.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace tessera::halide::testing {

namespace {

namespace ir = Halide::Internal;
using pipeline::Box;
using pipeline::Interval;
using pipeline::Precision;

// Whether a stage promises the range of an index, as what rfactor() makes does.
bool promises(const StageSource &source) {
  struct Find : ir::IRVisitor {
    using IRVisitor::visit;
    bool found = false;
    void visit(const ir::Call *call) override {
      IRVisitor::visit(call);
      found |= call->is_intrinsic(ir::Call::promise_clamped) ||
               call->is_intrinsic(ir::Call::unsafe_promise_clamped);
    }
  } find;
  for (const Halide::Expr &e : expressionsOf(source))
    e.accept(&find);
  return find.found;
}

// `beyond`: how far a tile may begin outside of the loop's range, as overlapped tiles do.
std::vector<Interval> randomTile(const std::vector<pipeline::LoopDim> &loops, std::int64_t beyond,
                                 std::mt19937_64 &random) {
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  std::vector<Interval> tile;
  for (const pipeline::LoopDim &loop : loops) {
    if (loop.kind == pipeline::LoopDim::Kind::Reduction) {
      const std::int64_t low = pick(loop.range.min, loop.range.max);
      tile.push_back(pick(0, 1) ? loop.range : Interval{low, pick(low, loop.range.max)});
    } else {
      const std::int64_t low = pick(loop.range.min - beyond, loop.range.max + beyond);
      const std::int64_t high = low + pick(0, pick(0, 1) ? 7 : 70);
      tile.push_back({low, beyond > 0 ? high : std::min(high, loop.range.max)});
    }
  }
  return tile;
}

// Tells for each producer whether every index of every load is affine. Halide puts common parts of
// a definition into lets, so a let can be affine too.
class AffineLoads : public ir::IRVisitor {
public:
  std::map<std::string, bool> affine;

private:
  using IRVisitor::visit;
  void visit(const ir::Let *let) override {
    let->value.accept(this);
    m_lets[let->name] = isAffineHere(let->value);
    let->body.accept(this);
  }
  void visit(const ir::Call *call) override {
    IRVisitor::visit(call);
    if (call->call_type != ir::Call::Halide && call->call_type != ir::Call::Image) return;
    bool &all = affine.emplace(call->name, true).first->second;
    for (const Halide::Expr &arg : call->args)
      all = all && isAffineHere(arg);
  }

  bool isAffineHere(const Halide::Expr &e) const {
    if (!isAffine(e)) return false;
    struct Names : ir::IRVisitor {
      using IRVisitor::visit;
      std::set<std::string> found;
      void visit(const ir::Variable *v) override { found.insert(v->name); }
    } names;
    e.accept(&names);
    for (const std::string &name : names.found)
      if (const auto let = m_lets.find(name); let != m_lets.end() && !let->second) return false;
    return true;
  }

  std::map<std::string, bool> m_lets;
};

std::string text(const Box &box) {
  std::ostringstream out;
  for (const Interval &side : box) {
    out << "[";
    side.min == pipeline::kMinusInfinity ? out << "-inf" : out << side.min;
    out << ",";
    side.max == pipeline::kPlusInfinity ? out << "inf" : out << side.max;
    out << "]";
  }
  return out.str();
}

// The result of the comparison for one edge, over all tiles.
struct Verdict {
  bool exact = true;
  Precision worst = Precision::Exact;
  bool tighter = false;
  std::string reason, mismatch, inexact;
};

class Comparison {
public:
  Comparison(const PreparedPipeline &prepared, const pipeline::PipelineParts &parts)
      : m_prepared(prepared), m_parts(parts) {}

  FootprintTally stage(std::size_t index, int tiles, std::mt19937_64 &random) {
    const pipeline::Stage &stage = m_parts.stages[index];
    const StageSource &source =
        m_prepared.resolved.funcs[pipeline::index(stage.func)].stages[stage.index];
    std::map<std::string, std::vector<const pipeline::Access *>> byProducer;
    for (const pipeline::Access &load : stage.loads)
      byProducer[nameOf(load)].push_back(&load);
    std::map<std::string, Verdict> verdicts;
    // Outside of its range an index breaks its promise, and Halide's box means nothing.
    const std::int64_t beyond = promises(source) ? 0 : 9;
    for (int t = 0; t < tiles; ++t) {
      const std::vector<Interval> tile = randomTile(stage.loops, beyond, random);
      const auto theirs = requiredBoxes(source, stage.loops, tile, m_prepared.resolved.values);
      for (const auto &[name, loads] : byProducer) {
        const auto box = theirs.find(name);
        judge(verdicts[name], source, stage, loads, tile,
              box == theirs.end() ? nullptr : &box->second);
      }
      for (const auto &[name, box] : theirs)
        if (!byProducer.count(name)) verdicts[name].mismatch = "Halide reads it and we do not";
    }
    return tally(source, verdicts);
  }

private:
  std::string nameOf(const pipeline::Access &load) const {
    return load.producer.kind == pipeline::Producer::Kind::Func
               ? m_parts.funcs[load.producer.index].name
               : m_parts.inputs[load.producer.index].name;
  }

  // Returns the indices in one dimension of all loads of `name`, where `point` has one value for
  // each loop. Indices that depend on data are left out.
  static std::vector<std::int64_t> indicesAt(const StageSource &source,
                                             const pipeline::Stage &stage, const std::string &name,
                                             std::size_t dim, const std::vector<Interval> &point) {
    struct Find : ir::IRVisitor {
      using IRVisitor::visit;
      std::string name;
      std::size_t dim = 0;
      std::vector<std::int64_t> found;
      void visit(const ir::Call *call) override {
        IRVisitor::visit(call);
        if (call->name != name || dim >= call->args.size()) return;
        if (const auto value = ir::as_const_int(call->args[dim])) found.push_back(*value);
      }
    } find;
    find.name = name;
    find.dim = dim;
    std::map<std::string, Halide::Expr> values;
    for (std::size_t i = 0; i < point.size(); ++i)
      values[stage.loops[i].name] = Halide::Expr(static_cast<int>(point[i].min));
    for (const Halide::Expr &e : expressionsOf(source))
      ir::simplify(ir::substitute(values, e)).accept(&find);
    return find.found;
  }

  // Halide adds intervals as if they were independent, so its box can be too wide. If the engine's
  // box lies inside Halide's, this compares it with the indices at the points of the tile.
  bool rightAtPoints(const StageSource &source, const pipeline::Stage &stage,
                     const pipeline::Producer &producer, std::size_t dim,
                     const std::vector<Interval> &tile, const Interval &ours) const {
    const std::string name = producer.kind == pipeline::Producer::Kind::Func
                                 ? m_parts.funcs[producer.index].name
                                 : m_parts.inputs[producer.index].name;
    std::mt19937_64 random(7);
    for (int i = 0; i < 24; ++i) {
      std::vector<Interval> point;
      for (const Interval &side : tile) {
        const auto at =
            i < 2 ? (i ? side.max : side.min)
                  : std::uniform_int_distribution<std::int64_t>(side.min, side.max)(random);
        point.push_back({at, at});
      }
      for (const std::int64_t index : indicesAt(source, stage, name, dim, point))
        if (!ours.contains({index, index})) return false;
    }
    return true;
  }

  void judge(Verdict &verdict, const StageSource &source, const pipeline::Stage &stage,
             const std::vector<const pipeline::Access *> &loads, const std::vector<Interval> &tile,
             const Box *theirs) const {
    const std::size_t dims = loads.front()->indices.size();
    Box ours(dims);
    for (std::size_t d = 0; d < dims; ++d)
      for (const pipeline::Access *load : loads)
        ours[d] = ours[d].empty() ? evaluate(load->indices[d], tile)
                                  : pipeline::hull(ours[d], evaluate(load->indices[d], tile));
    for (std::size_t d = 0; d < dims; ++d) {
      if (theirs && ours[d] == (*theirs)[d]) continue;
      // If Halide's interval is empty, the tile breaks a promise_clamped(). Then there is nothing
      // to compare.
      if (theirs && (*theirs)[d].empty()) continue;
      if (theirs && (*theirs)[d].contains(ours[d]) &&
          rightAtPoints(source, stage, loads.front()->producer, d, tile, ours[d])) {
        verdict.tighter = true;
        continue;
      }
      const std::string difference = "tile " + text(tile) + " ours " + text(ours) + " Halide's " +
                                     (theirs ? text(*theirs) : "nothing") + " dim " +
                                     std::to_string(d);
      if (verdict.inexact.empty()) verdict.inexact = difference;
      verdict.exact = false;
      Precision worst = Precision::Exact;
      std::string reason;
      for (const pipeline::Access *load : loads)
        if (load->indices[d].precision > worst) {
          worst = load->indices[d].precision;
          reason = load->indices[d].reason;
        }
      if (!theirs && worst == Precision::Exact) {
        worst = Precision::Covers;
        reason = "not read in some tiles";
      }
      if (worst > verdict.worst) {
        verdict.worst = worst;
        verdict.reason = reason;
      }
      const bool contains = !theirs || ours[d].contains((*theirs)[d]);
      if ((!contains || worst == Precision::Exact) && verdict.mismatch.empty())
        verdict.mismatch = difference;
    }
  }

  std::string describe(const StageSource &source, const std::string &name,
                       const std::string &what) const {
    std::ostringstream out;
    out << m_prepared.resolved.stageName(source) << " reads " << name << ": " << what << " in";
    for (const Halide::Expr &e : expressionsOf(source))
      out << " " << e << ";";
    return out.str();
  }

  FootprintTally tally(const StageSource &source, const std::map<std::string, Verdict> &verdicts) {
    AffineLoads loads;
    for (const Halide::Expr &e : expressionsOf(source))
      e.accept(&loads);
    FootprintTally result;
    for (const auto &[name, verdict] : verdicts) {
      const bool affine = loads.affine[name];
      ++result.edges;
      result.affineEdges += affine;
      if (!verdict.mismatch.empty()) {
        result.mismatches.push_back(describe(source, name, verdict.mismatch));
      } else if (verdict.exact) {
        ++result.exact;
        result.tighter += verdict.tighter;
        result.affineExact += affine;
      } else {
        if (affine) result.inexactAffine.push_back(describe(source, name, verdict.inexact));
        ++(verdict.worst == Precision::Whole ? result.whole : result.covers)[verdict.reason];
      }
    }
    return result;
  }

  const PreparedPipeline &m_prepared;
  const pipeline::PipelineParts &m_parts;
};

} // namespace

void FootprintTally::add(const FootprintTally &other) {
  edges += other.edges;
  affineEdges += other.affineEdges;
  exact += other.exact;
  tighter += other.tighter;
  inexactAffine.insert(inexactAffine.end(), other.inexactAffine.begin(), other.inexactAffine.end());
  affineExact += other.affineExact;
  for (const auto &[reason, n] : other.covers)
    covers[reason] += n;
  for (const auto &[reason, n] : other.whole)
    whole[reason] += n;
  mismatches.insert(mismatches.end(), other.mismatches.begin(), other.mismatches.end());
}

FootprintTally compareFootprints(const PreparedPipeline &prepared,
                                 const pipeline::PipelineParts &parts, int tilesPerStage,
                                 std::mt19937_64 &random) {
  FootprintTally total;
  Comparison comparison(prepared, parts);
  for (std::size_t s = 0; s < parts.stages.size(); ++s)
    total.add(comparison.stage(s, tilesPerStage, random));
  return total;
}

} // namespace tessera::halide::testing
