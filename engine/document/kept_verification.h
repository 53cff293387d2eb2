// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/report/verify_report.h"
#include "engine/measure/compile.h"
#include "engine/measure/freshness.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tessera::document {

// What a document keeps of a comparison of outputs without a GPU: what came of it, and what
// it is of.
struct KeptVerification {
  report::VerifyReport report;                   // its outputs may differ, which is worth as much
  measure::GpuApi api = measure::GpuApi::OpenCl; // that the schedule ran by
  std::string date;                              // "2026-11-22T11:05:00Z"
  std::string program;                           // version and commit
  measure::Basis of;

  friend bool operator==(const KeptVerification &, const KeptVerification &) = default;
};

nlohmann::ordered_json toJson(const KeptVerification &verification);
Result<KeptVerification> keptVerificationFromJson(const nlohmann::json &document);

} // namespace tessera::document
