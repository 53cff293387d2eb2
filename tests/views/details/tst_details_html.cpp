// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/details_html.h"

#include "../test_pipelines.h"

#include <QLocale>
#include <QTest>
#include <QTextDocument>

#include <optional>
#include <utility>

using namespace tessera;
using namespace tessera::views;

namespace {

// The text of a stage's details, in a schedule that an algorithm with these costs has found.
QString textOf(const std::string &stage, std::vector<search::KernelCost> costs) {
  const pipeline::PipelinePtr pipeline = views::test::smallPipeline();
  FoundSchedule found = views::test::defaultFound(pipeline);
  found.algorithm = "autogpu";
  found.costs = std::move(costs);
  std::optional<Subject> subject;
  for (std::uint32_t i = 0; i < pipeline->stages().size(); ++i)
    if (pipeline->stageName(pipeline::StageId{i}) == stage)
      subject = Subject::stage(pipeline::StageId{i});
  if (!subject) return {};
  QTextDocument text;
  text.setHtml(detailsHtml(*pipeline, *subject, {}, showSchedule(std::move(found), "h200")));
  return text.toPlainText();
}

} // namespace

class TestDetailsHtml : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }
  void theCostOfAKernelIsOfItsStages();
  void valuesHaveTheirUnits();
  void anUnknownTermKeepsItsName();
};

void TestDetailsHtml::theCostOfAKernelIsOfItsStages() {
  const std::vector<search::KernelCost> costs{
      {"blur_y", {{"valid", 1}, {"memory", 12}, {"total", 34}}}};
  for (const char *stage : {"blur_y", "blur_y.update(0)"}) {
    const QString text = textOf(stage, costs);
    QVERIFY2(text.contains("Cost of its kernel by autogpu"), qPrintable(text));
    QVERIFY(text.contains("Memory\n12") && text.contains("In all\n34"));
    QVERIFY(!text.contains("Valid"));
    QVERIFY(text.contains("They are no seconds."));
  }
  QVERIFY(!textOf("blur_x", costs).contains("Cost of its kernel"));
  QVERIFY(!textOf("blur_y", {}).contains("Cost of its kernel"));
}

void TestDetailsHtml::valuesHaveTheirUnits() {
  const QString text = textOf("blur_x", {{"blur_x",
                                          {{"valid", 0},
                                           {"member_loads", 1.5e12},
                                           {"other_loads", 0.3125},
                                           {"arithmetic", 1130621.4},
                                           {"shared_bytes", 3296},
                                           {"occupancy", 0.625}}}});
  QVERIFY2(text.contains("Valid\nno"), qPrintable(text));
  QVERIFY(text.contains("of which loads from shared memory\n1.5e+12"));
  QVERIFY(text.contains("of which loads from global memory\n0.3125"));
  QVERIFY(text.contains("Arithmetic\n1130621"));
  QVERIFY(text.contains("Shared memory of a block\n3.2 KiB"));
  QVERIFY(text.contains("Occupancy\n62.5 %"));
}

void TestDetailsHtml::anUnknownTermKeepsItsName() {
  QVERIFY(textOf("blur_x", {{"blur_x", {{"moon_phase", 3}}}}).contains("moon_phase\n3"));
}

QTEST_MAIN(TestDetailsHtml)
#include "tst_details_html.moc"
