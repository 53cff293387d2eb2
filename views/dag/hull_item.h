// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/kernel_hull.h"
#include "views/dag/text_run.h"

#include <QGraphicsItem>
#include <QHash>

#include <map>
#include <memory>
#include <optional>

namespace tessera::views {

struct DagStyle;

// The effect of dropping the dragged stage on a kernel. DropMarks is indexed by kernel number.
struct DropMark {
  enum class State : std::uint8_t { Pending, Legal, Refused };
  State state = State::Pending;
  QString text; // on the label: "−12 %", "not legal"

  friend bool operator==(const DropMark &, const DropMark &) = default;
};
using DropMarks = std::map<int, DropMark>;

// The data from which the hulls and their labels are drawn.
struct HullPicture {
  std::shared_ptr<const DagStyle> style;
  KernelHullsPtr hulls;           // null: none
  std::optional<int> active;      // kernel of the active stage
  std::optional<DropMarks> drops; // set while a stage is dragged
  std::optional<int> under;       // kernel on which a drop would put the stage

  // The areas that the next paint has to fill; empty: all that Qt passes to paint().
  std::vector<QRectF> exposed;

  // Whether `rect` has to be painted: it intersects `exposed` or, if that is empty, `told`, the
  // area that Qt passes to paint().
  bool isExposed(const QRectF &rect, const QRectF &told) const;
  DropMark dropOn(const KernelGroup &group) const;
  bool isUnder(const KernelGroup &group) const;
};

// The hulls of all kernels, as one item below all other items of the scene.
class HullItem : public QGraphicsItem {
public:
  explicit HullItem(const HullPicture &picture, const QRectF &bounds);
  QRectF boundingRect() const override { return m_bounds; }
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  const HullPicture &m_picture;
  QRectF m_bounds;
};

// The labels of the hulls, above all other items of the scene. They are enlarged when the view is
// zoomed out, so that they stay readable; a label without enough room is left out.
class HullLabelItem : public QGraphicsItem {
public:
  explicit HullLabelItem(const HullPicture &picture, const QRectF &bounds);
  QRectF boundingRect() const override { return m_bounds; }
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  struct Label {
    const KernelHull *hull;
    QString text;
    QRectF pill;
  };
  std::vector<Label> labels(const QRectF &near, double size);
  const TextRun &runOf(const QString &text);
  QString textOf(const KernelGroup &group) const;
  void paintLabel(QPainter &painter, const Label &label, double size);

  const HullPicture &m_picture;
  QRectF m_bounds;
  QHash<QString, TextRun> m_runs; // shaped texts of earlier paints, indexed by text
  std::shared_ptr<const DagStyle> m_runsOf;
};

} // namespace tessera::views
