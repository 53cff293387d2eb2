// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_exporter.h"

#include "views/dag/dag_scene.h"
#include "views/dag/dag_style.h"
#include "engine/host/files.h"

#include <QApplication>
#include <QCoreApplication>
#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace tessera::views {

namespace {

constexpr double kMargin = 20;
constexpr double kMostPixels = 16'000; // limit for the longer side of a PNG
constexpr double kMostPoints = 14'400; // limit for a side of a page in the PDF standard
constexpr int kPdfResolution = 720;

QByteArray drawSvg(DagScene &scene, const QRectF &page) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setTitle(QStringLiteral("Function DAG"));
  generator.setSize(page.size().toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), page.size()));
  QPainter painter(&generator);
  scene.render(&painter, QRectF(QPointF(0, 0), page.size()), page);
  painter.end();
  return bytes;
}

QByteArray drawPng(DagScene &scene, const QRectF &page) {
  const double scale = std::min(2.0, kMostPixels / std::max(page.width(), page.height()));
  QImage image((page.size() * scale).toSize(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  scene.render(&painter, QRectF(image.rect()), page);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  image.save(&buffer, "PNG");
  return bytes;
}

QByteArray drawPdf(DagScene &scene, const QRectF &page) {
  const double scale = std::min(1.0, kMostPoints / std::max(page.width(), page.height()));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(QStringLiteral("Function DAG"));
  writer.setCreator(QStringLiteral("Tessera"));
  writer.setPageMargins({});
  writer.setPageSize(QPageSize(page.size() * scale, QPageSize::Point, {}, QPageSize::ExactMatch));
  writer.setResolution(kPdfResolution);
  QPainter painter(&writer);
  const double perPoint = kPdfResolution / 72.0;
  scene.render(&painter, QRectF(QPointF(), page.size() * scale * perPoint), page);
  painter.end();
  return bytes;
}

} // namespace

Status exportDag(const DagScene &source, const QString &path) {
  if (!source.graph())
    return Error{ErrorCode::Usage, "No pipeline is open, so there is no DAG to export.", {}};
  // The export draws a separate scene, with light colours and no selection, whatever the window
  // shows.
  DagScene scene;
  scene.setStyle(std::make_shared<DagStyle>(lightPalette(), QApplication::font()));
  scene.setContent(source.graph(), source.sharedGeometry());
  scene.showPlaces(source.places(), source.schedule());
  scene.setColouring(source.colouring());
  scene.showHulls(source.hulls());
  const QRectF page = source.geometry().bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin);
  const auto isNamed = [&](const char *end) {
    return path.endsWith(QLatin1String(end), Qt::CaseInsensitive);
  };
  const QByteArray bytes = isNamed(".png")   ? drawPng(scene, page)
                           : isNamed(".pdf") ? drawPdf(scene, page)
                                             : drawSvg(scene, page);
  if (bytes.isEmpty())
    return Error{ErrorCode::System,
                 QCoreApplication::translate("DagExporter",
                                             "'%1' could not be written: the picture is too large.")
                     .arg(path)
                     .toStdString(),
                 "Choose the other format."};
  return host::writeFile(path.toStdString(), bytes.toStdString());
}

} // namespace tessera::views
