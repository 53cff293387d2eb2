// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace tessera::views {

// Something that can be done, by its name.
struct PaletteEntry {
  QString title;               // "Zoom In"
  QString where;               // "View", "Stage", "Candidate": what it is, or the menu that has it
  QString keys;                // that do the same
  QString whyNot;              // it cannot be done now; empty: it can
  std::optional<bool> checked; // of what is on or off
  std::function<void()> run;
};

// The entries that match what was typed, best first. With nothing typed all are there, and what was
// done last stands first.
class PaletteModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { WhereRole = Qt::UserRole + 1, KeysRole, WhyNotRole, CheckedRole, MatchedRole };

  explicit PaletteModel(QObject *parent = nullptr);

  void setEntries(std::vector<PaletteEntry> entries); // and nothing typed
  void setFilter(const QString &typed);
  const PaletteEntry &entryAt(int row) const;
  void remember(int row); // it was done

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
  struct Row {
    std::size_t entry = 0;
    int score = 0;
    QList<int> matched; // letters of the title
  };
  std::optional<Row> rowOf(std::size_t entry, const QString &typed) const;
  int recency(const PaletteEntry &entry) const; // 0: the latest

  std::vector<PaletteEntry> m_entries;
  std::vector<Row> m_rows;
  QStringList m_done; // keys of what was done, the latest first
};

} // namespace tessera::views
