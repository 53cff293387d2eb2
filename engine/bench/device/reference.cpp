// SPDX-License-Identifier: MIT
#include "engine/bench/device/reference.h"

#include "engine/bench/device/failure.h"
#include "engine/bench/device/whole_file.h"
#include "engine/bench/json_reader.h"

#include <algorithm>
#include <cstring>

namespace tessera::bench {

namespace {

using nlohmann::json;
using report::ComparisonRule;

ComparisonRule ruleFrom(const std::string &word) {
  for (const ComparisonRule rule :
       {ComparisonRule::Exact, ComparisonRule::WithinOne, ComparisonRule::Relative})
    if (report::name(rule) == word) return rule;
  throw Malformed("'" + word + "' is not a comparison rule");
}

pipeline::Box regionFrom(ObjectReader &reader) {
  return reader.list<pipeline::Interval>("region", [](const json &side) {
    const auto ends = side.get<std::vector<std::int64_t>>();
    if (ends.size() != 2) throw Malformed("a side of a region must have two ends");
    return pipeline::Interval{ends[0], ends[1]};
  });
}

pipeline::Drawing drawingFrom(ObjectReader &reader) {
  // Older references have the usual inputs, and no word of it.
  const int number = reader.has("drawing") ? reader.number<int>("drawing") : 0;
  if (number >= pipeline::kDrawings) throw Malformed("its inputs are drawn in an unknown way");
  return static_cast<pipeline::Drawing>(number);
}

template <typename Number>
std::vector<Number> numbersFrom(const std::string &path, std::size_t count) {
  const std::string content = readWholeFile(path);
  if (content.size() / sizeof(Number) != count || content.size() % sizeof(Number) != 0)
    throw Malformed("'" + path + "' does not have as many numbers as it should");
  std::vector<Number> numbers(count);
  std::memcpy(numbers.data(), content.data(), content.size());
  return numbers;
}

// `path` is that of the output's elements without its ending.
report::Uncertainty uncertaintyFrom(const json &value, const std::string &path) {
  ObjectReader reader(value, "the uncertainty of an output");
  report::Uncertainty unsure;
  unsure.runs = reader.number<std::int64_t>("runs");
  unsure.moved = reader.number<std::int64_t>("moved");
  unsure.movedFar = reader.number<std::int64_t>("moved_far");
  const auto count = reader.number<std::size_t>("elements");
  if (count == 0) return unsure;
  unsure.elements = numbersFrom<std::uint64_t>(path + ".elements", count);
  unsure.spreads = numbersFrom<double>(path + ".spreads", count);
  return unsure;
}

} // namespace

std::string Reference::indexOf(const std::string &folder) { return folder + "/reference.json"; }

Reference::Output Reference::outputFrom(const json &value, const std::string &folder) {
  ObjectReader reader(value, "an output");
  const auto type = pipeline::scalarTypeFromString(reader.word("type"));
  if (!type) throw Malformed("an output has an unknown type");
  const std::string path = folder + "/" + reader.word("file"), content = readWholeFile(path);
  Output output;
  output.name = reader.word("name");
  output.type = *type;
  output.region = regionFrom(reader);
  output.rule = ruleFrom(reader.word("rule"));
  output.elements.assign(content.begin(), content.end());
  if (std::ssize(content) !=
      report::denseLayout(output.type, output.region).count() * type->bytes())
    throw Malformed("the number of elements of '" + output.name + "' does not fit its region");
  if (reader.has("uncertainty")) // older references lack it
    output.uncertainty = uncertaintyFrom(reader.at("uncertainty"), path.substr(0, path.rfind('.')));
  return output;
}

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
    reference.m_drawing = drawingFrom(reader);
    reference.m_outputs = reader.list<Output>(
        "outputs", [&](const json &value) { return outputFrom(value, folder); });
    reader.refuseOthers();
  } catch (const std::exception &problem) {
    refuse("The reference in '" + folder + "' cannot be used: " + problem.what() + ".",
           "To make a new reference, give the pipeline to tessera-cli bench.");
  }
  return reference;
}

report::OutputComparison Reference::compare(const PipelineBuffer &output,
                                            const report::GivenTolerance &given) {
  const auto found = std::ranges::find(m_outputs, output.name(), &Output::name);
  if (found == m_outputs.end())
    refuse("The reference in '" + m_folder + "' has no output '" + output.name() + "'.");
  Output &expected = *found;
  if (expected.type != output.argument().type || expected.region != output.argument().region)
    refuse("The output '" + output.name() +
               "' does not have the type and size of the reference in '" + m_folder + "'.",
           "Make the reference for the same estimates as the bundle.");
  if (expected.rightFor == given && output.holds(expected.right)) return expected.comparison;
  std::vector<std::uint8_t> elements = output.elements();
  report::OutputComparison result =
      compareElements(expected.elements.data(), elements.data(),
                      report::denseLayout(expected.type, expected.region),
                      elementRuleFor(expected.type, expected.rule, given), expected.uncertainty);
  result.name = output.name();
  if (result.verdict() != report::Verdict::Different) {
    expected.right = std::move(elements);
    expected.rightFor = given;
    expected.comparison = result;
  }
  return result;
}

} // namespace tessera::bench
