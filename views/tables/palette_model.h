// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace tessera::views {

// A named command that can be run.
struct PaletteEntry {
  QString title;  // "Zoom In"
  QString where;  // "View", "Stage", "Candidate": the kind of entry, or the menu that contains it
  QString keys;   // the shortcut for the same command
  QString whyNot; // why the command cannot be run now; empty: it can
  std::optional<bool> checked; // state of a command that can be switched on or off
  std::function<void()> run;
};

// The entries that match the typed text, best first. Scattered matches are listed only if there are
// no better ones. If nothing is typed, all entries are listed, starting with those that were run
// last.
class PaletteModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { WhereRole = Qt::UserRole + 1, KeysRole, WhyNotRole, CheckedRole, MatchedRole };

  explicit PaletteModel(QObject *parent = nullptr);

  void setEntries(std::vector<PaletteEntry> entries); // also clears the typed text
  void setFilter(const QString &typed);
  const PaletteEntry &entryAt(int row) const;
  void remember(int row); // records that this entry was run

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
  struct Row {
    std::size_t entry = 0;
    int score = 0;
    bool isTight = true;
    QList<int> matched; // indices of the matched letters in the title
  };
  std::optional<Row> rowOf(std::size_t entry, const QString &typed) const;
  int recency(const PaletteEntry &entry) const; // 0: this entry was run last

  std::vector<PaletteEntry> m_entries;
  std::vector<Row> m_rows;
  QStringList m_done; // keys of the entries that were run, the latest first
};

} // namespace tessera::views
