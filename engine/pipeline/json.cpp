// SPDX-License-Identifier: MIT
#include "engine/pipeline/json.h"

#include <nlohmann/json.hpp>

namespace tessera::pipeline {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::int64_t value) {
  const bool infinite = value == kMinusInfinity || value == kPlusInfinity;
  return infinite ? Json(nullptr) : Json(value);
}

Json toJson(const Interval &interval) {
  return Json::array({number(interval.min), number(interval.max)});
}

template <typename Range, typename Convert>
Json list(const Range &range, Convert convert) {
  Json array = Json::array();
  for (const auto &item : range)
    array.push_back(convert(item));
  return array;
}

Json toJson(const Box &box) {
  return list(box, [](const Interval &side) { return toJson(side); });
}

Json toJson(const Estimate &estimate) {
  if (estimate.source == EstimateSource::None)
    return {{"min", nullptr}, {"extent", nullptr}, {"source", name(estimate.source)}};
  Json json{{"min", number(estimate.range.min)},
            {"extent", estimate.range.extent()},
            {"source", name(estimate.source)}};
  if (estimate.fixed) json["fixed"] = true;
  if (estimate.fixedMin) json["fixed_min"] = true;
  return json;
}

Json toJson(Producer producer) {
  const bool isFunc = producer.kind == Producer::Kind::Func;
  return {{isFunc ? "func" : "input", producer.index}};
}

// Members with their default value are left out, since a stencil pipeline has thousands of atoms.
Json toJson(const Atom &atom) {
  Json json = Json::object();
  if (atom.scale != 1) json["scale"] = atom.scale;
  json["terms"] = list(atom.terms, [](const AffineTerm &term) {
    return Json::array({term.loop, term.coefficient});
  });
  if (atom.offset != Interval{0, 0}) json["offset"] = toJson(atom.offset);
  if (atom.divisor != 1) json["divisor"] = atom.divisor;
  if (atom.clamp != kEverything) json["clamp"] = toJson(atom.clamp);
  return json;
}

std::string_view precisionName(Precision precision) {
  switch (precision) {
  case Precision::Exact:
    return "exact";
  case Precision::Covers:
    return "covers";
  case Precision::Whole:
    break;
  }
  return "whole";
}

Json toJson(const IndexMap &map) {
  Json json = Json::object();
  json["atoms"] = list(map.atoms, [](const Atom &atom) { return toJson(atom); });
  if (map.offset != Interval{0, 0}) json["offset"] = toJson(map.offset);
  json["precision"] = precisionName(map.precision);
  if (!map.reason.empty()) json["reason"] = map.reason;
  if (map.decidedBy) json["decided_by"] = *map.decidedBy;
  if (map.fixed) json["fixed"] = true;
  return json;
}

Json toJson(const std::vector<IndexMap> &maps) {
  return list(maps, [](const IndexMap &map) { return toJson(map); });
}

Json toJson(const Access &access) {
  Json json = Json::object();
  json["producer"] = toJson(access.producer);
  json["element"] = access.tupleElement;
  json["count"] = access.count;
  if (access.different != 1) json["different"] = access.different;
  json["indices"] = toJson(access.indices);
  return json;
}

Json toJson(const Input &input) {
  Json json = Json::object();
  json["name"] = input.name;
  json["type"] = toString(input.type);
  json["kind"] = input.isScalar ? "scalar" : "buffer";
  if (input.isScalar) {
    json["estimate"] =
        input.scalarSource == EstimateSource::None ? Json(nullptr) : Json(input.scalarEstimate);
    json["source"] = name(input.scalarSource);
  } else {
    json["dims"] = list(input.dims, [](const Estimate &dim) { return toJson(dim); });
  }
  if (!input.stagingFunc.empty()) json["staging_func"] = input.stagingFunc;
  return json;
}

Json toJson(const Func &func) {
  Json json = Json::object();
  json["name"] = func.name;
  json["types"] = list(func.types, [](ScalarType type) { return Json(toString(type)); });
  json["args"] = func.args;
  json["region"] = toJson(func.region);
  json["first_stage"] = index(func.firstStage);
  json["stage_count"] = func.stageCount;
  json["output"] = func.isOutput;
  if (!func.bounded.empty()) json["bounded"] = func.bounded;
  if (func.boundsIndices) json["bounds_indices"] = true;
  if (func.externCall)
    json["extern"] = {{"function", func.externCall->function},
                      {"device_api", func.externCall->deviceApi}};
  if (func.externCall && func.externCall->takesContext) json["extern"]["takes_context"] = true;
  if (!func.handed.empty())
    json["handed"] = list(func.handed, [](const Estimate &dim) { return toJson(dim); });
  return json;
}

Json toJson(const std::vector<OpCount> &operations) {
  return list(operations, [](const OpCount &op) {
    return Json{{"kind", name(op.kind)}, {"type", toString(op.type)}, {"count", op.count}};
  });
}

Json toJson(const std::vector<SteadyOps> &steady) {
  return list(steady, [](const SteadyOps &one) {
    return Json{{"loops", one.loops}, {"operations", toJson(one.operations)}};
  });
}

Json toJson(const Folded &folded) {
  Json json{
      {"loop", folded.loop}, {"values", folded.values}, {"operations", toJson(folded.operations)}};
  if (!folded.steady.empty()) json["steady"] = toJson(folded.steady);
  json["loads"] = list(folded.loads, [](const Folded::Loads &loads) {
    return Json{{"producer", toJson(loads.producer)}, {"count", loads.count}};
  });
  return json;
}

Json toJson(const std::vector<Remark> &remarks) {
  return list(remarks, [](const Remark &remark) {
    return Json{{"subject", remark.subject}, {"text", remark.text}};
  });
}

Json toJson(const EstimateConflicts &conflicts) {
  return {{"found", toJson(conflicts.found)},
          {"fit", list(conflicts.fit, [](const NamedSize &fit) {
             return Json{{"name", fit.name}, {"size", toJson(fit.size)}};
           })}};
}

Json toJson(const Edge &edge, const Pipeline &pipeline) {
  Json json = Json::object();
  json["from"] = pipeline.producerName(edge.producer);
  json["to"] = pipeline.stageName(edge.consumer);
  json["producer"] = toJson(edge.producer);
  json["consumer"] = index(edge.consumer);
  json["loads"] = edge.loads;
  json["maps"] = list(edge.maps, [](const std::vector<IndexMap> &maps) { return toJson(maps); });
  return json;
}

Json toJson(const Expression &expression) {
  return {{"nodes", list(expression.nodes,
                         [](const NodeCount &node) {
                           return Json{{"kind", name(node.kind)},
                                       {"type", toString(node.type)},
                                       {"count", node.count}};
                         })},
          {"branching", expression.branching}};
}

} // namespace

Json toJson(const Stage &stage, const PipelineParts &parts) {
  const std::string &func = parts.funcs[index(stage.func)].name;
  Json json = Json::object();
  json["name"] =
      stage.index == 0 ? func : func + ".update(" + std::to_string(stage.index - 1) + ")";
  json["func"] = index(stage.func);
  json["index"] = stage.index;
  json["definition"] = stage.definition;
  if (!stage.predicate.empty()) json["predicate"] = stage.predicate;
  if (stage.associative) json["associative"] = true;
  if (stage.commutative) json["commutative"] = true;
  json["loops"] = list(stage.loops, [](const LoopDim &loop) {
    Json one{{"name", loop.name},
             {"kind", loop.kind == LoopDim::Kind::Pure ? "pure" : "reduction"},
             {"range", toJson(loop.range)}};
    if (loop.independent) one["independent"] = true;
    if (loop.fixed) one["fixed"] = true;
    return one;
  });
  json["operations"] = toJson(stage.operations);
  if (!stage.steady.empty()) json["steady"] = toJson(stage.steady);
  if (!stage.folded.empty())
    json["folded"] = list(stage.folded, [](const Folded &folded) { return toJson(folded); });
  if (stage.expression) json["expression"] = toJson(*stage.expression);
  json["loads"] = list(stage.loads, [](const Access &load) { return toJson(load); });
  json["store"] = toJson(stage.store);
  return json;
}

Json toJson(const PipelineParts &parts) {
  Json json = Json::object();
  json["name"] = parts.name;
  json["format"] = "tessera.pipeline";
  json["version"] = 1;
  json["halide_version"] = parts.halideVersion;
  json["inputs"] = list(parts.inputs, [](const Input &input) { return toJson(input); });
  json["outputs"] = list(parts.outputs, [&](const Output &output) {
    return Json{{"func", index(output.func)},
                {"name", index(output.func) < parts.funcs.size()
                             ? parts.funcs[index(output.func)].name
                             : std::string()},
                {"dims", list(output.dims, [](const Estimate &dim) { return toJson(dim); })}};
  });
  json["funcs"] = list(parts.funcs, [](const Func &func) { return toJson(func); });
  json["stages"] = list(parts.stages, [&](const Stage &stage) { return toJson(stage, parts); });
  json["found_schedule"] = list(parts.foundSchedule, [](const FoundSchedule &found) {
    return Json{{"stage", index(found.stage)}, {"directives", found.directives}};
  });
  json["remarks"] = toJson(parts.remarks);
  if (!parts.conflicts.found.empty()) json["conflicts"] = toJson(parts.conflicts);
  return json;
}

Json toJson(const Pipeline &pipeline) {
  Json json = toJson(pipeline.parts());
  Json edges = list(pipeline.edges(), [&](const Edge &edge) { return toJson(edge, pipeline); });
  // Edges are placed next to the stages, where a reader looks for them. The worker's reply leaves
  // them out, because they follow from the loads.
  Json ordered = Json::object();
  for (auto &[key, value] : json.items()) {
    ordered[key] = std::move(value);
    if (key == "stages") ordered["edges"] = std::move(edges);
  }
  return ordered;
}

} // namespace tessera::pipeline
