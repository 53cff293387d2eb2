// SPDX-License-Identifier: MIT
#pragma once

namespace tessera::job {

// Whether a sanitizer is part of this build. Sanitizers reserve terabytes of address space, so such
// a build sets no limit on the address space of its children.
#if defined(TESSERA_SANITIZED)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace tessera::job
