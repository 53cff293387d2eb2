// SPDX-License-Identifier: MIT
#include "engine/bench/device/reference.h"

#include "engine/bench/device/failure.h"
#include "engine/bench/device/loaded_bundle.h"
#include "engine/bench/device/whole_file.h"
#include "engine/base/rounding_mode.h"
#include "engine/bench/json_reader.h"
#include "engine/file/write_file.h"

#include <algorithm>
#include <cfenv>
#include <chrono>

namespace tessera::bench {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using report::ComparisonRule;
using report::ElementRule;
using report::Elements;
using report::RoundedElements;

constexpr const char *kFormat = "tessera-reference";
// After a reference run longer than this, the three runs in other rounding modes are left out.
constexpr double kLongSeconds = 10;

ComparisonRule ruleFrom(const std::string &word) {
  for (const ComparisonRule rule :
       {ComparisonRule::Exact, ComparisonRule::WithinOne, ComparisonRule::Relative})
    if (report::name(rule) == word) return rule;
  throw Malformed("'" + word + "' is not a comparison rule");
}

ordered_json toJson(const pipeline::Box &region) {
  ordered_json sides = ordered_json::array();
  for (const pipeline::Interval &side : region)
    sides.push_back({side.min, side.max});
  return sides;
}

pipeline::Box regionFrom(ObjectReader &reader) {
  return reader.list<pipeline::Interval>("region", [](const json &side) {
    const auto ends = side.get<std::vector<std::int64_t>>();
    if (ends.size() != 2) throw Malformed("a side of a region must have two ends");
    return pipeline::Interval{ends[0], ends[1]};
  });
}

void runOnHost(LoadedBundle &bundle) {
  const int code = bundle.run();
  if (code == 0) return;
  std::string why = LoadedBundle::complaint();
  while (why.ends_with('\n'))
    why.pop_back();
  fail(Outcome::LaunchError,
       "The reference could not be computed: " +
           (why.empty() ? "Halide's error " + std::to_string(code) : why),
       "If the sizes are wrong, open the pipeline with other estimates, or with --fit-estimates.");
}

ElementRule ruleOf(const PipelineBuffer &output, const ReferenceOptions &options) {
  const pipeline::ScalarType type = output.argument().type;
  return elementRuleFor(type, report::ruleFor(type, options.floatsDecideIntegers));
}

// For each output, the elements that change when the reference runs in another rounding mode. This
// thread's mode applies to the whole run, since a host bundle runs its loops in the calling thread.
// Outputs that depend on no float do not change.
std::vector<RoundedElements> roundedElements(LoadedBundle &bundle,
                                             const std::vector<std::vector<std::uint8_t>> &expected,
                                             const ReferenceOptions &options) {
  std::vector<RoundedElements> rounded(expected.size());
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    {
      const RoundingMode rounding(mode);
      runOnHost(bundle);
    }
    std::size_t number = 0;
    for (PipelineBuffer *output : bundle.outputs()) {
      const report::PipelineArgument &argument = output->argument();
      const ElementRule rule = ruleOf(*output, options);
      if (rule.rule != ComparisonRule::Exact)
        rounded[number].add(expected[number].data(), output->elements().data(),
                            report::denseLayout(argument.type, argument.region), rule);
      ++number;
    }
  }
  return rounded;
}

} // namespace

void Reference::make(const ReferenceOptions &options) {
  const BundleFolder folder = readBundle(options.bundle);
  if (folder.report.target.find("cuda") != std::string::npos)
    refuse("The bundle '" + options.bundle +
           "' is for CUDA, but a reference is computed on the host.");
  const PipelineInputs inputs(options.seed, options.inputs);
  KeptData kept;
  LoadedBundle bundle(folder, nullptr, inputs, kept);
  const auto start = std::chrono::steady_clock::now();
  runOnHost(bundle);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::vector<std::vector<std::uint8_t>> expected;
  for (PipelineBuffer *output : bundle.outputs())
    expected.push_back(output->elements());
  const std::vector<RoundedElements> rounded = taken.count() > kLongSeconds
                                                   ? std::vector<RoundedElements>(expected.size())
                                                   : roundedElements(bundle, expected, options);
  ordered_json outputs = ordered_json::array();
  for (PipelineBuffer *output : bundle.outputs()) {
    const std::size_t number = outputs.size();
    const std::string name = "output" + std::to_string(number) + ".raw";
    valueOrRefuse(file::writeFile(options.output + "/" + name, expected[number],
                                  file::Durability::Rebuildable));
    outputs.push_back({{"name", output->name()},
                       {"type", pipeline::toString(output->argument().type)},
                       {"region", toJson(output->argument().region)},
                       {"rule", report::name(ruleOf(*output, options).rule)},
                       {"undecided", rounded[number].undecided},
                       {"magnified", rounded[number].magnified},
                       {"file", name}});
  }
  const std::string text = ordered_json{
      {"format", kFormat},
      {"pipeline_sha256", folder.report.pipelineSha256},
      {"seed", options.seed},
      {"inputs_sha256", inputs.sha256()},
      {"outputs",
       std::move(outputs)}}.dump(1);
  valueOrRefuse(file::writeFile(indexOf(options.output), text, file::Durability::Rebuildable));
}

std::string Reference::indexOf(const std::string &folder) { return folder + "/reference.json"; }

Reference Reference::read(const std::string &folder, const std::string &pipelineSha256,
                          const PipelineInputs &inputs) {
  const json document = json::parse(readWholeFile(indexOf(folder)), nullptr, false);
  Reference reference;
  reference.m_folder = folder;
  try {
    ObjectReader reader(document, "reference.json");
    if (reader.word("format") != kFormat) throw Malformed("it is not a reference");
    if (reader.word("pipeline_sha256") != pipelineSha256)
      throw Malformed("it is for another pipeline");
    if (const auto other = reader.number<std::uint64_t>("seed"); other != inputs.seed())
      throw Malformed("its inputs have seed " + std::to_string(other) + ", not " +
                      std::to_string(inputs.seed()));
    // Older references, from before users could give inputs, lack this field.
    const std::string given = reader.has("inputs_sha256") ? reader.word("inputs_sha256") : "";
    if (given != inputs.sha256()) throw Malformed("its inputs are from other files");
    reference.m_outputs = reader.list<Output>("outputs", [&](const json &value) {
      ObjectReader output(value, "an output");
      const auto type = pipeline::scalarTypeFromString(output.word("type"));
      if (!type) throw Malformed("an output has an unknown type");
      const std::string content = readWholeFile(folder + "/" + output.word("file"));
      Output read{output.word("name"),
                  *type,
                  regionFrom(output),
                  ruleFrom(output.word("rule")),
                  {content.begin(), content.end()},
                  {value.at("undecided").get<Elements>(), value.value("magnified", Elements{})},
                  {},
                  {}};
      if (std::ssize(content) !=
          report::denseLayout(read.type, read.region).count() * type->bytes())
        throw Malformed("the number of elements of '" + read.name + "' does not fit its region");
      return read;
    });
    reader.refuseOthers();
  } catch (const std::exception &problem) {
    refuse("The reference in '" + folder + "' cannot be used: " + problem.what() + ".",
           "To make a new reference, give the pipeline to tessera-cli bench.");
  }
  return reference;
}

report::OutputComparison Reference::compare(const PipelineBuffer &output) {
  const auto found = std::ranges::find(m_outputs, output.name(), &Output::name);
  if (found == m_outputs.end())
    refuse("The reference in '" + m_folder + "' has no output '" + output.name() + "'.");
  Output &expected = *found;
  if (expected.type != output.argument().type || expected.region != output.argument().region)
    refuse("The output '" + output.name() +
               "' does not have the type and size of the reference in '" + m_folder + "'.",
           "Make the reference for the same estimates as the bundle.");
  if (output.holds(expected.right)) return expected.comparison;
  std::vector<std::uint8_t> elements = output.elements();
  report::OutputComparison result =
      compareElements(expected.elements.data(), elements.data(),
                      report::denseLayout(expected.type, expected.region),
                      elementRuleFor(expected.type, expected.rule), expected.rounded);
  result.name = output.name();
  if (result.equal()) {
    expected.right = std::move(elements);
    expected.comparison = result;
  }
  return result;
}

} // namespace tessera::bench
