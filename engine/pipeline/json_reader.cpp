// SPDX-License-Identifier: MIT
#include "engine/pipeline/json.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <stdexcept>

namespace tessera::pipeline {
namespace {

using Json = nlohmann::json;

// Thrown inside this file only: pipelineFromJson() turns it into an Error.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const Json &member(const Json &object, const char *key) {
  if (!object.is_object()) throw Malformed(std::string("there is no object around '") + key + "'");
  const auto found = object.find(key);
  if (found == object.end()) throw Malformed(std::string("'") + key + "' is missing");
  return *found;
}

std::string text(const Json &value, const char *what) {
  if (!value.is_string()) throw Malformed(std::string("'") + what + "' is not a string");
  return value.get<std::string>();
}

std::string textMember(const Json &object, const char *key) {
  return text(member(object, key), key);
}

std::string optionalText(const Json &object, const char *key) {
  return object.contains(key) ? textMember(object, key) : std::string();
}

bool flagMember(const Json &object, const char *key) {
  const Json &value = member(object, key);
  if (!value.is_boolean()) throw Malformed(std::string("'") + key + "' is neither true nor false");
  return value.get<bool>();
}

bool optionalFlag(const Json &object, const char *key) {
  return object.contains(key) && flagMember(object, key);
}

std::int64_t integer(const Json &value, const char *what) {
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() ||
                     value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kPlusInfinity));
  if (!fits) throw Malformed(std::string("'") + what + "' is not an integer");
  return value.get<std::int64_t>();
}

std::uint32_t id(const Json &value, const char *what) {
  const std::int64_t number = integer(value, what);
  if (number < 0 || number > std::numeric_limits<std::uint32_t>::max())
    throw Malformed(std::string("'") + what + "' is out of range");
  return static_cast<std::uint32_t>(number);
}

std::uint32_t idMember(const Json &object, const char *key) { return id(member(object, key), key); }

template <typename T, typename Convert>
std::vector<T> list(const Json &value, const char *what, Convert convert) {
  if (!value.is_array()) throw Malformed(std::string("'") + what + "' is not a list");
  std::vector<T> items;
  items.reserve(value.size());
  for (const Json &item : value)
    items.push_back(convert(item));
  return items;
}

template <typename T, typename Convert>
std::vector<T> listMember(const Json &object, const char *key, Convert convert) {
  return list<T>(member(object, key), key, convert);
}

Interval interval(const Json &value) {
  if (!value.is_array() || value.size() != 2) throw Malformed("an interval is not a pair");
  return {value[0].is_null() ? kMinusInfinity : integer(value[0], "interval"),
          value[1].is_null() ? kPlusInfinity : integer(value[1], "interval")};
}

template <typename T>
T named(const Json &object, const char *key, std::optional<T> (*fromName)(std::string_view)) {
  const std::string word = textMember(object, key);
  if (const std::optional<T> value = fromName(word)) return *value;
  throw Malformed(std::string("'") + word + "' is not a known " + key);
}

ScalarType scalarType(const Json &value) {
  const std::string word = text(value, "type");
  if (const std::optional<ScalarType> type = scalarTypeFromString(word)) return *type;
  throw Malformed("'" + word + "' is not a known type");
}

Estimate estimate(const Json &value) {
  Estimate result;
  result.source = named(value, "source", estimateSourceFromName);
  if (result.source == EstimateSource::None) return {kEverything, EstimateSource::None};
  const std::int64_t min = integer(member(value, "min"), "min");
  const std::int64_t extent = integer(member(value, "extent"), "extent");
  constexpr std::int64_t kLimit = std::int64_t{1} << 40;
  if (extent < 0 || extent > kLimit || min < -kLimit || min > kLimit)
    throw Malformed("an estimate is out of range");
  result.range = {min, min + extent - 1};
  result.fixed = optionalFlag(value, "fixed");
  result.fixedMin = optionalFlag(value, "fixed_min");
  return result;
}

Producer producer(const Json &value) {
  if (value.is_object() && value.contains("func"))
    return {Producer::Kind::Func, idMember(value, "func")};
  return {Producer::Kind::Input, idMember(value, "input")};
}

AffineTerm term(const Json &value) {
  if (!value.is_array() || value.size() != 2) throw Malformed("a term is not a pair");
  return {id(value[0], "loop"), integer(value[1], "coefficient")};
}

Atom atom(const Json &value) {
  Atom result;
  result.terms = listMember<AffineTerm>(value, "terms", term);
  if (value.contains("scale")) result.scale = integer(value["scale"], "scale");
  if (value.contains("offset")) result.offset = interval(value["offset"]);
  if (value.contains("divisor")) result.divisor = integer(value["divisor"], "divisor");
  if (value.contains("clamp")) result.clamp = interval(value["clamp"]);
  return result;
}

std::optional<Precision> precisionFromName(std::string_view word) {
  if (word == "exact") return Precision::Exact;
  if (word == "covers") return Precision::Covers;
  if (word == "whole") return Precision::Whole;
  return std::nullopt;
}

IndexMap indexMap(const Json &value) {
  IndexMap result;
  result.atoms = listMember<Atom>(value, "atoms", atom);
  if (value.contains("offset")) result.offset = interval(value["offset"]);
  result.precision = named(value, "precision", precisionFromName);
  result.reason = optionalText(value, "reason");
  if (value.contains("decided_by")) result.decidedBy = idMember(value, "decided_by");
  result.fixed = optionalFlag(value, "fixed");
  return result;
}

Access access(const Json &value) {
  Access result{producer(member(value, "producer")),
                listMember<IndexMap>(value, "indices", indexMap), idMember(value, "element"),
                idMember(value, "count")};
  if (value.contains("different")) result.different = idMember(value, "different");
  return result;
}

Input input(const Json &value) {
  Input result;
  result.name = textMember(value, "name");
  result.type = scalarType(member(value, "type"));
  const std::string kind = textMember(value, "kind");
  if (kind != "scalar" && kind != "buffer")
    throw Malformed("'" + kind + "' is not a known kind of input");
  result.isScalar = kind == "scalar";
  if (result.isScalar) {
    result.scalarSource = named(value, "source", estimateSourceFromName);
    if (result.scalarSource != EstimateSource::None)
      result.scalarEstimate = textMember(value, "estimate");
  } else {
    result.dims = listMember<Estimate>(value, "dims", estimate);
  }
  result.stagingFunc = optionalText(value, "staging_func");
  return result;
}

Func func(const Json &value) {
  Func result;
  result.name = textMember(value, "name");
  result.types = listMember<ScalarType>(value, "types", scalarType);
  result.args =
      listMember<std::string>(value, "args", [](const Json &v) { return text(v, "args"); });
  result.region = listMember<Interval>(value, "region", interval);
  result.firstStage = static_cast<StageId>(idMember(value, "first_stage"));
  result.stageCount = idMember(value, "stage_count");
  result.isOutput = flagMember(value, "output");
  if (value.contains("bounded"))
    result.bounded =
        listMember<std::string>(value, "bounded", [](const Json &v) { return text(v, "bounded"); });
  result.boundsIndices = optionalFlag(value, "bounds_indices");
  if (value.contains("extern"))
    result.externCall = ExternCall{textMember(value["extern"], "function"),
                                   textMember(value["extern"], "device_api"),
                                   optionalFlag(value["extern"], "takes_context")};
  if (value.contains("handed")) result.handed = listMember<Estimate>(value, "handed", estimate);
  return result;
}

LoopDim loop(const Json &value) {
  const std::string kind = textMember(value, "kind");
  if (kind != "pure" && kind != "reduction")
    throw Malformed("'" + kind + "' is not a known kind of loop");
  return {textMember(value, "name"),
          kind == "pure" ? LoopDim::Kind::Pure : LoopDim::Kind::Reduction,
          interval(member(value, "range")), optionalFlag(value, "independent"),
          optionalFlag(value, "fixed")};
}

OpCount opCount(const Json &value) {
  return {named(value, "kind", opKindFromName), scalarType(member(value, "type")),
          idMember(value, "count")};
}

SteadyOps steadyOps(const Json &value) {
  return {idMember(value, "loops"), listMember<OpCount>(value, "operations", opCount)};
}

std::vector<SteadyOps> steadyMember(const Json &value) {
  if (!value.contains("steady")) return {};
  return listMember<SteadyOps>(value, "steady", steadyOps);
}

Folded folded(const Json &value) {
  return {idMember(value, "loop"), idMember(value, "values"),
          listMember<OpCount>(value, "operations", opCount), steadyMember(value),
          listMember<Folded::Loads>(value, "loads", [](const Json &loads) {
            return Folded::Loads{producer(member(loads, "producer")), idMember(loads, "count")};
          })};
}

Expression expression(const Json &value) {
  return {listMember<NodeCount>(value, "nodes",
                                [](const Json &node) {
                                  return NodeCount{named(node, "kind", nodeKindFromName),
                                                   scalarType(member(node, "type")),
                                                   idMember(node, "count")};
                                }),
          idMember(value, "branching")};
}

Stage stage(const Json &value, std::size_t funcs) {
  Stage result;
  const std::uint32_t owner = idMember(value, "func");
  if (owner >= funcs) throw Malformed("a stage belongs to an unknown func");
  result.func = static_cast<FuncId>(owner);
  result.index = idMember(value, "index");
  result.loops = listMember<LoopDim>(value, "loops", loop);
  result.operations = listMember<OpCount>(value, "operations", opCount);
  result.steady = steadyMember(value);
  if (value.contains("folded")) result.folded = listMember<Folded>(value, "folded", folded);
  result.loads = listMember<Access>(value, "loads", access);
  result.store = access(member(value, "store"));
  result.definition = textMember(value, "definition");
  result.predicate = optionalText(value, "predicate");
  result.associative = optionalFlag(value, "associative");
  result.commutative = optionalFlag(value, "commutative");
  if (value.contains("expression")) result.expression = expression(value["expression"]);
  return result;
}

Output output(const Json &value) {
  return {static_cast<FuncId>(idMember(value, "func")),
          listMember<Estimate>(value, "dims", estimate)};
}

FoundSchedule foundSchedule(const Json &value) {
  return {static_cast<StageId>(idMember(value, "stage")),
          listMember<std::string>(value, "directives",
                                  [](const Json &v) { return text(v, "directives"); })};
}

Remark remark(const Json &value) {
  return {textMember(value, "subject"), textMember(value, "text")};
}

EstimateConflicts conflicts(const Json &value) {
  return {listMember<Remark>(value, "found", remark),
          listMember<NamedSize>(value, "fit", [](const Json &fit) {
            return NamedSize{textMember(fit, "name"), listMember<Interval>(fit, "size", interval)};
          })};
}

PipelineParts parts(const Json &document) {
  if (textMember(document, "format") != "tessera.pipeline")
    throw Malformed("it is not a pipeline description");
  if (const std::int64_t version = integer(member(document, "version"), "version"); version != 1)
    throw Malformed("version " + std::to_string(version) +
                    " is unknown to this version of Tessera");
  PipelineParts result;
  result.name = textMember(document, "name");
  result.halideVersion = textMember(document, "halide_version");
  result.inputs = listMember<Input>(document, "inputs", input);
  result.funcs = listMember<Func>(document, "funcs", func);
  result.stages = listMember<Stage>(document, "stages",
                                    [&](const Json &v) { return stage(v, result.funcs.size()); });
  result.outputs = listMember<Output>(document, "outputs", output);
  result.foundSchedule = listMember<FoundSchedule>(document, "found_schedule", foundSchedule);
  result.remarks = listMember<Remark>(document, "remarks", remark);
  if (document.contains("conflicts")) result.conflicts = conflicts(document["conflicts"]);
  return result;
}

} // namespace

Result<PipelinePtr> pipelineFromJson(const Json &document) {
  try {
    return Pipeline::create(parts(document));
  } catch (const Malformed &problem) {
    return Error{ErrorCode::InputRefused,
                 std::string("The pipeline description cannot be read: ") + problem.what() + ".",
                 ""};
  }
}

} // namespace tessera::pipeline
