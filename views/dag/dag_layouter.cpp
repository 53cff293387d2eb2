// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_layouter.h"

#include "views/dag/layered_layout.h"

#include <utility>

namespace tessera::views {

using host::GraphLayout;
using host::GraphShape;

namespace {
const QString kPlainTag = QStringLiteral("layout.plain");
const QString kGraphvizTag = QStringLiteral("layout.graphviz");
} // namespace

DagLayouter::DagLayouter(Bridge &bridge, Graphviz graphviz, QObject *parent)
    : QObject(parent), m_bridge(bridge), m_graphviz(std::move(graphviz)) {
  m_patience.setSingleShot(true);
  m_patience.setInterval(kPatienceMilliseconds);
  connect(&m_patience, &QTimer::timeout, this, [this] {
    m_mayShowPlain = true;
    showPlain();
  });
}

void DagLayouter::start(GraphShape shape) {
  stop();
  m_final = m_graphvizFailed = false;
  m_mayShowPlain = !m_graphviz;
  m_bridge.run<GraphLayout>(
      kPlainTag, {},
      [shape](const job::JobContext &) { return Result<GraphLayout>(layeredLayout(shape)); }, this,
      [this](Result<GraphLayout> layout) {
        if (layout) plainArrived(std::move(*layout));
      });
  if (!m_graphviz) return;
  m_patience.start();
  m_bridge.run<GraphLayout>(
      kGraphvizTag, tr("Laying out"),
      [graphviz = m_graphviz, shape = std::move(shape)](const job::JobContext &context) {
        return graphviz(shape, context.stop);
      },
      this, [this](Result<GraphLayout> layout) { graphvizArrived(std::move(layout)); });
}

void DagLayouter::stop() {
  m_patience.stop();
  // The plain layout is dropped before the Graphviz job is cancelled. Otherwise the cancelled job
  // would show it, although another graph is already wanted.
  m_plain.reset();
  m_graphvizFailed = true; // so that the cancelled Graphviz job does not emit failed()
  m_bridge.cancelTag(kPlainTag);
  m_bridge.cancelTag(kGraphvizTag);
}

void DagLayouter::plainArrived(GraphLayout layout) {
  m_plain = std::move(layout);
  showPlain();
}

void DagLayouter::graphvizArrived(Result<GraphLayout> layout) {
  m_patience.stop();
  if (layout) {
    m_final = true;
    emit laidOut(*layout, Quality::Final);
    return;
  }
  const bool said = std::exchange(m_graphvizFailed, true);
  m_mayShowPlain = true;
  showPlain();
  if (!said && layout.error().code != ErrorCode::Cancelled)
    emit failed(QString::fromStdString(layout.error().message));
}

void DagLayouter::showPlain() {
  if (m_final || !m_mayShowPlain || !m_plain) return;
  const GraphLayout layout = std::move(*m_plain);
  m_plain.reset();
  emit laidOut(layout, Quality::Plain);
}

} // namespace tessera::views
