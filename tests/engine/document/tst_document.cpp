// SPDX-License-Identifier: MIT
#include "engine/document/document.h"

#include "engine/document/document_file.h"
#include "engine/document/opened_document.h"
#include "engine/document/pipeline_copy.h"
#include "engine/document/sections.h"
#include "engine/open/open.h"
#include "tests/engine/document/documents.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::document {
namespace {

using test::candidateOf;
using test::exampleDocument;
using test::exampleSource;
using test::marked;
using test::variant;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Document editedDocument() {
  Document document(exampleSource());
  EXPECT_TRUE(document.apply(EditSchedule{"Tile of f", variant(document, 8)}));
  EXPECT_TRUE(document.apply(EditSchedule{"Freeze the tile of f", marked(variant(document, 8))}));
  EXPECT_TRUE(document.apply(EditSchedule{"Tile of f", variant(document, 16)}));
  return document;
}

TEST(Document, UndoesAndRedoesEditsByName) {
  Document document(exampleSource());
  EXPECT_FALSE(document.current());
  EXPECT_FALSE(document.undoName());
  EXPECT_FALSE(document.apply(Undo{}));
  document = editedDocument();
  EXPECT_EQ(*document.undoName(), "Tile of f");
  EXPECT_EQ(*document.current(), variant(document, 16));
  ASSERT_TRUE(document.apply(Undo{}));
  EXPECT_EQ(*document.undoName(), "Freeze the tile of f");
  EXPECT_EQ(*document.redoName(), "Tile of f");
  EXPECT_EQ(document.current()->marks(), marked(variant(document, 8)).marks());
  ASSERT_TRUE(document.apply(Undo{}));
  EXPECT_TRUE(document.current()->marks().empty()) << "freezing is undone as an edit is";
  ASSERT_TRUE(document.apply(Redo{}));
  ASSERT_TRUE(document.apply(Redo{}));
  EXPECT_FALSE(document.redoName());
  EXPECT_EQ(*document.current(), variant(document, 16));
}

TEST(Document, AnotherEditForgetsWhatWasUndone) {
  Document document = editedDocument();
  ASSERT_TRUE(document.apply(Undo{}));
  ASSERT_TRUE(document.apply(EditSchedule{"Another", variant(document, 4)}));
  EXPECT_FALSE(document.apply(Redo{}));
  EXPECT_EQ(document.parts().steps.size(), 3U);
}

TEST(Document, WhatWasFoundStaysWhenAnEditIsUndone) {
  Document document = editedDocument();
  ASSERT_TRUE(document.apply(AddCandidate{candidateOf(variant(document, 8), "auto 1")}));
  ASSERT_TRUE(document.apply(SetMeasurement{1, test::exampleMeasurement()}));
  ASSERT_TRUE(document.apply(Undo{}));
  ASSERT_EQ(document.candidates().size(), 1U);
  EXPECT_TRUE(document.candidate(1)->measurement);
}

TEST(Document, LabelsAreUndoneAndLeaveMeasurementsAlone) {
  Document document(exampleSource());
  for (const int factor : {4, 8})
    ASSERT_TRUE(document.apply(AddCandidate{candidateOf(variant(document, factor), "auto")}));
  ASSERT_TRUE(document.apply(pinned(document, 1, Pin::A, "Pin A")));
  ASSERT_TRUE(document.apply(pinned(document, 2, Pin::A, "Pin A")));
  EXPECT_EQ(document.candidate(1)->label.pin, Pin::None) << "one candidate at most has a pin";
  EXPECT_EQ(document.candidate(2)->label.pin, Pin::A);
  CandidateLabel label = document.candidate(1)->label;
  label.name = "mine";
  label.isRemoved = true;
  ASSERT_TRUE(document.apply(Relabel{"Remove auto", {{1, label}}}));
  ASSERT_TRUE(document.apply(SetMeasurement{1, test::exampleMeasurement()}));
  ASSERT_TRUE(document.apply(Undo{}));
  EXPECT_EQ(document.candidate(1)->label.name, "auto");
  EXPECT_FALSE(document.candidate(1)->label.isRemoved);
  EXPECT_TRUE(document.candidate(1)->measurement);
  ASSERT_TRUE(document.apply(Undo{}));
  EXPECT_EQ(document.candidate(1)->label.pin, Pin::A);
  EXPECT_EQ(document.candidate(2)->label.pin, Pin::None);
}

TEST(Document, InputsAreUndoneAndLeaveTheScheduleAlone) {
  Document document = editedDocument();
  const auto current = document.current();
  const measure::RunInputs photo = measure::RunInputs().with("in", "/there/photo.png");
  measure::RunInputs seeded = photo.with("mask", "/there/mask.npy").with("in", "");
  seeded.seed = 7;
  ASSERT_TRUE(document.apply(SetInputs{"Input in from photo.png", photo}));
  EXPECT_FALSE(document.apply(SetInputs{"Input in from photo.png", photo})) << "nothing changes";
  ASSERT_TRUE(document.apply(SetInputs{"Seed 7", seeded}));
  EXPECT_EQ(document.inputs().pathOf("in"), "");
  EXPECT_EQ(document.inputs().pathOf("mask"), "/there/mask.npy");
  EXPECT_EQ(document.current(), current);
  ASSERT_TRUE(document.apply(Undo{}));
  EXPECT_EQ(document.inputs(), photo);
  EXPECT_EQ(*document.undoName(), "Input in from photo.png");
  ASSERT_TRUE(document.apply(Undo{}));
  EXPECT_EQ(document.inputs(), measure::RunInputs());
  ASSERT_TRUE(document.apply(Redo{}));
  ASSERT_TRUE(document.apply(Redo{}));
  EXPECT_EQ(document.inputs(), seeded);
}

TEST(Document, RefusesWhatDoesNotFit) {
  Document document(exampleSource());
  const Document other(exampleSource());
  EXPECT_FALSE(document.apply(EditSchedule{"Tile", variant(other, 8)})) << "another pipeline";
  EXPECT_FALSE(document.apply(Relabel{"Rename", {{7, {}}}}));
  EXPECT_FALSE(document.apply(SetMeasurement{7, {}}));
  EXPECT_FALSE(document.apply(Redo{}));
  Document::Parts parts = document.parts();
  parts.position = 1;
  EXPECT_FALSE(Document::create(parts));
}

TEST(DocumentFile, ComesBackAsItWas) {
  const Document document = exampleDocument();
  const auto read = readDocument(documentText(document, std::string("\0layout\xff", 8)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->lost, IsEmpty());
  EXPECT_EQ(read->layout, std::string("\0layout\xff", 8));
  EXPECT_EQ(test::difference(read->document, document), "");
  // Writing the read document gives the same bytes.
  EXPECT_EQ(documentText(read->document, {}), documentText(document, {}));
}

TEST(DocumentFile, MeasurementsSayWhatTheyAreOf) {
  Document document = exampleDocument();
  measure::KeptMeasurement measured =
      test::measurementOf(document, document.candidate(2)->schedule);
  bench::KernelCounters counted;
  counted.name = "k0_g_s0";
  counted.occupancy = 0.4;
  counted.dramReadBytes = 4096;
  measured.counters.emplace();
  measured.counters->chip = "GH100";
  measured.counters->kernels = {counted};
  ASSERT_TRUE(document.apply(SetMeasurement{2, measured}));
  const auto read = readDocument(documentText(document, {}));
  ASSERT_TRUE(read) << read.error().message;
  const KeptCandidate &candidate = *read->document.candidate(2);
  ASSERT_TRUE(candidate.measurement);
  EXPECT_EQ(*candidate.measurement, measured);
  EXPECT_EQ(read->document.freshnessOf(candidate), measure::Freshness::Fresh);
}

// Measurements on another GPU or another day are kept separately.
TEST(DocumentFile, EarlierMeasurementsAreKept) {
  Document document = exampleDocument();
  measure::KeptMeasurement measured =
      test::measurementOf(document, document.candidate(2)->schedule);
  const std::size_t before = document.candidate(2)->measurement ? 1 : 0;
  for (const char *date :
       {"2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z"}) {
    measured.times.date = date;
    ASSERT_TRUE(document.apply(SetMeasurement{2, measured}));
  }
  const auto read = readDocument(documentText(document, {}));
  ASSERT_TRUE(read) << read.error().message;
  const KeptCandidate &candidate = *read->document.candidate(2);
  EXPECT_EQ(candidate.measurement->times.date, "2026-11-22T10:00:00Z");
  ASSERT_EQ(candidate.earlier.size(), 2 + before);
  EXPECT_EQ(candidate.earlier[0].times.date, "2026-11-21T10:00:00Z");
  EXPECT_EQ(candidate.earlier[1].times.date, "2026-11-20T10:00:00Z");
  EXPECT_EQ(candidate.earlier, document.candidate(2)->earlier);
  for (std::size_t i = 0; i < 2 * KeptCandidate::kMostEarlier; ++i)
    ASSERT_TRUE(document.apply(SetMeasurement{2, measured}));
  EXPECT_EQ(document.candidate(2)->earlier.size(), KeptCandidate::kMostEarlier);
}

// A verification is read back with all its findings, whether the outputs were right or wrong. Old
// documents have no verifications.
TEST(DocumentFile, VerificationsComeBack) {
  Document document = test::fullDocument();
  KeptVerification wrong = test::verificationOf(document, document.candidate(1)->schedule);
  wrong.api = measure::GpuApi::OpenCl;
  wrong.report.outputs[0].beyond = 3;
  wrong.report.outputs[0].worstAt = {1, 2};
  wrong.of.inputs = {{{"in", "/photos/cat.png"}}, 7};
  ASSERT_TRUE(document.apply(SetVerification{1, wrong}));
  const auto read = readDocument(documentText(document, {}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->document.candidate(1)->verification, wrong);
  EXPECT_FALSE(read->document.candidate(1)->verification->report.equal());
  EXPECT_EQ(read->document.candidate(2)->verification, document.candidate(2)->verification);
  EXPECT_TRUE(read->document.candidate(2)->verification->report.equal());
}

TEST(Document, VerificationsSayWhatTheyAreOfAndStay) {
  Document document = exampleDocument();
  const auto freshness = [&](KeptVerification verification) {
    EXPECT_TRUE(document.apply(SetVerification{1, std::move(verification)}));
    return document.freshnessOfVerification(*document.candidate(1));
  };
  KeptVerification verified = test::verificationOf(document, document.candidate(1)->schedule);
  EXPECT_EQ(freshness(verified), measure::Freshness::Fresh);
  ASSERT_TRUE(document.apply(Undo{}));
  EXPECT_TRUE(document.candidate(1)->verification) << "what was found is in no step";
  EXPECT_TRUE(document.candidate(1)->measurement) << "and takes the place of nothing else";
  verified.of.scheduleHash = document.candidate(2)->schedule.hash();
  EXPECT_EQ(freshness(verified), measure::Freshness::OtherSchedule);
  verified.of.contentSha256 = std::string(64, '0');
  EXPECT_EQ(freshness(verified), measure::Freshness::OtherPipeline);
  verified = test::verificationOf(document, document.candidate(1)->schedule);
  verified.of.inputs.seed = 7;
  EXPECT_EQ(freshness(verified), measure::Freshness::OtherInputs);
  EXPECT_FALSE(document.apply(SetVerification{7, verified}));
}

TEST(Document, MeasurementsOfOtherThingsAreStale) {
  Document document = exampleDocument();
  const auto freshness = [&](measure::KeptMeasurement measured) {
    EXPECT_TRUE(document.apply(SetMeasurement{1, std::move(measured)}));
    return document.freshnessOf(*document.candidate(1));
  };
  const measure::KeptMeasurement measured =
      test::measurementOf(document, document.candidate(1)->schedule);
  EXPECT_EQ(freshness(measured), measure::Freshness::Fresh);
  EXPECT_EQ(freshness(test::exampleMeasurement()), measure::Freshness::Fresh)
      << "nobody wrote down of what";
  measure::KeptMeasurement other = measured;
  other.of.scheduleHash = document.candidate(2)->schedule.hash();
  EXPECT_EQ(freshness(other), measure::Freshness::OtherSchedule);
  other.of.contentSha256 = std::string(64, '0');
  EXPECT_EQ(freshness(other), measure::Freshness::OtherPipeline);
  const measure::RunInputs photo = measure::RunInputs().with("in", "/photos/cat.png");
  ASSERT_TRUE(document.apply(SetInputs{"Input in from cat.png", photo}));
  EXPECT_EQ(freshness(measured), measure::Freshness::OtherInputs);
  measure::KeptMeasurement onPhoto = measured;
  onPhoto.of.inputs = photo;
  EXPECT_EQ(freshness(onPhoto), measure::Freshness::Fresh);
  const auto read = readDocument(documentText(document, {}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->document.candidate(1)->measurement->of, onPhoto.of);
}

TEST(Document, AnotherSizeIsAnotherContent) {
  PipelineCopy source = *exampleSource();
  const std::string before = contentSha256Of(source);
  EXPECT_EQ(before, source.contentSha256);
  source.estimates[0].dims[0].max += 1;
  EXPECT_NE(contentSha256Of(source), before);
  source.serialized.clear();
  EXPECT_EQ(contentSha256Of(source), "") << "its file is not there";
}

TEST(DocumentFile, AnEmptyDocumentComesBackToo) {
  const auto read = readDocument(documentText(Document(exampleSource()), {}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->document.current());
  EXPECT_FALSE(read->document.undoName());
}

TEST(DocumentFile, HowASourceIsCompiledComesBack) {
  PipelineCopy source = *exampleSource();
  source.request.build = {{"/app", "/app/lib"}, {"TAPS=3"}, {"/app/two.cpp"}, {"/lib/libx.so"}};
  const Document document(std::make_shared<const PipelineCopy>(source));
  const std::string text = documentText(document, {});
  const auto read = readDocument(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->document.source().request.build, source.request.build);
}

// A document has one pipeline: what would make another is refused, and not ignored.
TEST(OpenedDocument, AnotherGeneratorOrBuildIsRefused) {
  const Document document(exampleSource());
  open::PipelineOpener opener({}, nullptr);
  const auto refusal = [&](const open::OpenRequest &request) {
    const auto opened = openedAs(document, request, "/tmp", opener);
    EXPECT_FALSE(opened);
    return opened ? Error{} : opened.error();
  };
  open::OpenRequest request = document.source().request;
  request.parameters = {{"radius", "4"}};
  EXPECT_THAT(refusal(request).message, HasSubstr("generator cannot run again"));
  for (std::vector<std::string> open::BuildOptions::*values :
       {&open::BuildOptions::includes, &open::BuildOptions::definitions,
        &open::BuildOptions::sources, &open::BuildOptions::libraries}) {
    request = document.source().request;
    request.build.*values = {"x"};
    const Error error = refusal(request);
    EXPECT_EQ(error.code, ErrorCode::Usage);
    EXPECT_THAT(error.message, HasSubstr("cannot be compiled again"));
  }
}

// A file as the first version of the program wrote it. It must always open.
TEST(DocumentFile, OpensTheFirstFormat) {
  const std::string path = tessera::test::sourcePath("tests/data/format1.tessera");
  const auto read = openDocument(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->lost, IsEmpty());
  EXPECT_EQ(read->layout, "layout");
  EXPECT_EQ(test::difference(read->document, exampleDocument()), "");
}

TEST(DocumentFile, ALaterFormatIsRefusedByItsNumber) {
  std::string text = documentText(exampleDocument(), {});
  text.replace(text.find("\"version\":1"), 11, "\"version\":9");
  const auto read = readDocument(text);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("later version"));
  EXPECT_THAT(read.error().message, HasSubstr("9"));
}

// Each section in turn is damaged by one byte.
TEST(DocumentFile, ADamagedSectionCostsNoMoreThanItself) {
  const Document document = exampleDocument();
  const std::string whole = documentText(document, "layout");
  const auto sections = readSections("document", 1, whole);
  ASSERT_TRUE(sections);
  ASSERT_GE(sections->sections.size(), 8U);
  for (const Section &section : sections->sections) {
    std::string text = whole;
    text[text.find(section.text) + section.text.size() / 2] ^= 1;
    const auto read =
        readDocument(text, [&](const PipelineCopy &copy) -> Result<pipeline::PipelinePtr> {
          EXPECT_EQ(copy.serialized, document.source().serialized);
          return document.pipeline();
        });
    ASSERT_TRUE(read) << section.name << ": " << read.error().message;
    EXPECT_THAT(read->lost, ElementsAre(section.name));
    const Document &left = read->document;
    if (section.name != "history") {
      EXPECT_EQ(left.parts().steps.size(), document.parts().steps.size()) << section.name;
    }
    ASSERT_TRUE(left.current()) << section.name;
    EXPECT_EQ(*left.current(), *document.current()) << section.name;
    EXPECT_EQ(left.candidates().size(),
              document.candidates().size() - section.name.starts_with("candidate"));
  }
}

TEST(DocumentFile, ATornFileGivesWhatIsBeforeTheTear) {
  const Document document = exampleDocument();
  const std::string whole = documentText(document, {});
  const auto read = readDocument(whole.substr(0, whole.find("{\"section\":\"candidate 1\"") + 40));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->lost, ElementsAre("candidate 1", "candidate 2", "layout"));
  EXPECT_EQ(read->document.parts().steps.size(), document.parts().steps.size());
}

// Wherever the file is torn: what is missing is said. The newline at the very end is no loss.
TEST(DocumentFile, ATearIsAlwaysSaid) {
  const std::string whole = documentText(exampleDocument(), "layout");
  constexpr std::size_t kStep = 13; // the last bytes are tried one by one
  for (std::size_t length = 0; length + 1 < whole.size();
       length += length + 300 < whole.size() ? kStep : 1) {
    const auto read = readDocument(whole.substr(0, length));
    EXPECT_TRUE(!read || !read->lost.empty()) << length << " of " << whole.size();
  }
  const auto read = readDocument(whole.substr(0, whole.size() - 1));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->lost, IsEmpty());
}

TEST(DocumentFile, SaysWhenNothingCanBeSaved) {
  const std::string whole = documentText(exampleDocument(), {});
  for (const std::string &text :
       {std::string(), std::string("hello"), std::string(4096, '\0'), whole.substr(0, 200)}) {
    const auto read = readDocument(text);
    ASSERT_FALSE(read);
    EXPECT_FALSE(read.error().message.empty());
  }
}

TEST(DocumentFile, WhatALaterProgramAddsIsNamed) {
  const auto sections = readSections("document", 1, documentText(exampleDocument(), {}));
  std::vector<Section> more = sections->sections;
  more.push_back({"weather", "{}"});
  const auto read = readDocument(sectionsText("document", 1, more));
  ASSERT_TRUE(read);
  EXPECT_THAT(read->lost, Contains(StartsWith("weather")));
}

using DocumentFiles = host::test::ScratchTest;

TEST_F(DocumentFiles, AreSavedAndOpened) {
  const std::string path = folder() + "/one.tessera";
  ASSERT_TRUE(saveDocument(path, exampleDocument(), {}));
  const auto read = openDocument(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(test::difference(read->document, exampleDocument()), "");
  std::filesystem::create_symlink("one.tessera", folder() + "/link.tessera");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  ASSERT_TRUE(saveDocument(folder() + "/link.tessera", exampleDocument(), "layout"));
  EXPECT_EQ(openDocument(path)->layout, "layout") << "saved through the link";
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
  const auto missing = openDocument(folder() + "/none.tessera");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("none.tessera"));
  const auto other = openDocument(file("other.tessera", "{}"));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("other.tessera"));
}

} // namespace
} // namespace tessera::document
