// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <utility>

namespace tessera::views {

namespace {

QByteArray resource(const QString &path) {
  QFile file(QStringLiteral(":/tessera/") + path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPixmap render(const QByteArray &svg, int size, double devicePixelRatio) {
  QSvgRenderer renderer(svg);
  QPixmap pixmap(QSize(size, size) * devicePixelRatio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  renderer.render(&painter);
  painter.end();
  pixmap.setDevicePixelRatio(devicePixelRatio);
  return pixmap;
}

// Takes the program's text colour whenever it is painted. An icon made of pixmaps would stay black
// when the window becomes dark.
class PaletteIcon : public QIconEngine {
public:
  explicit PaletteIcon(QString name) : m_name(std::move(name)) {}

  void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override {
    if (rect.isEmpty()) return;
    const double ratio = painter->device()->devicePixelRatioF();
    QRectF place(QPointF(), QSizeF(1, 1) * qMin(rect.width(), rect.height()));
    place.moveCenter(QRectF(rect).center());
    const QPixmap pixmap = iconPixmap(m_name, colorOf(mode), int(place.width()), ratio);
    painter->drawPixmap(place, pixmap, QRectF(pixmap.rect()));
  }
  // The size is in pixels of the screen.
  QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override {
    return iconPixmap(m_name, colorOf(mode), qMin(size.width(), size.height()), 1);
  }
  QIconEngine *clone() const override { return new PaletteIcon(m_name); }
  QString key() const override { return QStringLiteral("tessera"); }
  QString iconName() override { return m_name; }

private:
  static QColor colorOf(QIcon::Mode mode) {
    const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
    return QGuiApplication::palette().color(group, QPalette::WindowText);
  }

  QString m_name;
};

} // namespace

QPixmap iconPixmap(const QString &name, const QColor &color, int size, double devicePixelRatio) {
  // Cached, because delegates ask for it whenever they paint a cell.
  const QString key =
      QStringLiteral("tessera/%1/%2/%3/%4").arg(name, color.name()).arg(size).arg(devicePixelRatio);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  QByteArray svg = resource(QStringLiteral("icons/%1.svg").arg(name));
  svg.replace("currentColor", color.name().toLatin1());
  pixmap = render(svg, size, devicePixelRatio);
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

QIcon icon(const QString &name) { return QIcon(new PaletteIcon(name)); }

QIcon applicationIcon() {
  QIcon made;
  const QByteArray svg = resource(QStringLiteral("icons/tessera.svg"));
  for (const int size : {16, 32, 64, 128})
    made.addPixmap(render(svg, size, 1));
  return made;
}

QByteArray resourceText(const QString &name) { return resource(QStringLiteral("texts/") + name); }

} // namespace tessera::views
