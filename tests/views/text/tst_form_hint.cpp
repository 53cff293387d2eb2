// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/form_hint.h"

#include <QTest>

using namespace tessera::views;

class TestFormHint : public QObject {
  Q_OBJECT
private slots:
  void saysNothingOfTheCommandLine_data();
  void saysNothingOfTheCommandLine();
};

void TestFormHint::saysNothingOfTheCommandLine_data() {
  QTest::addColumn<QString>("hint");
  QTest::addColumn<QString>("left");
  QTest::newRow("in brackets")
      << "Not found nearby: 'a.h'. Give the folder that has it (--include DIR)."
      << "Not found nearby: 'a.h'. Give the folder that has it.";
  QTest::newRow("a sentence") << "The input is 5 wide. Give its size: --estimate in=5×5"
                              << "The input is 5 wide.";
  QTest::newRow("lines")
      << "It has parameters, which --param NAME=VALUE sets:\n--param a=1\nThe first is odd."
      << "The first is odd.";
  QTest::newRow("alone") << "--estimate in=5×5"
                         << "";
  QTest::newRow("nothing of it") << "Wait. It takes -1 s, or a--b."
                                 << "Wait. It takes -1 s, or a--b.";
  QTest::newRow("empty") << ""
                         << "";
}

void TestFormHint::saysNothingOfTheCommandLine() {
  QFETCH(QString, hint);
  QFETCH(QString, left);
  QCOMPARE(formHint(hint.toStdString()), left);
}

QTEST_MAIN(TestFormHint)
#include "tst_form_hint.moc"
