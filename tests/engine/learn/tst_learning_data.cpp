// SPDX-License-Identifier: MIT
#include "engine/learn/learning_data.h"
#include "tests/engine/learn/random_features.h"

#include <gmock/gmock.h>

#include <random>

namespace tessera::learn {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

LearningData twoApplications() {
  testing::RandomFeatures random(7);
  LearningData data{"0.1.0 (5c2f0a91b3d4)", {}};
  const AlgorithmPtr blur = random.algorithm(2), harris = random.algorithm(3);
  for (int i = 0; i < 5; ++i) {
    const bool isBlur = i % 2 == 0;
    data.rows.push_back(
        {.application = isBlur ? "blur" : "harris",
         .hash = std::to_string(1000 + i),
         .machine = "NVIDIA H200",
         .commit = i == 0 ? "" : "98ba92ae",
         .predicted = {0.25 * (i + 1), {{.predicted = 0.125, .measured = 0.25 * i}}},
         .compiled = {},
         .sample = random.sample(isBlur ? blur : harris)});
    data.rows.back().sample.milliseconds = 0.1 * (i + 1);
    KernelFeatures &features = data.rows.back().predicted.kernels[0].features;
    for (std::size_t f = 0; f < kKernelFeatures; ++f)
      features[f] = static_cast<float>(f) / 7;
    data.rows.back().sample.cores = 132;
  }
  return data;
}

std::string said(const std::string &text) {
  const auto data = learningDataFrom(text, "mine.jsonl");
  return data.ok() ? "accepted" : data.error().message;
}

std::string replaced(std::string text, const std::string &what, const std::string &by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(LearningData, ReadsBackWhatItWrote) {
  const LearningData before = twoApplications();
  const auto after = learningDataFrom(toText(before), "mine.jsonl");
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_EQ(after->program, before.program);
  ASSERT_EQ(after->rows.size(), before.rows.size());
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    const DataRow &was = before.rows[i], &is = after->rows[i];
    EXPECT_EQ(is.application, was.application);
    EXPECT_EQ(is.hash, was.hash);
    EXPECT_EQ(is.commit, was.commit);
    EXPECT_EQ(is.predicted.milliseconds, was.predicted.milliseconds);
    ASSERT_EQ(is.predicted.kernels.size(), 1U);
    EXPECT_EQ(is.predicted.kernels[0].measured, was.predicted.kernels[0].measured);
    EXPECT_THAT(is.predicted.kernels[0].features,
                ::testing::Pointwise(FloatNear(2e-4F), was.predicted.kernels[0].features));
    EXPECT_TRUE(is.compiled.kernels.empty());
    EXPECT_EQ(is.sample.stages, was.sample.stages);
    EXPECT_EQ(*is.sample.algorithm, *was.sample.algorithm);
    EXPECT_EQ(is.sample.milliseconds, was.sample.milliseconds);
    EXPECT_EQ(is.sample.cores, was.sample.cores);
  }
  EXPECT_EQ(after->rows[0].sample.algorithm, after->rows[2].sample.algorithm) << "is shared";
}

TEST(LearningData, TimesOfAnotherMachineAreAnApplicationOfTheirOwn) {
  LearningData data = twoApplications();
  data.rows[2].machine = "NVIDIA L4";
  EXPECT_THAT(data.machines(), ElementsAre("NVIDIA H200", "NVIDIA L4"));
  const std::vector<Application> applications = data.applications();
  ASSERT_EQ(applications.size(), 3U);
  EXPECT_EQ(applications[0].name, "blur");
  EXPECT_EQ(applications[0].samples.size(), 2U);
  EXPECT_EQ(applications[1].name, "blur");
  EXPECT_EQ(applications[1].samples.size(), 1U);
  EXPECT_EQ(applications[2].name, "harris");
}

TEST(LearningData, AFileThatIsNotWholeIsRefusedByName) {
  const std::string whole = toText(twoApplications());
  const std::size_t last = whole.rfind("\n", whole.size() - 2);
  EXPECT_EQ(said(whole.substr(0, last + 1)), "'mine.jsonl' is damaged: it is not whole.");
  EXPECT_THAT(said(whole.substr(0, whole.size() / 2)), HasSubstr("'mine.jsonl' is damaged"));
  EXPECT_EQ(said(whole + "{}\n"), "'mine.jsonl' is damaged: it is not whole.");
  EXPECT_THAT(said(replaced(whole, "{\"rows\":5}", "{\"rows\":6}")), HasSubstr("rows are missing"));
}

TEST(LearningData, AnotherFileIsRefusedByName) {
  EXPECT_EQ(said(""), "'mine.jsonl' is not a file of learning data.");
  EXPECT_EQ(said("{\"pipeline\": \"bgu\"}\n"), "'mine.jsonl' is not a file of learning data.");
  EXPECT_THAT(said(replaced(toText(twoApplications()), "\"features\":2", "\"features\":0")),
              HasSubstr("features of another version"));
}

TEST(LearningData, DamageIsNamedWithItsLine) {
  const std::string whole = toText(twoApplications());
  EXPECT_EQ(said(replaced(whole, "\"cores\":132", "\"cores\":0")),
            "'mine.jsonl' is damaged in line 3: 'cores' is not above 0.");
  EXPECT_THAT(said(replaced(whole, "\"algorithm\":0", "\"algorithm\":9")),
              HasSubstr("line 3: 'algorithm' is out of range"));
  EXPECT_THAT(said(replaced(whole, "\"ms\":0.1", "\"ms\":\"0.1\"")),
              HasSubstr("'ms' is not a number"));
  EXPECT_THAT(said(replaced(whole, "\"stages\":[[", "\"stages\":[[1,")),
              HasSubstr("does not have 73 features"));
}

TEST(LearningData, RandomDamageEndsWithAnAnswer) {
  const std::string whole = toText(twoApplications());
  std::mt19937 random(11);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    const std::string answer = said(damaged);
    EXPECT_THAT(answer, ::testing::AnyOf("accepted", HasSubstr("'mine.jsonl'")));
  }
}

} // namespace
} // namespace tessera::learn
