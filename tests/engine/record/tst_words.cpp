// SPDX-License-Identifier: MIT
#include "engine/record/words.h"

#include "engine/bench/device/worker.h"
#include "engine/job/reply.h"

#include <gtest/gtest.h>

#include <csignal>

namespace tessera::record {
namespace {

TEST(Words, OutcomesAndCodesReadAsEverywhere) {
  for (int i = 0; i < kOutcomeCount; ++i)
    EXPECT_EQ(wordOf(Outcome(i)).text(), name(Outcome(i)));
  for (int i = 0; i <= int(ErrorCode::System); ++i)
    EXPECT_EQ(wordOf(ErrorCode(i)).text(), job::name(ErrorCode(i)));
}

// tests/engine/halide/worker/tst_worker.cpp checks the same for tessera-halide.
TEST(Words, KnowTheRequestsOfTheGpusWorker) {
  for (const auto &[type, handler] : bench::workerHandlers({}).byType)
    EXPECT_EQ(requestWord(type).text(), type);
}

TEST(Words, SignalsByName) {
  EXPECT_EQ(signalWord(SIGSEGV), Word("SIGSEGV"));
  EXPECT_EQ(signalWord(SIGKILL), Word("SIGKILL"));
  EXPECT_EQ(signalWord(63), Word("other"));
}

TEST(Words, PhasesWithoutTheNamesInThem) {
  EXPECT_EQ(phaseWord("access maps"), Word("access maps"));
  EXPECT_EQ(phaseWord("first run"), Word("first run"));
  EXPECT_EQ(phaseWord("my_secret_func: first run"), Word("other"));
  EXPECT_EQ(phaseWord("connecting to somebody@somewhere"), Word("other"));
  EXPECT_EQ(phaseWord("12"), Word("other"));
}

TEST(Words, TheMostTellingOfLastWords) {
  EXPECT_EQ(knownWordIn("terminate called after throwing an instance of 'std::bad_alloc'"),
            Word("bad_alloc"));
  EXPECT_EQ(knownWordIn("my_secret_func$3: CUDA_ERROR_ILLEGAL_ADDRESS"),
            Word("CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_EQ(knownWordIn("CUDA_ERROR_MY_SECRET"), Word("CUDA_ERROR"));
  EXPECT_EQ(knownWordIn("my_secret_func reads out of bounds"), Word("none"));
}

} // namespace
} // namespace tessera::record
