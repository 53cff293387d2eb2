// SPDX-License-Identifier: MIT
// Uses documents of the explorer in place of pipeline files, and their candidates as schedules.

#include "tests/app/cli_test.h"

#include "engine/cost/prediction.h"
#include "engine/document/document_file.h"
#include "engine/document/pipeline_copy.h"
#include "engine/host/machines.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace tessera {
namespace {

using app::test::kSamples;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CliDocument : public app::test::CliTest {
protected:
  // A document of blur: the default schedule is candidate 1, and one with another register cap is
  // candidate 2 and current.
  CliDocument() {
    host::ToolPaths tools;
    tools.halideWorker = tessera::test::binPath("tessera-halide");
    tools.cacheDir = home();
    open::PipelineOpener opener(tools, std::make_shared<host::TrustStore>(home() + "/trust.json"));
    open::OpenRequest request;
    request.path = kSamples + "blur.hlpipe";
    const auto opened = opener.open(request);
    if (!opened) throw std::runtime_error(opened.error().message);
    document::Document document(
        std::make_shared<const document::PipelineCopy>(document::copyOf(request, *opened)));
    const auto plain = schedule::defaultSchedule(opened->pipeline);
    schedule::Schedule capped = plain;
    schedule::Settings settings = capped.settings();
    settings.registerCap = 128;
    capped.set(settings);
    keep(document, "default", plain);
    keep(document, "capped", capped);
    must(document.apply(document::EditSchedule{"Cap", capped}));
    must(document::saveDocument(path(), document, "layout"));
  }

  std::string path() const { return home() + "/blur.tessera"; }

private:
  static void must(const Status &status) {
    if (!status) throw std::runtime_error(status.error().message);
  }
  static void keep(document::Document &document, const std::string &name,
                   const schedule::Schedule &schedule) {
    document::KeptCandidate candidate{.schedule = schedule};
    candidate.label.name = name;
    candidate.machine = "h200";
    must(document.apply(document::AddCandidate{candidate}));
  }
};

TEST_F(CliDocument, IsInspectedAsItsPipeline) {
  const Ran document = run({"inspect", path(), "--json"});
  ASSERT_EQ(document.code, 0) << document.errors;
  EXPECT_EQ(document.output, run({"inspect", kSamples + "blur.hlpipe", "--json"}).output);
}

TEST_F(CliDocument, ListsItsCandidates) {
  const Ran text = run({"inspect", path(), "--list-candidates"});
  EXPECT_THAT(text.output, AllOf(HasSubstr("1  default"), HasSubstr("2  capped (current)")));
  const Ran ran = run({"inspect", path(), "--list-candidates", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const auto list = json::parse(ran.output).at("candidates");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].at("id"), 2);
  EXPECT_EQ(list[1].at("name"), "capped");
  EXPECT_EQ(list[1].at("is_current"), true);
  EXPECT_EQ(list[0].at("is_current"), false);
  const Ran other = run({"inspect", kSamples + "blur.hlpipe", "--list-candidates"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.errors, HasSubstr("is not a document"));
}

TEST_F(CliDocument, NamesCandidatesById) {
  const std::string plain =
      run({"export", kSamples + "blur.hlpipe", "--schedule", "default"}).output;
  const Ran first = run({"export", path(), "--schedule", "1"});
  ASSERT_EQ(first.code, 0) << first.errors;
  EXPECT_EQ(first.output, plain);
  const Ran second = run({"export", path(), "--schedule", "2"});
  ASSERT_EQ(second.code, 0) << second.errors;
  EXPECT_THAT(second.output, HasSubstr("128"));
  EXPECT_EQ(run({"export", path(), "--schedule", "current"}).output, second.output);
  EXPECT_EQ(run({"export", path(), "--schedule", "default"}).output, plain);
}

TEST_F(CliDocument, IsCompiledExplainedAndSearched) {
  const Ran compiled = run({"compile", path(), "--schedule", "1", "--lowered"});
  EXPECT_EQ(compiled.code, 0) << compiled.errors;
  EXPECT_THAT(compiled.output, HasSubstr("blur_x"));
  const Ran explained = run({"explain", path(), "--schedule", "current"});
  EXPECT_EQ(explained.code, 0) << explained.errors;
  const Ran searched = run({"schedule", path(), "--algorithm", "autogpu"});
  EXPECT_EQ(searched.code, 0) << searched.errors;
}

// The pipeline is read again at other sizes, and the candidates are kept.
TEST_F(CliDocument, OpensAtOtherSizes) {
  const Ran ran = run({"inspect", path(), "--estimate", "output=0:320,0:200"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("320×200"));
  const Ran exported =
      run({"export", path(), "--estimate", "output=0:320,0:200", "--schedule", "2"});
  EXPECT_EQ(exported.code, 0) << exported.errors;
  EXPECT_THAT(exported.output, HasSubstr("128"));
}

// The pipeline is read from a scratch file, which means nothing to the user.
TEST_F(CliDocument, NamesNoScratchFile) {
  const Ran ran = run({"inspect", path(), "--estimate", "nobody=320x200"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.errors, AllOf(HasSubstr("blur.hlpipe': estimate for \"nobody\""),
                                Not(HasSubstr("/scratch-"))));
}

TEST_F(CliDocument, SaysWhatItIsNot) {
  const Ran missing = run({"export", path(), "--schedule", "9"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.errors, AllOf(HasSubstr("no candidate 9"), HasSubstr("1 (default)"),
                                    HasSubstr("2 (capped)")));
  const Ran sized = run({"inspect", path(), "--size", "paper-small"});
  EXPECT_EQ(sized.code, 2);
  EXPECT_THAT(sized.errors, HasSubstr("holds one pipeline"));
  const Ran plain = run({"export", kSamples + "blur.hlpipe", "--schedule", "1"});
  EXPECT_EQ(plain.code, 2);
  EXPECT_THAT(plain.errors, HasSubstr("Only a document has"));
  EXPECT_EQ(run({"inspect", home() + "/none.tessera"}).code, 3);
}

// Each damage is reported by a message, and the program never ends in another way.
TEST_F(CliDocument, SaysWhatIsDamaged) {
  const std::string whole = *host::readFile(path());
  const std::string damaged = home() + "/damaged.tessera";
  const auto tryWith = [&](const std::string &bytes) {
    EXPECT_TRUE(host::writeFile(damaged, bytes));
    return run({"inspect", damaged, "--list-candidates"});
  };
  const Ran noDocument = tryWith("no document at all");
  EXPECT_EQ(noDocument.code, 3);
  EXPECT_THAT(noDocument.errors, HasSubstr("damaged.tessera"));
  EXPECT_EQ(tryWith("").code, 3);
  // Damages the middle of a candidate. That candidate is reported as lost, and the rest is there.
  std::string changed = whole;
  const std::size_t at = changed.rfind("capped");
  ASSERT_NE(at, std::string::npos);
  changed[at] = 'C';
  const Ran partly = tryWith(changed);
  EXPECT_EQ(partly.code, 0) << partly.errors;
  EXPECT_THAT(partly.errors, AllOf(HasSubstr("is damaged"), HasSubstr("lost: ")));
  EXPECT_THAT(partly.output, Not(HasSubstr("capped")));
  // Cuts inside each section. The length of the whole depends on the folder that it is made in.
  int cuts = 0;
  for (std::size_t begin = whole.find("{\"section\":"); begin != std::string::npos;
       begin = whole.find("{\"section\":", begin + 1), ++cuts) {
    const Ran cut = tryWith(whole.substr(0, begin + 40));
    EXPECT_TRUE(cut.code == 0 || cut.code == 3) << begin << ": " << cut.errors;
    EXPECT_NE(cut.errors, "") << begin;
  }
  EXPECT_GE(cuts, 8);
}

} // namespace
} // namespace tessera
