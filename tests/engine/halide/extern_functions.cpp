// SPDX-License-Identifier: MIT
// The functions of the extern stages in the tests, as a library that a program may load.
#include <HalideBuffer.h>

namespace {

using Plane = Halide::Runtime::Buffer<int, 2>;

} // namespace

// Doubles each element. Asked for its bounds, it reads the box that it writes. A GPU may have
// written what it reads.
extern "C" int tessera_test_double(halide_buffer_t *in, halide_buffer_t *out) {
  Plane to(*out);
  if (in->is_bounds_query()) {
    for (int d = 0; d < to.dimensions(); ++d) {
      in->dim[d].min = to.dim(d).min();
      in->dim[d].extent = to.dim(d).extent();
    }
    return 0;
  }
  if ((in->flags & halide_buffer_flag_device_dirty) != 0)
    if (const int failed = in->device_interface->copy_to_host(nullptr, in); failed != 0)
      return failed;
  const Plane from(*in);
  to.for_each_element([&](int x, int y) { to(x, y) = from(x, y) * 2; });
  return 0;
}
