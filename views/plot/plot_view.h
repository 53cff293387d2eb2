// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plot/plot_scale.h"
#include "views/plot/zoom_history.h"
#include "engine/base/result.h"
#include "views/theme/theme.h"

#include <QWidget>

#include <functional>
#include <optional>

class QCPAxis;
class QCustomPlot;
class QMenu;

namespace tessera::views {

// The base of all charts. QCustomPlot draws axes, curves and points. The wheel zooms at the
// pointer, a rectangle drawn with the mouse zooms into it, the middle button or Shift with a drag
// pans, and Backspace goes back; keys and the menu do the same. The picture can be saved. A derived
// chart defines its contents and fills the plot.
class PlotView : public QWidget {
  Q_OBJECT
public:
  ~PlotView() override;

  const ZoomHistory &zoom() const { return m_zoom; }
  void zoomBy(double factor, QPointF about);
  void zoomBy(double factor); // about the middle of the field
  void panBy(QPointF pixels);
  void zoomBack();
  void zoomForward();
  void zoomToAll();

  QRectF field() const;    // the area of the curves, in the widget
  PlotScale scale() const; // the scale of the visible part
  // Where QCustomPlot draws a value. Tests check that it agrees with scale().
  QPointF drawnPlaceOf(double x, double y);

  // Saves the visible part in light colours. The suffix of the path chooses pdf, svg or png; any
  // other is refused.
  Status savePicture(const QString &path);

signals:
  void zoomChanged();
  void told(const QString &message, bool isError); // result of saving a picture

protected:
  PlotView(const PlotAxes &axes, QWidget *parent);

  // To be implemented by each chart.
  virtual bool isEmpty() const = 0;
  virtual ChartWindow whole() const = 0; // the window that shows everything
  virtual QMargins room() const = 0;     // margins around the field for the labels of the axes
  virtual void fill() = 0;               // fills the plot before it is drawn
  virtual void pointAt(std::optional<QPointF> place) = 0; // none: the pointer has left
  virtual void clickAt(QPointF place) = 0;
  // Whether there is something to click at `place`; a double click elsewhere shows everything.
  virtual bool hasMarkAt(QPointF) const { return false; }
  virtual QString textAt(QPointF place) const = 0; // text of the tooltip

  QCustomPlot &plot() const { return *m_plot; }
  const Colors &colors() const { return m_colors; }
  QFont smallFont() const;
  void showAxes(bool areLabelled, bool hasBox); // applies to both axes
  // Adds a part that is painted in the widget's coordinates on a layer of the library, unless the
  // chart is empty. Without `clip`, it may paint on the whole widget.
  void addPart(const QString &layer, std::function<void(QPainter &)> paint,
               std::function<QRectF()> clip = {});
  // Shows everything and clears the history of zooms, so that there is no way back to ranges of
  // data that are no longer shown. Also ends a drag.
  void forgetZoom();
  // Something looks different now; the plot is drawn again when it is next painted.
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
  static constexpr double kZoomStep = 1.3; // of a key, the menu or a step of the wheel
  enum class Drag { None, Pressed, Rectangle, Pan, Panned };

  void redraw();
  void style();
  void styleAxis(QCPAxis &axis);
  void zoomTo(const ZoomHistory::View &view, ZoomHistory::Gesture gesture);
  void zoomChangedNow();
  void drag(QPointF to);
  void endDrag(); // gives up the drag
  void paintOverlay(QPainter &painter);
  QRectF rectangle() const; // the rectangle that the user is drawing
  void addZoomActions(QMenu &menu);
  void askForFile();
  Result<QByteArray> picture(const QString &suffix);

  PlotAxes m_axes;
  QCustomPlot *m_plot = nullptr;
  Colors m_colors;
  ZoomHistory m_zoom;
  Drag m_drag = Drag::None;
  QPointF m_pressed, m_dragged;
  ChartWindow m_panned; // the window at the start of a pan
  bool m_isDirty = true;
  bool m_isPicture = false; // a picture is being saved, without marks that are only for the screen
};

} // namespace tessera::views
