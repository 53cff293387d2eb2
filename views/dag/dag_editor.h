// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_panel.h"
#include "views/flows/document_flow.h"
#include "views/flows/move_finder.h"

#include <QObject>

#include <optional>

namespace tessera::views {

class DragItem;

// Scheduling decisions made on the DAG itself: the user drags a node onto a kernel's hull to fuse
// it there, or out of all hulls to give it its own kernel. The menu of a node offers the same
// moves, also for the keyboard. During the drag, the effect of each move is predicted. Each move is
// one step of the document's history.
class DagEditor : public QObject {
  Q_OBJECT
public:
  DagEditor(DagPanel &panel, DocumentFlow &documents, ScheduleFlow &schedule, Bridge &bridge,
            QObject *parent = nullptr);

  MoveFinder &finder() { return m_finder; }
  const DragItem *dragged() const { return m_item; } // null: nothing is being dragged

signals:
  void choicesWanted(tessera::views::Subject subject, QRect where);
  void freezeWanted(tessera::views::Subject subject);
  void told(const QString &note); // why a drop did nothing

private:
  // The place where a drop would put the dragged node. Same: it stays where it is. Kernel: it goes
  // into the kernel with the number `kernel`. Own: it gets a new kernel of its own.
  struct Target {
    enum class Kind : std::uint8_t { Same, Kernel, Own };
    Kind kind = Kind::Same;
    int kernel = 0;
    friend bool operator==(const Target &, const Target &) = default;
  };

  void updateMovable();
  void take(std::uint32_t node, QPointF at);
  void dragTo(QPointF at);
  void drop(QPointF at);
  void end();
  void showTargets();
  void finishDrop();
  Target targetAt(QPointF at) const;
  const document::Move *moveTo(const Target &target) const;
  void openMenu(std::uint32_t node, Subject subject, QPoint onScreen);
  void apply(const document::Move &move);
  QString stageName(std::uint32_t node) const;

  DagPanel &m_panel;
  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  MoveFinder m_finder;
  DragItem *m_item = nullptr;
  std::uint32_t m_node = 0;
  Target m_target;
  bool m_isDropped = false; // the node was dropped, and its move is still being searched for
};

} // namespace tessera::views
