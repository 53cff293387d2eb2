// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QBoxLayout;
class QLabel;

namespace tessera::views {

// The legend below the DAG, and at its end the zoom. One row has the kinds of stages, the other the
// marks that a schedule adds; a single row would be too wide for a narrow window. The entries are
// made once: what is not needed is hidden.
class DagLegend : public QWidget {
  Q_OBJECT
public:
  // What the DAG shows.
  struct Of {
    bool hasSchedule = false, isHeat = false, hasAdded = false, hasExtern = false,
         hasFrozen = false; // by the search

    friend bool operator==(const Of &, const Of &) = default;
  };

  explicit DagLegend(QWidget *parent = nullptr);

  void describe(Of of);
  void setZoom(double scale);

protected:
  void changeEvent(QEvent *event) override;

private:
  struct Entry {
    QLabel *mark;
    std::function<QPixmap()> draw;
  };
  // Returns the widget of the new entry.
  QWidget *add(QBoxLayout &row, const QString &words, std::function<QPixmap()> draw);
  void addKinds(QBoxLayout &row);
  void addMarks(QBoxLayout &row);
  void draw();

  std::vector<Entry> m_entries;
  std::vector<QWidget *> m_ofSchedule; // shown for every schedule
  QWidget *m_heat = nullptr, *m_added = nullptr, *m_extern = nullptr, *m_frozen = nullptr;
  QLabel *m_zoom = nullptr;
  std::optional<Of> m_of;  // none: nothing is described yet
  double m_pixelRatio = 0; // for which the marks are drawn
};

} // namespace tessera::views
