// SPDX-License-Identifier: MIT
#include "engine/bench/measure_request.h"

#include "engine/bench/json_reader.h"

namespace tessera::bench {

using nlohmann::json;

namespace {

// One list of members for writing and reading: `visit(key, value, most)`.
template <typename Options, typename Visit>
void forEachNumber(Options &options, const Visit &visit) {
  visit("batches", options.batches, 10'000);
  visit("batch_seconds", options.batchSeconds, 60);
  visit("long_seconds", options.longSeconds, 3600);
  visit("warm_up_seconds", options.warmUpSeconds, 600);
  visit("slow_seconds", options.slowSeconds, 3600);
  visit("singles", options.singles, 10'000);
  visit("cold_samples", options.coldSamples, 10'000);
  visit("traced_runs", options.tracedRuns, 1000);
}

template <typename Options, typename Visit>
void forEachOfTurns(Options &options, const Visit &visit) {
  visit("rounds", options.rounds, 10'000);
  visit("batch_seconds", options.batchSeconds, 60);
  visit("long_seconds", options.longSeconds, 3600);
  visit("warm_up_seconds", options.warmUpSeconds, 600);
}

// A reader of such a number.
auto within(ObjectReader &reader, const std::string &request) {
  return [&reader, request]<typename Number>(const char *key, Number &value, double most) {
    value = reader.number<Number>(key);
    if (!(value >= 0 && value <= most))
      throw Malformed(request + ": '" + key + "' is out of range");
  };
}

} // namespace

json toJson(const MeasureOptions &options) {
  json fields{{"bundle", options.bundle},
              {"reference", options.reference},
              {"inputs", options.inputs},
              {"seed", options.seed},
              {"allocating", options.allocating},
              {"graph", options.graph},
              {"use_profiler", options.useProfiler},
              {"hash_outputs", options.hashOutputs},
              {"use_assembled", options.useAssembled}};
  forEachNumber(options, [&](const char *key, auto value, double) { fields[key] = value; });
  return fields;
}

json toJson(const InterleaveOptions &options) {
  json fields{{"bundles", options.bundles},
              {"reference", options.reference},
              {"inputs", options.inputs},
              {"seed", options.seed}};
  forEachOfTurns(options, [&](const char *key, auto value, double) { fields[key] = value; });
  return fields;
}

json toJson(const CountOptions &options) {
  return {{"bundle", options.bundle}, {"inputs", options.inputs}, {"seed", options.seed}};
}

json toJson(const ReferenceOptions &options) {
  return {{"bundle", options.bundle},
          {"output", options.output},
          {"inputs", options.inputs},
          {"seed", options.seed},
          {"floats_decide_integers", options.floatsDecideIntegers}};
}

Result<MeasureOptions> measureOptionsFromJson(const json &fields) {
  return readOr(ErrorCode::Usage, "", [&] {
    ObjectReader reader(fields, "the request to measure");
    MeasureOptions options;
    options.bundle = reader.word("bundle");
    options.reference = reader.word("reference");
    options.inputs = reader.word("inputs");
    options.seed = reader.number<std::uint64_t>("seed");
    options.allocating = reader.number<bool>("allocating");
    options.graph = reader.number<bool>("graph");
    options.useProfiler = reader.number<bool>("use_profiler");
    options.hashOutputs = reader.number<bool>("hash_outputs");
    options.useAssembled = reader.number<bool>("use_assembled");
    forEachNumber(options, within(reader, "the request to measure"));
    if (options.batches < 1) throw Malformed("the request to measure: no batches");
    reader.refuseOthers();
    return options;
  });
}

Result<InterleaveOptions> interleaveOptionsFromJson(const json &fields) {
  return readOr(ErrorCode::Usage, "", [&] {
    ObjectReader reader(fields, "the request to measure in turns");
    InterleaveOptions options;
    options.bundles = reader.words("bundles");
    options.reference = reader.word("reference");
    options.inputs = reader.word("inputs");
    options.seed = reader.number<std::uint64_t>("seed");
    forEachOfTurns(options, within(reader, "the request to measure in turns"));
    if (options.bundles.empty()) throw Malformed("the request to measure in turns: no bundles");
    if (options.rounds < 1) throw Malformed("the request to measure in turns: no rounds");
    reader.refuseOthers();
    return options;
  });
}

Result<CountOptions> countOptionsFromJson(const json &fields) {
  return readOr(ErrorCode::Usage, "", [&] {
    ObjectReader reader(fields, "the request to count");
    const CountOptions options{reader.word("bundle"), reader.word("inputs"),
                               reader.number<std::uint64_t>("seed")};
    reader.refuseOthers();
    return options;
  });
}

Result<ReferenceOptions> referenceOptionsFromJson(const json &fields) {
  return readOr(ErrorCode::Usage, "", [&] {
    ObjectReader reader(fields, "the request for a reference");
    ReferenceOptions options;
    options.bundle = reader.word("bundle");
    options.output = reader.word("output");
    options.inputs = reader.word("inputs");
    options.seed = reader.number<std::uint64_t>("seed");
    options.floatsDecideIntegers = reader.number<bool>("floats_decide_integers");
    reader.refuseOthers();
    return options;
  });
}

} // namespace tessera::bench
