// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/measure/compile.h"
#include "engine/measure/freshness.h"
#include "engine/report/verify_report.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tessera::document {

// A comparison of outputs without a CUDA GPU, as a document keeps it: the result, and what was
// compared.
struct KeptVerification {
  report::VerifyReport report;                   // may say that outputs differ
  measure::GpuApi api = measure::GpuApi::OpenCl; // the API that ran the schedule
  std::string date;                              // "2026-11-22T11:05:00Z"
  std::string program;                           // version and commit
  measure::Basis of;

  friend bool operator==(const KeptVerification &, const KeptVerification &) = default;
};

nlohmann::ordered_json toJson(const KeptVerification &verification);
Result<KeptVerification> keptVerificationFromJson(const nlohmann::json &document);

} // namespace tessera::document
