// SPDX-License-Identifier: GPL-3.0-or-later
// A WrappedLabel has the height of its text at the width that its panel gives it.
#include "views/theme/wrapped_label.h"

#include <QTest>
#include <QVBoxLayout>
#include <QWidget>

#include <memory>

using namespace tessera::views;

namespace {
const QString kLong =
    QStringLiteral("<b>gray</b>: ") + QStringLiteral("eight warps of a block ").repeated(9);
} // namespace

class TestWrappedLabel : public QObject {
  Q_OBJECT
private slots:
  void init() {
    m_panel = std::make_unique<QWidget>();
    m_label = new WrappedLabel(m_panel.get());
    auto *column = new QVBoxLayout(m_panel.get());
    column->addWidget(m_label);
    column->addStretch(1);
    m_panel->resize(300, 400);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  }

  void isAsHighAsItsText() {
    m_label->setText(kLong);
    QLabel expected(kLong);
    expected.setWordWrap(true);
    QTRY_COMPARE(m_label->height(), expected.heightForWidth(m_label->width()));
    QVERIFY(m_label->height() > 2 * m_label->fontMetrics().height());
  }

  void followsTextFontAndWidth() {
    m_label->setText(QStringLiteral("short"));
    QTRY_VERIFY(m_label->height() < 2 * m_label->fontMetrics().height());
    m_label->setText(kLong);
    QTRY_VERIFY(m_label->height() > 2 * m_label->fontMetrics().height());
    const int before = m_label->height();
    m_panel->resize(900, 400);
    QTRY_VERIFY(m_label->height() < before);
    const int wide = m_label->height();
    QFont large = m_label->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    m_label->setFont(large);
    QTRY_VERIFY(m_label->height() > wide);
  }

  // A long text must neither make its panel wide nor keep it from getting narrow.
  void leavesTheWidthToItsPanel() {
    m_label->setText(kLong);
    const QSize least = m_label->minimumSizeHint();
    m_label->setText(kLong + kLong);
    QCOMPARE(m_label->minimumSizeHint(), least);
    QVERIFY(least.width() < 200);
  }

private:
  std::unique_ptr<QWidget> m_panel;
  WrappedLabel *m_label = nullptr;
};

QTEST_MAIN(TestWrappedLabel)
#include "tst_wrapped_label.moc"
