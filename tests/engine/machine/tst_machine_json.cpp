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

// What is wrong, without the file and the place.
std::string problemOf(const ordered_json &document) {
  const auto read = machineFromJson(document.dump(), "mine.json");
  if (read) return "";
  const std::string &message = read.error().message; // mine.json:1:7: name: …
  EXPECT_TRUE(message.starts_with("mine.json:1:")) << message;
  return message.substr(message.find(": ") + 2);
}

TEST(MachineJson, ComesBackAsItWas) {
  const auto read = machineFromJson(toJson(complete()).dump(), "mine.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, complete());
}

TEST(MachineJson, OpenClHasNoVectorsTakenApart) {
  Machine machine = complete();
  machine.api = Api::OpenCl;
  const auto read = machineFromJson(toJson(machine).dump(), "mine.json");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->limits.vectorsTakenApart);
}

TEST(MachineJson, SaysWhatIsWrong) {
  EXPECT_EQ(machineFromJson("{", "mine.json").error().message.substr(0, 30),
            "mine.json:1:2: it is not JSON:");
  EXPECT_EQ(machineFromJson("7", "mine.json").error().message,
            "mine.json:1:1: expected an object, found 7");
  const ordered_json good = toJson(complete());
  const auto problemWith = [&](const std::string &pointer, const ordered_json &value) {
    ordered_json bad = good;
    bad[ordered_json::json_pointer(pointer)] = value;
    return problemOf(bad);
  };
  const auto problemWithout = [&](const std::string &pointer) {
    ordered_json bad = good;
    const ordered_json::json_pointer member(pointer);
    bad[member.parent_pointer()].erase(member.back());
    return problemOf(bad);
  };
  const std::string warp = "/values/warp_size";
  EXPECT_EQ(problemWithout(warp), "values: 'warp_size' is missing");
  EXPECT_EQ(problemWith(warp + "/value", 0),
            "values.warp_size.value: expected a number above 0, up to 1e15, found 0");
  EXPECT_EQ(problemWith(warp + "/value", 32.5),
            "values.warp_size.value: expected a positive whole number, found 32.5");
  EXPECT_EQ(problemWithout(warp + "/source"), "values.warp_size: 'source' is missing");
  EXPECT_EQ(problemWith(warp + "/source", 3),
            "values.warp_size.source: expected words in quotes, found 3");
  EXPECT_EQ(problemWith(warp + "/source", "hearsay"),
            "values.warp_size.source: expected a member of 'sources', found \"hearsay\"");
  EXPECT_EQ(problemWith(warp, 32), "values.warp_size: expected an object, found 32");
  EXPECT_EQ(problemWithout(warp + "/value"), "values.warp_size: 'value' is missing");
  EXPECT_EQ(problemWith("/values/wrap_size", 1), "values.wrap_size: there is no such value");
  EXPECT_EQ(problemWith("/compute_capability", "9.0"),
            "compute_capability: expected a pair such as [9,0], found \"9.0\"");
  EXPECT_EQ(problemWith("/values", ordered_json::array()), "values: expected an object, found []");
  EXPECT_EQ(problemWithout("/values"), "'values' is missing");
  EXPECT_EQ(problemWith("/extra", 1), "extra: there is no such member");
}

TEST(MachineJson, SaysTheLineAndTheColumn) {
  std::string text = toJson(complete()).dump(2);
  const std::string part = "\"value\": ";
  const std::size_t at = text.find(part, text.find("\"warp_size\"")) + part.size();
  text.insert(at, "-");
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const auto column = at - text.rfind('\n', at);
  const auto read = machineFromJson(text, "mine.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "mine.json:" + std::to_string(line) + ":" +
                                      std::to_string(column) +
                                      ": values.warp_size.value: expected a positive whole "
                                      "number, found -32");
}

// A member of the wrong type is not called missing.
TEST(MachineJson, SaysHowATextIsWrong) {
  const ordered_json good = toJson(complete());
  for (const std::string key : {"name", "title", "api"}) {
    for (const ordered_json &value : {ordered_json(7), ordered_json(nullptr), ordered_json::array(),
                                      ordered_json(true), ordered_json("")}) {
      ordered_json bad = good;
      bad[key] = value;
      EXPECT_EQ(problemOf(bad), key + ": expected words in quotes, found " + value.dump());
    }
    ordered_json bad = good;
    bad.erase(key);
    EXPECT_EQ(problemOf(bad), "'" + key + "' is missing");
  }
  ordered_json bad = good;
  bad["api"] = "metal";
  EXPECT_EQ(problemOf(bad), "api: expected \"cuda\" or \"opencl\", found \"metal\"");
}

} // namespace
} // namespace tessera::machine
