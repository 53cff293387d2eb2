// SPDX-License-Identifier: MIT
#include "engine/bench/device/reference_making.h"

#include "engine/bench/device/failure.h"
#include "engine/bench/device/kept_data.h"
#include "engine/bench/device/loaded_bundle.h"
#include "engine/bench/device/reference.h"
#include "engine/base/rounding_mode.h"
#include "engine/file/write_file.h"
#include "engine/report/compare_elements.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::bench {

namespace {

using nlohmann::ordered_json;
using pipeline::Drawing;
using report::ComparisonRule;
using report::FloatInfluence;

// How sure the reference is takes five runs more. If a run is longer than this, one has to do, of
// the bundle that differs most; and none if it is very long.
constexpr double kLongSeconds = 10, kVeryLongSeconds = 100;
constexpr std::uint64_t kMovedSeed = 1; // decides which inputs are moved by their last bit

template <typename Number>
void writeNumbers(const std::string &path, const std::vector<Number> &numbers) {
  const std::string_view bytes(reinterpret_cast<const char *>(numbers.data()),
                               numbers.size() * sizeof(Number));
  valueOrRefuse(file::writeFile(path, bytes, file::Durability::Rebuildable));
}

struct MadeOutput {
  report::PipelineArgument argument;
  report::ElementRule rule;
  std::vector<std::uint8_t> elements;
  report::Uncertainty uncertainty;

  report::ElementLayout layout() const {
    return report::denseLayout(argument.type, argument.region);
  }
};

report::ElementRule ruleOf(const report::PipelineArgument &output) {
  const FloatInfluence floats = output.floats.value_or(FloatInfluence::None);
  return elementRuleFor(output.type, report::ruleFor(output.type, floats));
}

// A host bundle with inputs of its own. It runs its loops in the calling thread, so the rounding
// mode of that thread holds for a whole run.
class HostRun {
public:
  HostRun(const BundleFolder &folder, const PipelineInputs &inputs)
      : m_bundle(folder, nullptr, inputs, m_kept) {}

  int run() { return m_bundle.run(); }
  void runOrFail() {
    const int code = run();
    if (code == 0) return;
    std::string why = LoadedBundle::complaint();
    while (why.ends_with('\n'))
      why.pop_back();
    fail(
        Outcome::LaunchError,
        "The reference could not be computed: " +
            (why.empty() ? "Halide's error " + std::to_string(code) : why),
        "If the sizes are wrong, open the pipeline with other estimates, or with --fit-estimates.");
  }
  std::vector<MadeOutput> outputs() {
    std::vector<MadeOutput> made;
    for (PipelineBuffer *output : m_bundle.outputs())
      made.push_back({output->argument(), ruleOf(output->argument()), output->elements(), {}});
    return made;
  }
  // Adds what the last run shows.
  void addTo(std::vector<MadeOutput> &expected) {
    std::size_t number = 0;
    for (PipelineBuffer *output : m_bundle.outputs()) {
      MadeOutput &one = expected[number++];
      one.uncertainty.add(one.elements.data(), output->elements().data(), one.layout(), one.rule);
    }
  }
  // Returns false if no input has floats.
  bool moveInputs() {
    bool areMoved = false;
    for (PipelineBuffer &buffer : m_bundle.buffers())
      if (buffer.isInput() &&
          report::ruleFor(buffer.argument().type, {}) == ComparisonRule::Relative) {
        buffer.moveLastBits(kMovedSeed);
        areMoved = true;
      }
    return areMoved;
  }

private:
  KeptData m_kept; // declared before the bundle, which gives its buffers back
  LoadedBundle m_bundle;
};

bool tellsSomething(const std::vector<MadeOutput> &outputs) {
  return std::ranges::all_of(outputs, [](const MadeOutput &one) {
    const std::uint8_t *elements = one.elements.data();
    return compareElements(elements, elements, one.layout(), one.rule).verdict() ==
           report::Verdict::Equal;
  });
}

class ReferenceMaking {
public:
  explicit ReferenceMaking(const ReferenceOptions &options)
      : m_options(options), m_folder(hostBundle(options.bundle)),
        m_inputs(options.seed, options.inputs) {}

  void make() {
    runStrict();
    const bool hasFloats = std::ranges::any_of(m_outputs, [](const MadeOutput &output) {
      return output.rule.rule == ComparisonRule::Relative ||
             output.argument.floats.value_or(FloatInfluence::None) != FloatInfluence::None;
    });
    if (hasFloats && m_seconds <= kLongSeconds) runRounded();
    m_strict.reset();
    if (hasFloats && m_seconds <= kVeryLongSeconds) runLoose();
    write();
  }

private:
  static BundleFolder hostBundle(const std::string &path) {
    BundleFolder folder = readBundle(path);
    if (folder.report.target.find("cuda") != std::string::npos)
      refuse("The bundle '" + path + "' is for CUDA, but a reference is computed on the host.");
    return folder;
  }

  // Draws the random inputs from another range where the outputs of the usual one tell nothing.
  void runStrict() {
    runUsual();
    if (tellsSomething(m_outputs)) return;
    for (const Drawing drawing : {Drawing::Small, Drawing::Centred, Drawing::CentredSmall}) {
      draw(drawing);
      if (m_strict->run() != 0) continue; // such as an index out of bounds
      m_outputs = m_strict->outputs();
      if (tellsSomething(m_outputs)) return;
    }
    runUsual();
  }

  void runUsual() {
    draw(Drawing::Usual);
    const auto start = std::chrono::steady_clock::now();
    m_strict->runOrFail();
    m_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    m_outputs = m_strict->outputs();
  }

  void draw(Drawing drawing) {
    m_strict.reset(); // its memory is not needed twice
    m_inputs.draw(drawing);
    m_strict = std::make_unique<HostRun>(m_folder, m_inputs);
  }

  // As engine/halide/verify/other_runs.h does.
  void runRounded() {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      {
        const RoundingMode rounding(mode);
        m_strict->runOrFail();
      }
      m_strict->addTo(m_outputs);
    }
    if (!m_strict->moveInputs()) return;
    m_strict->runOrFail();
    m_strict->addTo(m_outputs);
  }

  void runLoose() {
    if (m_options.loose.empty()) return;
    HostRun loose(hostBundle(m_options.loose), m_inputs);
    loose.runOrFail();
    loose.addTo(m_outputs);
  }

  ordered_json written(const MadeOutput &output, std::size_t number) const {
    const std::string name = "output" + std::to_string(number), path = m_options.output + "/";
    writeNumbers(path + name + ".raw", output.elements);
    ordered_json sides = ordered_json::array();
    for (const pipeline::Interval &side : output.argument.region)
      sides.push_back({side.min, side.max});
    ordered_json document{{"name", output.argument.name},
                          {"type", pipeline::toString(output.argument.type)},
                          {"region", std::move(sides)},
                          {"rule", report::name(output.rule.rule)},
                          {"file", name + ".raw"}};
    const report::Uncertainty &unsure = output.uncertainty;
    document["uncertainty"] = {{"runs", unsure.runs},
                               {"moved", unsure.moved},
                               {"moved_far", unsure.movedFar},
                               {"elements", unsure.elements.size()}};
    if (unsure.elements.empty()) return document;
    writeNumbers(path + name + ".elements", unsure.elements);
    writeNumbers(path + name + ".spreads", unsure.spreads);
    return document;
  }

  // The index is written last, since it describes the other files.
  void write() {
    ordered_json outputs = ordered_json::array();
    for (const MadeOutput &output : m_outputs)
      outputs.push_back(written(output, outputs.size()));
    const std::string text = ordered_json{
        {"format", Reference::kFormat},
        {"pipeline_sha256", m_folder.report.pipelineSha256},
        {"seed", m_options.seed},
        {"inputs_sha256", m_inputs.sha256()},
        {"drawing", static_cast<int>(m_inputs.drawing())},
        {"outputs",
         std::move(outputs)}}.dump(1);
    valueOrRefuse(
        file::writeFile(Reference::indexOf(m_options.output), text, file::Durability::Rebuildable));
  }

  const ReferenceOptions &m_options;
  const BundleFolder m_folder;
  PipelineInputs m_inputs;
  std::unique_ptr<HostRun> m_strict;
  std::vector<MadeOutput> m_outputs;
  double m_seconds = 0; // of one run
};

} // namespace

void makeReference(const ReferenceOptions &options) { ReferenceMaking(options).make(); }

} // namespace tessera::bench
