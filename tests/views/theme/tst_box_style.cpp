// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/box_style.h"
#include "views/theme/theme.h"

#include <QCheckBox>
#include <QImage>
#include <QRadioButton>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace tessera::views;

namespace {

// How much the outline of a box without a mark differs from the window around it, at most.
int contrastOf(QAbstractButton &button, const QPalette &palette) {
  BoxStyle style;
  button.setStyle(&style);
  button.setPalette(palette);
  button.resize(button.sizeHint());
  const QImage picture = button.grab().toImage();
  const int around = palette.color(QPalette::Window).lightness();
  int most = 0;
  for (int x = 0; x < picture.width(); ++x)
    for (int y = 0; y < picture.height(); ++y)
      most = std::max(most, std::abs(picture.pixelColor(x, y).lightness() - around));
  button.setStyle(nullptr);
  return most;
}

} // namespace

class TestBoxStyle : public QObject {
  Q_OBJECT
private slots:
  void outlinesAreSeen_data() {
    QTest::addColumn<QPalette>("palette");
    QTest::addRow("light") << lightPalette();
    QTest::addRow("dark") << darkPalette();
  }
  void outlinesAreSeen() {
    QFETCH(QPalette, palette);
    QCheckBox box;
    QRadioButton button;
    QVERIFY(contrastOf(box, palette) > 40);
    QVERIFY(contrastOf(button, palette) > 40);
    QCOMPARE(box.palette().color(QPalette::Window), palette.color(QPalette::Window));
  }
};

QTEST_MAIN(TestBoxStyle)
#include "tst_box_style.moc"
