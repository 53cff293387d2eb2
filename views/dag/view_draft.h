// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>

class QPainter;

namespace tessera::views {

// What is painted all at once, at another size or in other colours, is a draft: nothing is
// smoothed and small words are left out. The view is to be painted as it should be when ended()
// comes: after a single change at once, after quick ones, which nobody reads, when they rest.
class ViewDraft : public QObject {
  Q_OBJECT
public:
  static constexpr int kRestMilliseconds = 140;
  static constexpr std::size_t kManyNodes = 250; // fewer are painted in no time

  // Where all colours change at once nobody follows a line: a sketch has none at all.
  enum class Kind : std::uint8_t { Draft, Sketch };

  explicit ViewDraft(QObject *parent = nullptr);

  void begin(std::size_t nodes, Kind kind = Kind::Draft); // all of them will be painted anew
  void painted();
  bool isActive() const { return m_isActive; }
  void mark(QPainter &painter) const; // before items are painted

signals:
  void ended();

private:
  QTimer m_rest;
  QElapsedTimer m_begun;
  bool m_isActive = false;
  bool m_isQuick = false; // the one before is not long ago
  Kind m_kind = Kind::Draft;
};

// What an item asks. A painter that no view gave is of a file, and never in a hurry.
bool isDraft(const QPainter &painter); // or a sketch
bool isSketch(const QPainter &painter);

} // namespace tessera::views
