// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "views/plot/plot_scale.h"
#include "views/plot/zoom_history.h"
#include "views/theme/theme.h"

#include <QWidget>

#include <functional>
#include <optional>

class QCPAxis;
class QCustomPlot;
class QMenu;

namespace tessera::views {

// What all charts share: QCustomPlot draws axes, curves and points; the wheel zooms about the
// pointer, a rectangle drawn with the mouse is zoomed into, the middle button or Shift with a drag
// pans, Backspace goes back, and all of that goes with keys and from the menu too. The picture can
// be saved. A chart says what there is to be seen and fills the plot.
class PlotView : public QWidget {
  Q_OBJECT
public:
  ~PlotView() override;

  const ZoomHistory &zoom() const { return m_zoom; }
  void zoomBy(double factor, QPointF about);
  void zoomBy(double factor); // about the middle
  void panBy(QPointF pixels);
  void zoomBack();
  void zoomForward();
  void zoomToAll();

  QRectF field() const;    // where the curves are, in the widget
  PlotScale scale() const; // of what is seen
  // Where QCustomPlot draws a value: the same place as scale() says, which tests hold it to.
  QPointF drawnPlaceOf(double x, double y);

  // What is seen, in light colours, as a page or a picture, by the suffix: pdf, svg or png.
  Status savePicture(const QString &path);

signals:
  void zoomChanged();
  void told(const QString &message, bool isError); // how saving a picture went

protected:
  PlotView(const PlotAxes &axes, QWidget *parent);

  // What a chart is.
  virtual bool isEmpty() const = 0;
  virtual ChartWindow whole() const = 0;                  // all that there is
  virtual QMargins room() const = 0;                      // around the field, for what the axes say
  virtual void fill() = 0;                                // the plot, before it is drawn
  virtual void pointAt(std::optional<QPointF> place) = 0; // the pointer; none: it has left
  virtual void clickAt(QPointF place) = 0;
  virtual bool hasMarkAt(QPointF place) const = 0; // something that a click or a point means
  virtual QString textAt(QPointF place) const = 0; // of the tool tip

  QCustomPlot &plot() const { return *m_plot; }
  const Colors &colors() const { return m_colors; }
  QFont smallFont() const;
  void showAxes(bool areLabelled, bool hasBox); // of both directions
  // Painted in the widget's coordinates on a layer of the library's, while there is something to
  // show. `clip`: none, all of the widget.
  void addPart(const QString &layer, std::function<void(QPainter &)> paint,
               std::function<QRectF()> clip = {});
  // Something is to be drawn otherwise: once, when it is painted next.
  void changed();

  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;
  bool event(QEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  enum class Drag { None, Pressed, Rectangle, Pan, Panned };

  void redraw();
  void style();
  void styleAxis(QCPAxis &axis);
  void zoomTo(const ZoomHistory::View &view, ZoomHistory::Gesture gesture);
  void zoomChangedNow();
  void drag(QPointF to);
  void paintOverlay(QPainter &painter);
  QRectF rectangle() const; // that is drawn with the mouse
  void addZoomActions(QMenu &menu);
  void askForFile();
  QByteArray picture(const QString &suffix);

  PlotAxes m_axes;
  QCustomPlot *m_plot = nullptr;
  Colors m_colors;
  ZoomHistory m_zoom;
  Drag m_drag = Drag::None;
  QPointF m_pressed, m_dragged;
  ChartWindow m_panned; // what was seen when a pan began
  bool m_isDirty = true;
  bool m_isPicture = false; // that is saved: without what is only on the screen
};

} // namespace tessera::views
