// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/settings/settings_saver.h"

#include <QFile>
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
  void aSecondOneWritesWhatTheFirstOneChanged();

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

// Qt does not promise it, and the saver needs it.
void TestSettingsSaver::aSecondOneWritesWhatTheFirstOneChanged() {
  QSettings settings(m_folder.filePath("s.ini"), QSettings::IniFormat);
  settings.setValue("word", "fifth");
  QSettings(settings.fileName(), settings.format()).sync();
  QVERIFY(written().contains("fifth"));
}

QTEST_GUILESS_MAIN(TestSettingsSaver)
#include "tst_settings_saver.moc"
