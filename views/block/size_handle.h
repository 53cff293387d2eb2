// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/block/block_handles.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// The sizes that a handle can be pulled to; null while they are being found out.
using StopsPtr = std::shared_ptr<const std::vector<block::HandleStop>>;

// A grip at an edge of a block. Pulling it, or an arrow key, goes from one legal size to the next.
// If the size at the pointer is not legal, the handle says why. Releasing the mouse, or Return,
// chooses the size. Escape restores the old size.
class SizeHandle : public QWidget {
  Q_OBJECT
public:
  explicit SizeHandle(QWidget *parent = nullptr);

  void setHandle(const block::BlockHandle &handle, StopsPtr stops);
  void setStops(StopsPtr stops); // the handle itself stays the same
  // Moves the handle's middle to `middle`. `pixelsPerUnit` is how far the edge moves when the size
  // grows by one.
  void place(QPointF middle, double pixelsPerUnit);

  const block::BlockHandle &handle() const { return m_handle; }
  bool isPulled() const { return m_asked != nullptr || m_isDragging; }
  // The size that is being tried while the handle is pulled; null: none.
  const block::HandleStop *asked() const { return m_asked; }
  // Why the size under the pointer, or the whole handle, is not legal; empty: it is.
  const QString &reason() const { return m_reason; }
  double pixelsPerUnit() const { return m_scale; }
  static QString titleOf(const block::BlockHandle &handle); // "Threads along x"

  QSize sizeHint() const override;

signals:
  void pulled(const tessera::block::HandleStop *stop); // null: no size is tried any more
  void taken(const tessera::block::HandleStop &stop);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  QString labelOf(std::int64_t value) const;
  bool isAcross() const { return m_handle.blockDim == 0; }
  void askFor(double value);
  void askFor(const block::HandleStop *stop);
  void step(block::StepTo to);
  void take();
  void cancel();
  void describe();
  QString reasonAt(double value) const;

  block::BlockHandle m_handle;
  StopsPtr m_stops;
  const block::HandleStop *m_asked = nullptr;
  QString m_reason;
  double m_scale = 1;
  bool m_isDragging = false;
  QPointF m_pressed;
  std::optional<double> m_wanted; // the value under the pointer
};

} // namespace tessera::views
