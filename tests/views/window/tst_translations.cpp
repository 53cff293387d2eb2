// SPDX-License-Identifier: GPL-3.0-or-later
// A translation file is found and shown in the window, with the plurals of its language. The tools
// of translators can read the sources.
#include "../run_program.h"
#include "test_window.h"
#include "views/window/translations.h"
#include "views/text/counted_text.h"
#include "tests/support/build_paths.h"

#include <QFile>
#include <QMenuBar>
#include <QTest>

using namespace tessera;
using namespace tessera::views;

class TestTranslations : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void staysEnglish_data();
  void staysEnglish();
  void aBrokenOneIsLeftOut();
  void isShownInTheWindow();
  void everyTextHasAContext();

private:
  QTemporaryDir m_folder;
};

static QStringList menusOf(views::test::TestWindow &window) {
  QStringList titles;
  for (const QAction *menu : window.window().menuBar()->actions())
    titles << menu->text();
  return titles;
}

void TestTranslations::initTestCase() {
  if (QStringLiteral(TESSERA_LRELEASE).isEmpty()) QSKIP("lrelease is not installed");
  QFile source(m_folder.filePath("tessera_cs.ts"));
  QVERIFY(source.open(QIODevice::WriteOnly));
  source.write(R"(<?xml version="1.0" encoding="utf-8"?><!DOCTYPE TS>
<TS version="2.1" language="cs_CZ">
<context><name>tessera::views::MainWindow</name>
 <message><source>&amp;File</source><translation>&amp;Soubor</translation></message>
</context>
<context><name>Counted</name>
 <message numerus="yes"><source>%1 stages</source><translation>
  <numerusform>%1 stupeň</numerusform><numerusform>%1 stupně</numerusform>
  <numerusform>%1 stupňů</numerusform></translation></message>
</context>
</TS>)");
  source.close();
  const auto release = views::test::runProgram(TESSERA_LRELEASE, {"-silent", source.fileName()});
  QVERIFY2(release.exitCode == 0, release.errors);
  QVERIFY(QFile::exists(m_folder.filePath("tessera_cs.qm")));
}

void TestTranslations::staysEnglish_data() {
  QTest::addColumn<QString>("locale");
  QTest::newRow("of a user who speaks English") << "en_GB";
  QTest::newRow("without a locale") << "C";
  QTest::newRow("where there is none") << "de_DE";
}

void TestTranslations::staysEnglish() {
  QFETCH(QString, locale);
  QVERIFY(!installTranslations(m_folder.path(), QLocale(locale)));
  QVERIFY(!installTranslations(m_folder.filePath("none"), QLocale(locale)));
  views::test::TestWindow window;
  window.makeWindow();
  QVERIFY(menusOf(window).contains("&File"));
  QCOMPARE(stagesText(1), "1 stage");
  QCOMPARE(stagesText(2), "2 stages");
}

void TestTranslations::aBrokenOneIsLeftOut() {
  QFile broken(m_folder.filePath("tessera_fi.qm"));
  QVERIFY(broken.open(QIODevice::WriteOnly));
  broken.write("no translation");
  broken.close();
  QVERIFY(!installTranslations(m_folder.path(), QLocale("fi_FI")));
}

// This test has to be the last, because an installed translation stays.
void TestTranslations::isShownInTheWindow() {
  QVERIFY(installTranslations(m_folder.path(), QLocale("cs_CZ")));
  views::test::TestWindow window;
  window.makeWindow();
  QVERIFY(menusOf(window).contains("&Soubor"));
  QVERIFY(!menusOf(window).contains("&File"));
  QVERIFY(menusOf(window).contains("&Help")); // not translated
  QCOMPARE(stagesText(2), "2 stupně");
  QCOMPARE(stagesText(5), "5 stupňů");
}

// A translation is never found if lupdate files the text under another context than the one in
// which the program looks it up.
void TestTranslations::everyTextHasAContext() {
  if (QStringLiteral(TESSERA_LUPDATE).isEmpty()) QSKIP("lupdate is not installed");
  const QString sources = QString::fromStdString(tessera::test::sourcePath(""));
  const auto lupdate = views::test::runProgram(
      TESSERA_LUPDATE, {"-I", sources, sources + "/views", "-ts", m_folder.filePath("all.ts")});
  QVERIFY2(lupdate.exitCode == 0, lupdate.errors);
  const QByteArray said = lupdate.output + lupdate.errors;
  QVERIFY(said.contains("source text"));
  for (const char *wrong : {"lacks Q_OBJECT", "Qualifying with unknown", "cannot be called"})
    QVERIFY2(!said.contains(wrong), said.constData());
}

QTEST_MAIN(TestTranslations)
#include "tst_translations.moc"
