// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/crash_ladder.h"
#include "views/flows/document_flow.h"
#include "views/flows/host_model.h"
#include "views/flows/measure_service.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace tessera::views {

// Measures candidates on the GPU of the chosen host, and verifies them, which needs no GPU. Jobs
// run one after the other.
//
//   measure(), verify() ──▶ a queue ── a thread: compile, check the outputs, take times ──▶
//     the document (SetMeasurement, SetVerification), measured(), verified()
//     or a failure: known results stay; the other jobs go on if the candidate caused it;
//     failed() at the end of the queue
class MeasureFlow : public QObject {
  Q_OBJECT
public:
  enum class State { Idle, Measuring, Verifying };
  struct Failure {
    std::uint64_t candidate = 0;
    Outcome outcome = Outcome::ProtocolError;
    QString text; // text for the user
  };

  MeasureFlow(MeasureService service, Bridge &bridge, DocumentFlow &documents,
              ScheduleFlow &schedule, HostModel &hosts, CrashLadder &ladder,
              QObject *parent = nullptr);

  State state() const { return m_state; }
  std::uint64_t candidate() const { return m_current; } // the candidate being processed; 0: none
  // Why candidates, or the shown schedule, cannot be measured or verified now; empty: they can be.
  QString whyNotMeasure() const;
  QString whyNotMeasureShown() const;
  QString whyNotVerify() const;
  QString whyNotVerifyShown() const;
  // The following functions are about the chosen host.
  const HostModel &hosts() const { return m_hosts; }
  bool hasGpu() const { return !gpu().isEmpty(); }
  const QString &gpu() const { return m_hosts.gpu(m_hosts.chosen()); } // its name; empty: not known
  // Why the host has no GPU; empty: not known.
  const QString &noGpu() const { return m_hosts.whyNot(m_hosts.chosen()); }
  bool isLookingForGpu() const { return m_hosts.isTesting(m_hosts.chosen()); }
  bool canLookForGpu() const { return m_service.gpu && !isLookingForGpu(); }
  QString
  where() const; // "NVIDIA H200", "NVIDIA H200 of me@gpu", "me@gpu", "the GPU of this computer"

  // Runs on a thread. This computer is tested once something is open, other hosts only on request.
  void lookForGpu() { m_hosts.test(m_hosts.chosen()); }

  // Whether measurements also read hardware counters. After repeated crashes while reading them,
  // they are no longer read (see CrashLadder).
  void setCounts(bool counts) { m_counts = counts; }

  void measureShown(); // adds the shown schedule to the candidates first
  void measure(std::vector<std::uint64_t> candidates);
  // Unmeasured or stale candidates that are not quarantined, in the order of the list.
  std::vector<std::uint64_t> unmeasured() const;
  // The candidate with the shown decisions; null: there is none.
  document::CandidatePtr shownCandidate() const;
  void verifyShown(); // adds the shown schedule to the candidates first
  void verify(std::vector<std::uint64_t> candidates);
  void stop();  // finished measurements stay
  void retry(); // repeats the jobs that failed in the last queue

  // The output files of one of the last few verifications.
  struct Outputs {
    document::KeptVerification of;
    // Contains the files; see measure::readVerifiedOutput().
    std::shared_ptr<const file::ScratchFolder> folder;
  };
  // Null: none are left.
  const Outputs *outputsOf(const document::KeptVerification &verification) const;

  // Failures of the last queue of jobs.
  const std::vector<Failure> &failures() const { return m_failures; }
  QString failureText() const; // texts of all failures

signals:
  void changed(); // the state, the GPU, or what can be done
  void measured(quint64 candidate);
  void failed();
  void verified(quint64 candidate, const QString &text); // the candidate's outputs are correct

private:
  QString whyNothing() const;
  QString whyNothingShown() const;
  void start(State state, std::vector<std::uint64_t> candidates);
  void next();
  void measureNext(std::uint64_t candidate, const QString &title, const MeasureWish &wish);
  void verifyNext(std::uint64_t candidate, const QString &title, const MeasureWish &wish);
  void take(std::uint64_t candidate, measure::MeasureAnswer answer);
  void takeVerified(std::uint64_t candidate, measure::VerifiedHere found);
  void fail(std::uint64_t candidate, Outcome outcome, const QString &text);
  void failJob(std::uint64_t candidate, const Error &error);
  QString failureText(std::uint64_t candidate, Outcome outcome, const Error &error) const;
  void finish();
  std::optional<MeasureWish> wishFor(const schedule::Schedule &schedule) const;

  MeasureService m_service;
  Bridge &m_bridge;
  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  HostModel &m_hosts;
  CrashLadder &m_ladder;
  State m_state = State::Idle;
  QString m_host; // the host that the queue is measured on
  bool m_counts = false;
  std::vector<std::uint64_t> m_queue;
  std::size_t m_done = 0; // number of finished entries of the queue
  std::uint64_t m_current = 0;
  pipeline::PipelinePtr m_pipeline; // the pipeline of the queue
  measure::RunInputs m_inputs;      // the inputs that the queue runs on
  std::deque<Outputs> m_outputs;    // the latest first
  std::vector<Failure> m_failures;
  bool m_wasVerifying = false; // the last queue was a verification
};

} // namespace tessera::views
