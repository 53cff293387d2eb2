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
  bad["values"]["warp_size"]["source"] = 3;
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: the source of value 'warp_size' must be "
                            "a string, not a number");
  bad = good;
  bad["values"]["warp_size"] = 32;
  EXPECT_EQ(problemOf(bad),
            "'mine.json' is not a machine: value 'warp_size' must be an object, not a number");
  bad["values"]["warp_size"] = ordered_json::object();
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: value 'warp_size' has no 'value'");
  bad["values"] = ordered_json::array();
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: 'values' must be an object, not an "
                            "array");
  bad.erase("values");
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: it has no 'values'");
  bad = good;
  bad["extra"] = 1;
  EXPECT_EQ(problemOf(bad), "'mine.json' is not a machine: it has the unknown member 'extra'");
}

// A member of the wrong type is not called missing.
TEST(MachineJson, SaysHowATextIsWrong) {
  const ordered_json good = toJson(complete());
  for (const char *key : {"name", "title", "api"}) {
    const std::string is = std::string("'mine.json' is not a machine: '") + key + "' ";
    for (const auto &[value, problem] :
         {std::pair{ordered_json(7), "must be a string, not a number"},
          {ordered_json(nullptr), "must be a string, not null"},
          {ordered_json::array(), "must be a string, not an array"},
          {ordered_json(true), "must be a string, not a boolean"},
          {ordered_json(""), "is empty"}}) {
      ordered_json bad = good;
      bad[key] = value;
      EXPECT_EQ(problemOf(bad), is + problem);
    }
    ordered_json bad = good;
    bad.erase(key);
    EXPECT_EQ(problemOf(bad), std::string("'mine.json' is not a machine: it has no '") + key + "'");
  }
}

} // namespace
} // namespace tessera::machine
