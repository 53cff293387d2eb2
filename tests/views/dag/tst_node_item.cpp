// SPDX-License-Identifier: GPL-3.0-or-later
// What a node shows from afar: its name and the number of its kernel, in letters that can be read.
#include "views/dag/dag_style.h"
#include "views/dag/node_item.h"

#include <QImage>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QTest>

using namespace tessera::views;

class TestNodeItem : public QObject {
  Q_OBJECT
private slots:
  void namesAreReadableFromAfar_data();
  void namesAreReadableFromAfar();
  void badgesAreReadableFromAfar();
  void textsAreShapedOnceForEachFontAndRoom();
  void everythingStaysInside_data();
  void everythingStaysInside();
  void whatTheSearchFrozeHasAMarkAtTheUpperRight();

private:
  enum class Frozen { No, BySearch };
  QImage painted(const QString &title, const QString &badge, double scale,
                 Frozen frozen = Frozen::No);
  static QRect differenceOf(const QImage &a, const QImage &b);

  QRectF m_box{0, 0, 130, kNodeHeight}; // the size for a func of two dimensions
  QRectF m_bounds;
};

constexpr int kMargin = 60; // around the node, in pixels

QImage TestNodeItem::painted(const QString &title, const QString &badge, double scale,
                             Frozen frozen) {
  DagNode node;
  node.title = title;
  node.subjects = {Subject::stage(tessera::pipeline::StageId{0})};
  const auto style = std::make_shared<const DagStyle>(lightPalette(), QFont());
  const ShownSchedulePtr none;
  NodeTexts texts;
  NodeItem item(node, m_box, style, texts, none);
  NodePlace place;
  if (!badge.isEmpty()) {
    place.kernels = place.colours = {1};
    place.label = badge;
  }
  place.isFrozenBySearch = frozen == Frozen::BySearch;
  item.setPlace(place, std::nullopt);
  m_bounds = item.boundingRect();
  QImage image((m_box.size() * scale).toSize() + QSize(2 * kMargin, 2 * kMargin),
               QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.translate(kMargin, kMargin);
  painter.scale(scale, scale);
  QStyleOptionGraphicsItem option;
  item.paint(&painter, &option, nullptr);
  return image;
}

void TestNodeItem::textsAreShapedOnceForEachFontAndRoom() {
  QFont font;
  font.setPixelSize(13);
  ShapedTexts texts;
  texts.setFont(font);
  const QString name = QStringLiteral("remapped_0_down_x");
  const TextRun *const whole = &texts.elided(name, 500);
  QCOMPARE(whole->text(), name);
  const double width = whole->size().width();
  QCOMPARE(&texts.elided(name, 500), whole);
  const TextRun cut = texts.elided(name, width / 2);
  QVERIFY(cut.text().contains(QChar(0x2026)));
  QVERIFY(cut.size().width() <= width / 2 + 1);
  QCOMPARE(texts.elided(name, 500).text(), name);
  texts.setFont(font); // the same one
  QCOMPARE(texts.elided(name, 500).size().width(), width);
  font.setPixelSize(26);
  texts.setFont(font);
  QVERIFY(texts.elided(name, 500).size().width() > 1.5 * width);
}

QRect TestNodeItem::differenceOf(const QImage &a, const QImage &b) {
  QRect all;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (a.pixel(x, y) != b.pixel(x, y)) all |= QRect(x, y, 1, 1);
  return all;
}

void TestNodeItem::namesAreReadableFromAfar_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<int>("least"); // height in pixels, at 45 %
  QTest::newRow("short") << "Hpql" << 8;
  QTest::newRow("in two lines") << "remapped_0_down_x" << 15;
}

void TestNodeItem::namesAreReadableFromAfar() {
  QFETCH(const QString, name);
  QFETCH(const int, least);
  const QRect ink = differenceOf(painted(name, {}, 0.45), painted({}, {}, 0.45));
  QVERIFY2(ink.height() >= least, qPrintable(QString::number(ink.height())));
  const QRectF box(kMargin, kMargin, m_box.width() * 0.45, m_box.height() * 0.45);
  QVERIFY(box.adjusted(-1, -1, 1, 1).contains(ink)); // no letter leaves the node
}

void TestNodeItem::badgesAreReadableFromAfar() {
  const QRect seven = differenceOf(painted("f", "7", 0.45), painted("f", "1", 0.45));
  QVERIFY2(seven.height() >= 6, qPrintable(QString::number(seven.height())));
}

void TestNodeItem::everythingStaysInside_data() {
  QTest::addColumn<double>("scale");
  for (const double scale : {0.4, 0.45, 0.61, 0.7, 1.0})
    QTest::newRow(qPrintable(QString::number(scale))) << scale;
}

// Pixels outside of the node's bounds would stay behind when the node is repainted.
void TestNodeItem::everythingStaysInside() {
  QFETCH(const double, scale);
  const QImage image = painted("remapped_0_down_x", "10–12", scale, Frozen::BySearch);
  QImage blank(image.size(), image.format());
  blank.fill(Qt::white);
  const QRect ink = differenceOf(image, blank);
  const QRectF bounds(m_bounds.topLeft() * scale + QPointF(kMargin, kMargin),
                      m_bounds.size() * scale);
  QVERIFY(bounds.adjusted(-1, -1, 1, 1).contains(ink));
}

void TestNodeItem::whatTheSearchFrozeHasAMarkAtTheUpperRight() {
  for (const double scale : {0.45, 1.0}) {
    const QRect mark = differenceOf(painted("blur_x", "3", scale),
                                    painted("blur_x", "3", scale, Frozen::BySearch));
    QVERIFY(mark.width() >= 10 && mark.height() >= 10);
    const QPointF middle = (QPointF(mark.center()) - QPointF(kMargin, kMargin)) / scale;
    QVERIFY(middle.x() > m_box.right() - 20 && middle.y() < m_box.top() + 5);
  }
}

QTEST_MAIN(TestNodeItem)
#include "tst_node_item.moc"
