// SPDX-License-Identifier: GPL-3.0-or-later
// The code view replaces only the lines that differ from those before, and shows the same as if it
// replaced all.
#include "views/code/code_view.h"

#include <QStringList>
#include <QTest>
#include <QTextBlock>

#include <random>

using namespace tessera::views;

namespace {

QString manyLines(int count) {
  QStringList lines;
  for (int i = 0; i < count; ++i)
    lines << QStringLiteral("  for y%1 in [0, 15]:").arg(i);
  return lines.join('\n');
}

} // namespace

class TestCodeView : public QObject {
  Q_OBJECT
private slots:
  void showsEachTextWhatever_data() {
    QTest::addColumn<QStringList>("texts");
    QTest::newRow("nothing") << QStringList{"a\nb", "", "", "a\nb"};
    QTest::newRow("the same") << QStringList{"a\nb\n", "a\nb\n"};
    QTest::newRow("a line more") << QStringList{"a\nb", "a\nx\nb", "a\nx\nb\n", "\na\nx\nb\n"};
    QTest::newRow("a line less") << QStringList{"a\nb\nb\nc", "a\nb\nc", "b\nc", "c"};
    QTest::newRow("within a line") << QStringList{"ab\ncd\nef", "ab\ncxd\nef", "b\nd\nf", "bb\nf"};
    QTest::newRow("all of it") << QStringList{"a\nb", "c\nd\ne", "f"};
    QTest::newRow("a carriage return") << QStringList{"a\r\nb\nc", "a\nb\nd", "a\nb\ne"};
  }
  void showsEachTextWhatever() {
    QFETCH(const QStringList, texts);
    CodeView view;
    for (const QString &text : texts) {
      view.showText(CodeKind::Loops, text, {}, {});
      QCOMPARE(view.toPlainText(), QString(text).replace(QStringLiteral("\r\n"), "\n"));
      QCOMPARE(view.textCursor().position(), 0);
    }
  }

  void showsRandomTexts() {
    std::mt19937 random(5);
    CodeView view;
    for (int i = 0; i < 400; ++i) {
      QStringList lines;
      for (auto left = random() % 6; left > 0; --left)
        lines << QStringLiteral("ab").left(int(random() % 3));
      const QString text = lines.join('\n');
      view.showText(CodeKind::Ptx, text, {}, {});
      QCOMPARE(view.toPlainText(), text);
    }
  }

  void replacesOnlyWhatDiffers() {
    CodeView view;
    const QString before = manyLines(3000);
    view.showText(CodeKind::Loops, before, {}, {});
    int removed = 0, added = 0;
    connect(view.document(), &QTextDocument::contentsChange, &view, [&](int, int less, int more) {
      removed += less;
      added += more;
    });
    const QString after = QString(before).replace("y1500 in [0, 15]", "y1500 in [0, 31]");
    view.showText(CodeKind::Loops, after, {}, {});
    QCOMPARE(view.toPlainText(), after);
    QVERIFY2(removed < 100 && added < 100, qPrintable(QString::number(removed)));
  }

  void tabsAreNarrow() {
    const CodeView view;
    QCOMPARE(view.tabStopDistance(), 4.0 * view.fontMetrics().horizontalAdvance(' '));
  }

  void coloursTheNewLines() {
    CodeView view;
    view.resize(400, 200);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto coloured = [&view](int line) {
      return !view.document()->findBlockByNumber(line).layout()->formats().isEmpty();
    };
    view.showText(CodeKind::Cpp, "f\n\nh", {}, {});
    QTRY_VERIFY(!coloured(1));
    view.showText(CodeKind::Cpp, "f\n// says why\nh", {}, {});
    QTRY_VERIFY(coloured(1));
  }
};

QTEST_MAIN(TestCodeView)
#include "tst_code_view.moc"
