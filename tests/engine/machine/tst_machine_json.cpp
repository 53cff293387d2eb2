// SPDX-License-Identifier: MIT
#include "engine/machine/fields.h"
#include "engine/machine/machine_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tessera::machine {
namespace {

using nlohmann::ordered_json;

Machine complete() {
  Machine machine;
  machine.name = "mine";
  machine.title = "My GPU";
  machine.major = 8;
  machine.minor = 6;
  machine.clockHz = 1.5e9;
  forEachField(machine, [&](const char *name, auto &, const char *) {
    machine.sources[name] = name[0] < 'm' ? "the data sheet" : "the guide";
  });
  return machine;
}

std::string problemOf(const ordered_json &document) {
  const auto read = machineFromJson(document.dump(), "'mine.json'");
  return read ? "" : read.error().message;
}

TEST(MachineJson, ComesBackAsItWas) {
  const auto read = machineFromJson(toJson(complete()).dump(), "'mine.json'");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, complete());
}

TEST(MachineJson, OpenClHasNoVectorsTakenApart) {
  Machine machine = complete();
  machine.api = Api::OpenCl;
  const auto read = machineFromJson(toJson(machine).dump(), "'mine.json'");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->limits.vectorsTakenApart);
}

TEST(MachineJson, SaysWhatIsWrong) {
  EXPECT_EQ(machineFromJson("{", "'mine.json'").error().message,
            "'mine.json' is not a JSON object");
  const ordered_json good = toJson(complete());
  ordered_json bad = good;
  bad["values"].erase("warp_size");
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: value 'warp_size' is missing");
  bad = good;
  bad["values"]["warp_size"]["value"] = 0;
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: value 'warp_size' is out of range");
  bad["values"]["warp_size"]["value"] = 32.5;
  EXPECT_EQ(problemOf(bad),
            "'mine.json' is not a machine: value 'warp_size' is not a whole number");
  bad = good;
  bad["values"]["warp_size"].erase("source");
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: value 'warp_size' has no source");
  bad = good;
  bad["values"]["wrap_size"] = bad["values"]["warp_size"];
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: there is no value called 'wrap_size'");
  bad = good;
  bad["compute_capability"] = "9.0";
  EXPECT_EQ(problemOf(bad),
            "'mine.json' is not a machine: 'compute_capability' must be a pair such as [9, 0]");
  bad = good;
  bad["extra"] = 1;
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: it has the unknown member 'extra'");
}

} // namespace
} // namespace tessera::machine
