// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>

class QPainter;

namespace tessera::views {

// When a zoom or a palette change repaints everything at once, the view paints a draft: nothing is
// smoothed, and small text is left out. The signal ended() asks for the final picture. After a
// single change, ended() is emitted as soon as the draft is painted. After changes in quick
// succession, it is emitted once no change has come for kRestMilliseconds.
class ViewDraft : public QObject {
  Q_OBJECT
public:
  static constexpr int kRestMilliseconds = 140;
  static constexpr std::size_t kManyNodes = 250; // fewer nodes are painted quickly enough

  // A sketch is a draft without edges, for a palette change: nobody follows a line while all
  // colours change.
  enum class Kind : std::uint8_t { Draft, Sketch };

  explicit ViewDraft(QObject *parent = nullptr);

  // Called before `nodes` nodes are repainted.
  void begin(std::size_t nodes, Kind kind = Kind::Draft);
  void painted();
  bool isActive() const { return m_isActive; }
  void mark(QPainter &painter) const; // call before items are painted

signals:
  void ended();

private:
  QTimer m_rest;
  QElapsedTimer m_begun;
  bool m_isActive = false;
  bool m_isQuick = false; // the last change came less than kRestMilliseconds after the one before
  Kind m_kind = Kind::Draft;
};

// Called by items. A painter without a view's hints paints a file, which is never a draft.
bool isDraft(const QPainter &painter); // also true for a sketch
bool isSketch(const QPainter &painter);

} // namespace tessera::views
