// SPDX-License-Identifier: MIT
#include "engine/bench/measure_request.h"

#include "engine/bench/json_reader.h"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::bench {

using nlohmann::json;

namespace {

// Lets one function visit the options as const (for writing) and as non-const (for reading).
template <typename Options, typename Of>
concept IsOf = std::same_as<std::remove_const_t<Options>, Of>;

// One list of members, shared by writing and reading. Calls `visit(key, value)`, or `visit(key,
// value, most)` for a number with an upper limit.
template <IsOf<MeasureOptions> Options, typename Visit>
void forEachField(Options &options, const Visit &visit) {
  visit("bundle", options.bundle);
  visit("reference", options.reference);
  visit("inputs", options.inputs);
  visit("tolerance", options.tolerance);
  visit("seed", options.seed);
  visit("allocating", options.allocating);
  visit("graph", options.graph);
  visit("use_profiler", options.useProfiler);
  visit("hash_outputs", options.hashOutputs);
  visit("use_assembled", options.useAssembled);
  visit("batches", options.batches, 10'000);
  visit("batch_seconds", options.batchSeconds, 60);
  visit("long_seconds", options.longSeconds, 3600);
  visit("warm_up_seconds", options.warmUpSeconds, 600);
  visit("slow_seconds", options.slowSeconds, 3600);
  visit("singles", options.singles, 10'000);
  visit("cold_samples", options.coldSamples, 10'000);
  visit("traced_runs", options.tracedRuns, 1000);
}

template <IsOf<InterleaveOptions> Options, typename Visit>
void forEachField(Options &options, const Visit &visit) {
  visit("bundles", options.bundles);
  visit("reference", options.reference);
  visit("inputs", options.inputs);
  visit("tolerance", options.tolerance);
  visit("seed", options.seed);
  visit("rounds", options.rounds, 10'000);
  visit("batch_seconds", options.batchSeconds, 60);
  visit("long_seconds", options.longSeconds, 3600);
  visit("warm_up_seconds", options.warmUpSeconds, 600);
}

template <IsOf<CountOptions> Options, typename Visit>
void forEachField(Options &options, const Visit &visit) {
  visit("bundle", options.bundle);
  visit("inputs", options.inputs);
  visit("seed", options.seed);
}

template <IsOf<ReferenceOptions> Options, typename Visit>
void forEachField(Options &options, const Visit &visit) {
  visit("bundle", options.bundle);
  visit("output", options.output);
  visit("inputs", options.inputs);
  visit("seed", options.seed);
  visit("loose", options.loose);
}

template <typename Value>
json fieldOf(const Value &value) {
  return value;
}
json fieldOf(const report::GivenTolerance &tolerance) { return textOf(tolerance); }

template <typename Options>
json fieldsOf(const Options &options) {
  json fields;
  forEachField(options, [&](const char *key, const auto &value, double = 0) {
    fields[key] = fieldOf(value);
  });
  return fields;
}

// Reads the member of a request that belongs to a field of the options.
class FieldReader {
public:
  FieldReader(ObjectReader &reader, std::string request)
      : m_reader(reader), m_request(std::move(request)) {}

  void operator()(const char *key, std::string &value) const { value = m_reader.word(key); }
  void operator()(const char *key, std::vector<std::string> &value) const {
    value = m_reader.words(key);
  }
  void operator()(const char *key, report::GivenTolerance &value) const {
    const std::string text = m_reader.word(key);
    if (text.empty()) return;
    const auto tolerance = report::givenToleranceFrom(text);
    if (!tolerance) throw Malformed(m_request + ": " + tolerance.error().message);
    value = *tolerance;
  }
  template <typename Number>
  void operator()(const char *key, Number &value) const {
    value = m_reader.number<Number>(key);
  }
  template <typename Number>
  void operator()(const char *key, Number &value, double most) const {
    value = m_reader.number<Number>(key);
    if (!(value >= 0 && value <= most))
      throw Malformed(m_request + ": '" + key + "' is out of range");
  }

private:
  ObjectReader &m_reader;
  std::string m_request;
};

// Reads the options of a request. `complaint` checks the options that were read: it returns what is
// wrong with them, or "".
template <typename Options, typename Complaint>
Result<Options> optionsFrom(const json &fields, const std::string &request,
                            const Complaint &complaint) {
  return readOr(ErrorCode::Usage, "", [&] {
    ObjectReader reader(fields, request);
    Options options;
    forEachField(options, FieldReader(reader, request));
    if (const std::string wrong = complaint(options); !wrong.empty())
      throw Malformed(request + ": " + wrong);
    reader.refuseOthers();
    return options;
  });
}

template <typename Options>
std::string nothingWrong(const Options &) {
  return {};
}

} // namespace

json toJson(const MeasureOptions &options) { return fieldsOf(options); }
json toJson(const InterleaveOptions &options) { return fieldsOf(options); }
json toJson(const CountOptions &options) { return fieldsOf(options); }
json toJson(const ReferenceOptions &options) { return fieldsOf(options); }

Result<MeasureOptions> measureOptionsFromJson(const json &fields) {
  return optionsFrom<MeasureOptions>(fields, "the request to measure",
                                     [](const MeasureOptions &options) {
                                       return std::string(options.batches < 1 ? "no batches" : "");
                                     });
}

Result<InterleaveOptions> interleaveOptionsFromJson(const json &fields) {
  return optionsFrom<InterleaveOptions>(fields, "the request to measure in turns",
                                        [](const InterleaveOptions &options) {
                                          if (options.bundles.empty())
                                            return std::string("no bundles");
                                          return std::string(options.rounds < 1 ? "no rounds" : "");
                                        });
}

Result<CountOptions> countOptionsFromJson(const json &fields) {
  return optionsFrom<CountOptions>(fields, "the request to count", nothingWrong<CountOptions>);
}

Result<ReferenceOptions> referenceOptionsFromJson(const json &fields) {
  return optionsFrom<ReferenceOptions>(fields, "the request for a reference",
                                       nothingWrong<ReferenceOptions>);
}

} // namespace tessera::bench
