// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/mullapudi/mullapudi_kernel.h"

#include <vector>

namespace tessera::search {

// Section 4.3 of Mullapudi et al. 2016: what is gained by inlining a func into all its consumers.
// It is the cost of the producer, and of the consumers as they are, less the cost of the consumers
// with its expression substituted. All are singletons at SINGLE_ELEMENT_TILE.
double inliningBenefit(const pipeline::Pipeline &pipeline, const MullapudiKernel &producer,
                       const std::vector<const MullapudiKernel *> &consumers,
                       const MullapudiParameters &parameters);

// A consumer after that.
MullapudiKernel withInlinedInto(const pipeline::Pipeline &pipeline, const MullapudiKernel &producer,
                                const MullapudiKernel &consumer,
                                const MullapudiParameters &parameters);

// Whether inlining computes nothing again, which is when `mullapudi-baseline` inlines
// (section 5.1): the consumers together evaluate the func's expression at most as often as it has
// points. Loads of the same element in one definition count once.
bool isInlinedWithoutRedundancy(const pipeline::Pipeline &pipeline, const MullapudiKernel &producer,
                                const std::vector<const MullapudiKernel *> &consumers);

} // namespace tessera::search
