// SPDX-License-Identifier: GPL-3.0-or-later
// What the menu of a chart offers: its zoom, and its picture as a file.
#include "views/plot/plot_parts.h"
#include "views/plot/plot_view.h"
#include "engine/host/files.h"
#include "views/text/error_text.h"
#include "views/theme/file_folder.h"
#include "views/theme/icons.h"

#include <QBuffer>
#include <QContextMenuEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace tessera::views {

namespace {

constexpr int kPixelsPerInch = 96;
constexpr double kPictureScale = 2; // pixels of the saved picture for one pixel of the widget

} // namespace

void PlotView::contextMenuEvent(QContextMenuEvent *event) {
  if (isEmpty()) return event->ignore();
  auto *menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("plotMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addZoomActions(*menu);
  menu->addSeparator();
  QAction *save = menu->addAction(icon(QStringLiteral("export")), tr("&Save the Picture…"), this,
                                  &PlotView::askForFile);
  save->setObjectName(QStringLiteral("plotSave"));
  const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
  menu->popup(isByKey ? mapToGlobal(field().center().toPoint()) : event->globalPos());
}

void PlotView::addZoomActions(QMenu &menu) {
  const auto add = [&](const char *name, const QString &text, bool isPossible, auto zoom) {
    QAction *action = menu.addAction(icon(QLatin1String(name)), text, this, std::move(zoom));
    action->setObjectName(QLatin1String(name));
    action->setEnabled(isPossible);
  };
  add("zoom-in", tr("Zoom &In\t+"), true, [this] { zoomBy(kZoomStep); });
  add("zoom-out", tr("Zoom &Out\t−"), true, [this] { zoomBy(1 / kZoomStep); });
  add("zoom-back", tr("&Back\tBackspace"), m_zoom.canGoBack(), [this] { zoomBack(); });
  add("zoom-forward", tr("&Forward\tShift+Backspace"), m_zoom.canGoForward(),
      [this] { zoomForward(); });
  add("fit", tr("Show &All\tEsc"), m_zoom.now().has_value(), [this] { zoomToAll(); });
}

void PlotView::askForFile() {
  QFileDialog *dialog = saveDialog(*this, tr("Save the Picture"), {});
  dialog->setObjectName(QStringLiteral("plotSaveDialog"));
  dialog->setNameFilters(
      {tr("PDF pages (*.pdf)"), tr("SVG drawings (*.svg)"), tr("PNG pictures (*.png)")});
  dialog->setDefaultSuffix(QStringLiteral("pdf"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
    dialog->setDefaultSuffix(filter.section(QLatin1String("*."), 1).chopped(1));
  });
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
    const Status saved = savePicture(path);
    emit told(saved ? tr("Saved to %1").arg(QDir::toNativeSeparators(path))
                    : errorText(saved.error()),
              !saved);
  });
  dialog->open();
}

// Saved pictures are in light colours, whatever the colours of the window.
Status PlotView::savePicture(const QString &path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (!QStringList{QStringLiteral("pdf"), QStringLiteral("svg"), QStringLiteral("png")}.contains(
          suffix))
    return Error{
        ErrorCode::Usage, tr("%1 does not end in .pdf, .svg or .png.").arg(path).toStdString(), {}};
  m_colors = Colors(lightPalette());
  m_isPicture = true;
  redraw();
  const Result<QByteArray> bytes = picture(suffix);
  m_isPicture = false;
  m_colors = Colors(palette());
  changed();
  return bytes ? host::writeFile(path.toStdString(), (*bytes).toStdString())
               : Status(bytes.error());
}

Result<QByteArray> PlotView::picture(const QString &suffix) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  const auto drawOn = [&](QPaintDevice &device) {
    QCPPainter painter;
    if (!painter.begin(&device)) return false;
    painter.setMode(QCPPainter::pmVectorized);
    m_plot->toPainter(&painter, width(), height());
    return painter.end();
  };
  bool isDrawn = false;
  if (suffix == QLatin1String("png")) {
    isDrawn = m_plot->toPixmap(width(), height(), kPictureScale).save(&buffer, "PNG");
  } else if (suffix == QLatin1String("svg")) {
    QSvgGenerator drawing;
    drawing.setOutputDevice(&buffer);
    drawing.setSize(size());
    drawing.setViewBox(rect());
    drawing.setResolution(kPixelsPerInch);
    drawing.setTitle(accessibleName());
    drawing.setDescription(accessibleDescription());
    isDrawn = drawOn(drawing);
  } else {
    QPdfWriter page(&buffer);
    page.setTitle(accessibleName());
    page.setResolution(kPixelsPerInch);
    constexpr double kPointsPerPixel = 72.0 / kPixelsPerInch;
    page.setPageSize(QPageSize(QSizeF(size()) * kPointsPerPixel, QPageSize::Point));
    page.setPageMargins(QMarginsF());
    isDrawn = drawOn(page);
  }
  if (isDrawn) return bytes;
  return Error{ErrorCode::System,
               tr("The chart cannot be drawn as %1.").arg(suffix.toUpper()).toStdString(),
               tr("Another format may work.").toStdString()};
}

} // namespace tessera::views
