// SPDX-License-Identifier: MIT
// A printed schedule is read back unchanged, whatever its names are.
#include "engine/schedule/text/cpp_parser.h"
#include "engine/schedule/words/directive_json.h"

#include "tests/engine/schedule/random_directives.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

namespace tessera::schedule {
namespace {

std::size_t pickOne(std::size_t count) { return *rc::gen::inRange<std::size_t>(0, count); }

TEST(PropText, CppIsReadBackAsItWas) {
  EXPECT_TRUE(rc::check([] {
    const WrittenSchedule schedule{randomHeader(pickOne), randomDirectives(pickOne, pickOne(12))};
    const auto text = cppText(schedule);
    RC_ASSERT(text.ok());
    const auto back = parseCpp(*text);
    if (!back) RC_FAIL(back.error().message + "\n" + back.error().hint + "\n" + *text);
    if (*back != schedule) RC_FAIL(*text);
    RC_ASSERT(*cppText(*back) == *text);
  }));
}

TEST(PropText, JsonIsReadBackAsItWas) {
  EXPECT_TRUE(rc::check([] {
    const auto directives = randomDirectives(pickOne, pickOne(12));
    const auto text = toJson(directives).dump(-1, ' ', true);
    const auto back = directivesFromJson(nlohmann::json::parse(text));
    RC_ASSERT(back.ok());
    RC_ASSERT(*back == directives);
  }));
}

} // namespace
} // namespace tessera::schedule
