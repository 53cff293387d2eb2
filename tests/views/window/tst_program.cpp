// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer as a program, where there is no display.
#include "../run_program.h"
#include "tests/support/build_paths.h"

#include <QTest>

class TestProgram : public QObject {
  Q_OBJECT
private slots:
  void helpNeedsNoDisplay_data();
  void helpNeedsNoDisplay();
  void saysThatThereIsNoDisplay();
};

namespace {

// Runs the program where there is no display.
tessera::views::test::RanProgram run(const QStringList &arguments) {
  return tessera::views::test::runProgram(
      "env", QStringList{"-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "QT_QPA_PLATFORM",
                         QString::fromStdString(tessera::test::binPath("tessera"))} +
                 arguments);
}

} // namespace

void TestProgram::helpNeedsNoDisplay_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("words");
  QTest::newRow("long") << QStringList{"--help"} << QByteArray("Explore GPU schedules");
  QTest::newRow("short") << QStringList{"-h"} << QByteArray("--own-schedule");
  QTest::newRow("version") << QStringList{"--version"} << QByteArray("tessera ");
  QTest::newRow("Qt's option") << QStringList{"-platform", "xcb", "--help"}
                               << QByteArray("Explore GPU schedules");
}

void TestProgram::helpNeedsNoDisplay() {
  QFETCH(const QStringList, arguments);
  QFETCH(const QByteArray, words);
  const auto program = run(arguments);
  QCOMPARE(program.exitCode, 0);
  QVERIFY2(program.output.contains(words), program.output);
}

void TestProgram::saysThatThereIsNoDisplay() {
  const auto program = run({"blur"});
  QCOMPARE(program.exitCode, 1);
  const QByteArray &said = program.errors;
  QVERIFY2(said.contains("no display") && said.contains("tessera-cli"), said);
}

QTEST_MAIN(TestProgram)
#include "tst_program.moc"
