// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer as a program, where there is no display.
#include "../program_process.h"
#include "tests/support/build_paths.h"

#include <QProcess>
#include <QTest>

class TestProgram : public QObject {
  Q_OBJECT
private slots:
  void helpNeedsNoDisplay_data();
  void helpNeedsNoDisplay();
  void saysThatThereIsNoDisplay();

private:
  void run(const QStringList &arguments);

  tessera::views::test::ProgramProcess m_program;
};

void TestProgram::run(const QStringList &arguments) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    environment.remove(name);
  m_program.setProcessEnvironment(environment);
  m_program.start(QString::fromStdString(tessera::test::binPath("tessera")), arguments);
  QVERIFY(m_program.waitForFinished());
  QCOMPARE(m_program.exitStatus(), QProcess::NormalExit);
}

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
  run(arguments);
  QCOMPARE(m_program.exitCode(), 0);
  const QByteArray printed = m_program.readAllStandardOutput();
  QVERIFY2(printed.contains(words), printed);
}

void TestProgram::saysThatThereIsNoDisplay() {
  run({"blur"});
  QCOMPARE(m_program.exitCode(), 1);
  const QByteArray said = m_program.readAllStandardError();
  QVERIFY2(said.contains("no display") && said.contains("tessera-cli"), said);
}

QTEST_MAIN(TestProgram)
#include "tst_program.moc"
