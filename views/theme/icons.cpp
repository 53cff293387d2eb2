// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/icons.h"

#include <QFile>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

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

QIcon icon(const QString &name, const QPalette &palette) {
  QIcon made;
  for (const double ratio : {1.0, 2.0}) {
    made.addPixmap(iconPixmap(name, palette.color(QPalette::WindowText), 18, ratio));
    made.addPixmap(
        iconPixmap(name, palette.color(QPalette::Disabled, QPalette::WindowText), 18, ratio),
        QIcon::Disabled);
  }
  return made;
}

QIcon applicationIcon() {
  QIcon made;
  const QByteArray svg = resource(QStringLiteral("icons/tessera.svg"));
  for (const int size : {16, 32, 64, 128})
    made.addPixmap(render(svg, size, 1));
  return made;
}

QByteArray resourceText(const QString &name) { return resource(QStringLiteral("texts/") + name); }

} // namespace tessera::views
