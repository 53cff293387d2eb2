// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <chrono>
#include <deque>
#include <functional>
#include <map>

namespace tessera::views {

// What is tried at all. Three crashes of the same worker in ten minutes are a step down, so that
// nobody waits for a fourth; the user climbs back.
//
//   counts ── while it counts ──▶ times only ── the GPU's worker ──▶ compiles only
//     ── the compiling worker ──▶ predicts only
class CrashLadder : public QObject {
  Q_OBJECT
public:
  enum class Rung { Counts, Measures, Compiles, Predicts };
  enum class Worker { Counter, Gpu, Compiler };
  using Time = std::chrono::steady_clock::time_point;

  static constexpr int kCrashes = 3;
  static constexpr std::chrono::minutes kWithin{10};

  explicit CrashLadder(std::function<Time()> now = std::chrono::steady_clock::now,
                       QObject *parent = nullptr);

  Rung rung() const { return m_rung; }
  bool mayCount() const { return m_rung == Rung::Counts; }
  bool mayMeasure() const { return m_rung <= Rung::Measures; }
  bool mayCompile() const { return m_rung != Rung::Predicts; }

  void crashed(Worker worker);
  void climb(); // to the top; what crashed before is forgotten

signals:
  void changed();
  void died(tessera::views::CrashLadder::Worker worker); // whatever that changes

private:
  std::function<Time()> m_now;
  Rung m_rung = Rung::Counts;
  std::map<Worker, std::deque<Time>> m_crashes; // that still count
};

} // namespace tessera::views
