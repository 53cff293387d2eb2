// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <chrono>
#include <deque>
#include <functional>
#include <map>

namespace tessera::views {

// Decides what is still tried after crashes. Three crashes of the same worker within ten minutes
// lead down to the first rung that does not need this worker, so that the user does not wait for a
// fourth crash. Only the user climbs back.
//
//   counts ── crashes while counting ──▶ times only ── crashes of the GPU's worker ──▶
//     compiles only ── crashes of the compiling worker ──▶ predicts only
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
  void climb(); // back to the top rung; forgets all earlier crashes

signals:
  void changed();
  // Emitted for every crash, even if the rung stays the same.
  void died(tessera::views::CrashLadder::Worker worker);

private:
  std::function<Time()> m_now;
  Rung m_rung = Rung::Counts;
  std::map<Worker, std::deque<Time>> m_crashes; // crashes within the last ten minutes
};

} // namespace tessera::views
