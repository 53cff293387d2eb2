// SPDX-License-Identifier: MIT
// Lines of time_bundles, read on a real sample.
#include "engine/tune/measured_reader.h"

#include "engine/schedule/directives/lower.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/words/directive_json.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tessera::tune {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class MeasuredReaderTest : public host::test::ScratchTest {
protected:
  json line() {
    open::PipelineOpener opener(m_tools, std::make_shared<host::TrustStore>(""));
    const auto opened = opener.open({m_tools.samples + "/blur.hlpipe"});
    EXPECT_TRUE(opened);
    m_start = schedule::defaultSchedule(opened->pipeline);
    return {{"pipeline", "blur"},
            {"case", "7"},
            {"ms", 0.25},
            {"register_cap", 96},
            {"directives", schedule::toJson(schedule::lower(*m_start))},
            {"kernels",
             {{{"stages", {{{"func", "output"}, {"stage", 0}}}},
               {"ms", 0.125},
               {"runs", 2.0},
               {"assembler",
                {{"registers", 40},
                 {"stack_bytes", 0},
                 {"spill_store_bytes", 4},
                 {"spill_load_bytes", 8}}}}}}};
  }

  const host::ToolPaths m_tools = builtTools();
  std::optional<schedule::Schedule> m_start;
  MeasuredReader m_reader{m_tools};
};

TEST_F(MeasuredReaderTest, ReadsScheduleTimesAndRegisters) {
  const json one = line();
  const auto read = m_reader.read(one);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(*read);
  const Measured &measured = **read;
  EXPECT_EQ(measured.name, "7");
  EXPECT_EQ(measured.milliseconds, 0.25);
  EXPECT_EQ(measured.schedule.settings().registerCap, 96);
  schedule::Schedule expected = *m_start;
  schedule::Settings settings = expected.settings();
  settings.registerCap = 96;
  expected.set(settings);
  EXPECT_EQ(measured.schedule.hash(), expected.hash());
  EXPECT_EQ(measured.kernels.at("output"), 0.25) << "of both runs";
  EXPECT_FALSE(measured.byEvents);
  ASSERT_EQ(measured.compiled.size(), 1U);
  EXPECT_EQ(measured.compiled[0].assembler->registers, 40);
}

TEST_F(MeasuredReaderTest, AScheduleThatFailedHasNoTime) {
  json one = line();
  one.erase("ms");
  const auto read = m_reader.read(one);
  ASSERT_TRUE(read);
  EXPECT_FALSE(*read);
}

TEST_F(MeasuredReaderTest, WhatIsNoLineIsRefused) {
  EXPECT_FALSE(m_reader.read(json::array({1, 2})));
  EXPECT_FALSE(m_reader.read({{"ms", 1}}));
  json one = line();
  one["pipeline"] = "nothing";
  EXPECT_THAT(m_reader.read(one).error().message, HasSubstr("nothing.hlpipe"));
  one = line();
  one["directives"][0]["func"] = "nobody";
  EXPECT_THAT(m_reader.read(one).error().message, HasSubstr("blur, case 7"));
}

} // namespace
} // namespace tessera::tune
