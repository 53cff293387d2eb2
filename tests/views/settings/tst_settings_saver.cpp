// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/settings/settings_saver.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace tessera::views;

class TestSettingsSaver : public QObject {
  Q_OBJECT
private slots:
  void writesEachChangeWithoutBeingAsked();
  void nobodyWaitsForTheFile();
  void nobodyWaitsWhoSetsAValueMeanwhile();
  void whatIsRemovedIsGone();
  void whatAnotherProgramWroteStays();
  void aLinkStaysALink();

private:
  QByteArray written() const {
    QFile file(m_folder.filePath("s.ini"));
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir m_folder;
};

void TestSettingsSaver::writesEachChangeWithoutBeingAsked() {
  QSettings settings(m_folder.filePath("s.ini"), QSettings::IniFormat);
  const SettingsSaver saver(settings);
  for (const char *value : {"first", "second", "third"}) {
    settings.setValue("word", value);
    QTRY_VERIFY(written().contains(value));
    QCoreApplication::processEvents(); // the request that finds nothing to write
  }
}

// Another program holds the lock of the file, as a slow disk would hold up this one.
void TestSettingsSaver::nobodyWaitsForTheFile() {
  QSettings settings(m_folder.filePath("s.ini"), QSettings::IniFormat);
  const SettingsSaver saver(settings);
  QLockFile other(m_folder.filePath("s.ini.lock"));
  QVERIFY(other.lock());
  settings.setValue("word", "fourth");
  QCoreApplication::processEvents(); // would wait until the file is free
  QVERIFY(!written().contains("fourth"));
  other.unlock();
  QTRY_VERIFY(written().contains("fourth"));
}

// All QSettings of one file share a lock, so the one that writes must not be one of the same file.
void TestSettingsSaver::nobodyWaitsWhoSetsAValueMeanwhile() {
  QSettings settings(m_folder.filePath("s.ini"), QSettings::IniFormat);
  const SettingsSaver saver(settings);
  QLockFile other(m_folder.filePath("s.ini.lock"));
  QVERIFY(other.lock());
  settings.setValue("word", "fifth");
  QTest::qWait(1000); // the thread waits for the lock now
  QElapsedTimer clock;
  clock.start();
  settings.setValue("other word", "sixth");
  QCOMPARE(settings.value("word").toString(), QString("fifth"));
  QVERIFY(clock.elapsed() < 200);
  other.unlock();
  QTRY_VERIFY(written().contains("fifth") && written().contains("sixth"));
}

void TestSettingsSaver::whatIsRemovedIsGone() {
  QSettings settings(m_folder.filePath("s.ini"), QSettings::IniFormat);
  const SettingsSaver saver(settings);
  settings.setValue("word", "seventh");
  QTRY_VERIFY(written().contains("seventh"));
  settings.remove("word");
  QTRY_VERIFY(!written().contains("seventh"));
}

// As a second explorer, which opened another file.
void TestSettingsSaver::whatAnotherProgramWroteStays() {
  QSettings settings(m_folder.filePath("s.ini"), QSettings::IniFormat);
  const SettingsSaver saver(settings);
  settings.setValue("word", "eighth");
  QTRY_VERIFY(written().contains("eighth"));
  QFile file(m_folder.filePath("s.ini"));
  QVERIFY(file.open(QFile::Append));
  file.write("of_another=ninth\n");
  file.close();
  settings.setValue("word", "tenth");
  QTRY_VERIFY(written().contains("tenth"));
  QVERIFY(written().contains("ninth"));
}

void TestSettingsSaver::aLinkStaysALink() {
  QVERIFY(QDir(m_folder.path()).mkdir("elsewhere"));
  const QString real = m_folder.filePath("elsewhere/real.ini"), link = m_folder.filePath("l.ini");
  QVERIFY(QFile(real).open(QFile::WriteOnly));
  QVERIFY(QFile::link(real, link));
  QSettings settings(link, QSettings::IniFormat);
  const SettingsSaver saver(settings);
  settings.setValue("word", "eleventh");
  QTRY_VERIFY(QSettings(real, QSettings::IniFormat).value("word") == "eleventh");
  QVERIFY(QFileInfo(link).isSymLink());
}

QTEST_GUILESS_MAIN(TestSettingsSaver)
#include "tst_settings_saver.moc"
