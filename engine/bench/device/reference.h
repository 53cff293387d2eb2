// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/pipeline_buffer.h"
#include "engine/bench/device/pipeline_inputs.h"
#include "engine/report/compare_elements.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench {

// The expected outputs of a pipeline, and how sure they are: a folder with `reference.json` and
// files of elements for each output, as makeReference() writes it (reference_making.h).
class Reference {
public:
  static constexpr const char *kFormat = "tessera-reference";

  // Fails if the reference in the folder is for another pipeline or for other inputs. compare()
  // checks the size.
  static Reference read(const std::string &folder, const std::string &pipelineSha256,
                        const PipelineInputs &inputs);

  // The index file. It is written last and describes the other files.
  static std::string indexOf(const std::string &folder);

  // The range from which its random inputs were drawn.
  pipeline::Drawing drawing() const { return m_drawing; }
  // Compares the host's copy of `output` with the expected elements.
  report::OutputComparison compare(const PipelineBuffer &output,
                                   const report::GivenTolerance &given = {});

private:
  struct Output {
    std::string name;
    pipeline::ScalarType type;
    pipeline::Box region;
    report::ComparisonRule rule;
    std::vector<std::uint8_t> elements;
    report::Uncertainty uncertainty;
    // The last output that was not found wrong. Most schedules compute identical bytes, and testing
    // that is faster than a comparison.
    std::vector<std::uint8_t> right;
    report::GivenTolerance rightFor;
    report::OutputComparison comparison; // the comparison of `right`
  };
  static Output outputFrom(const nlohmann::json &value, const std::string &folder);

  std::string m_folder;
  pipeline::Drawing m_drawing = pipeline::Drawing::Usual;
  std::vector<Output> m_outputs;
};

} // namespace tessera::bench
