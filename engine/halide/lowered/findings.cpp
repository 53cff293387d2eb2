// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/findings.h"

namespace tessera::halide::lowered {

namespace {

const char *subjectOf(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "loads or stores outside of the memory";
  case FindingKind::Misaligned:
    return "vector accesses at addresses that the GPU refuses";
  case FindingKind::Race:
    return "races between threads";
  case FindingKind::UnknownIndex:
    return "stores at an index that was never computed";
  case FindingKind::UnknownOutput:
    return "elements that nothing has written, or only from such memory,";
  case FindingKind::DivergentBarrier:
    return "barriers that only some threads of a block reach";
  case FindingKind::FailedCheck:
    return "failed checks";
  case FindingKind::KnownFault:
    return "stores that the code generator is known to get wrong";
  }
  return "";
}

} // namespace

Finding &Findings::entry(FindingKind kind, const std::string &kernel, const std::string &buffer) {
  for (Finding &finding : m_all)
    if (finding.kind == kind && finding.kernel == kernel && finding.buffer == buffer)
      return finding;
  m_all.push_back({kind, kernel, buffer, "", 0});
  return m_all.back();
}

std::string textOf(const Finding &finding) {
  std::string text = std::to_string(finding.count) + " " + subjectOf(finding.kind);
  if (!finding.buffer.empty()) text += " of " + finding.buffer;
  if (!finding.kernel.empty()) text += " in the kernel at the loop " + finding.kernel;
  return text + ": " + finding.example;
}

} // namespace tessera::halide::lowered
