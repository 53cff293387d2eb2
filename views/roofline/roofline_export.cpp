// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/roofline_export.h"

#include "engine/chart/roofline_csv.h"
#include "engine/chart/roofline_svg.h"
#include "engine/host/files.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>

namespace tessera::views {

namespace {

// A PDF page of the drawing's size that contains the drawing.
QByteArray pdfOf(const std::string &svg, const QString &title) {
  QSvgRenderer drawing(QByteArray::fromStdString(svg));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(title);
  constexpr double kPointsPerPixel = 0.75;
  writer.setPageSize(QPageSize(QSizeF(drawing.defaultSize()) * kPointsPerPixel, QPageSize::Point));
  writer.setPageMargins(QMarginsF());
  QPainter painter(&writer);
  drawing.render(&painter);
  painter.end();
  return bytes;
}

} // namespace

Status exportRoofline(const ExportedRoofline &exported, const QString &path) {
  const std::string file = path.toStdString();
  const cost::Roofline &shown = *exported.drawn.front().roofline;
  if (path.endsWith(QLatin1String(".csv"))) return host::writeFile(file, chart::csvOf(shown));
  chart::ChartOptions options;
  for (std::size_t i = 1; i < exported.drawn.size(); ++i)
    options.compared.push_back({exported.drawn[i].roofline.get(), exported.drawn[i].title});
  const auto drawn = chartOf(shown, exported.text, options);
  const std::string svg = svgOf(drawn);
  if (path.endsWith(QLatin1String(".pdf")))
    return host::writeFile(file, pdfOf(svg, QString::fromStdString(drawn.title)).toStdString());
  return host::writeFile(file, svg);
}

} // namespace tessera::views
