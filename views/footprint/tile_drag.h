// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"
#include "views/flows/tile_finder.h"

#include <QObject>

#include <array>
#include <optional>

namespace tessera::views {

class FootprintView;

// Changes the tile of a kernel by its edges, which are dragged or moved by keys. If the size
// nearest to the pointer is legal, the schedule with this size is shown as a draft, so that all
// panels follow. If it is not legal, the handle says why. Releasing the edge at a legal size makes
// the change one step of the document's history.
//
//   a handle ── taken() ──▶ TileFinder looks ──▶ drafts ── released() ──▶ DocumentFlow::choose()
//                                                       └─ givenUp() ───▶ as before
class TileDrag : public QObject {
  Q_OBJECT
public:
  TileDrag(FootprintView &view, DocumentFlow &documents, ScheduleFlow &schedule, Bridge &bridge,
           QObject *parent = nullptr);

  // The edges to drag, one in each direction; none: the picture has no such edge.
  void setEdges(std::optional<footprint::TileEdge> across, std::optional<footprint::TileEdge> down);
  bool isActive() const { return m_active.has_value(); }
  const TileFinder &finder() const { return m_finder; }

signals:
  void begun();                   // the user took an edge
  void said(const QString &text); // the effect of the tried size; empty: nothing is tried

private:
  void connectHandle(Qt::Orientation along);
  bool begin(Qt::Orientation along);
  void dragTo(Qt::Orientation along, QPointF place);
  void release();
  void step(Qt::Orientation along, int direction);
  void keep();
  void giveUp();
  void sizesChanged();
  void takeSteps();
  void tryWanted();
  void tryOption(const TileFinder::Option *option);
  void finish();
  void end();
  const std::optional<footprint::TileEdge> &edge(Qt::Orientation along) const {
    return m_edges[along == Qt::Horizontal ? 0 : 1];
  }
  QString effectOf(const TileFinder::Option &option) const;

  FootprintView &m_view;
  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  TileFinder m_finder;
  std::array<std::optional<footprint::TileEdge>, 2> m_edges;
  std::optional<Qt::Orientation> m_active;
  ShownSchedulePtr m_original; // the schedule before the drag
  double m_wanted = 0;         // size at the pointer
  std::int64_t m_tried = 0;    // size of the draft
  int m_steps = 0;             // steps by keys that wait until all sizes are found
  bool m_isReleased = false;   // released before all sizes were found
};

} // namespace tessera::views
