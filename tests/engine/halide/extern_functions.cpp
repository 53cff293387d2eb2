// SPDX-License-Identifier: MIT
// The functions of the extern stages in the tests, as a library that a program may load.
#include <HalideBuffer.h>

namespace {

using Plane = Halide::Runtime::Buffer<int, 2>;

} // namespace

// Multiplies each element. Asked for its bounds, it reads the box that it writes. A GPU may have
// written what it reads.
namespace tessera_test {

int scale(halide_buffer_t *in, signed char factor, halide_buffer_t *out) {
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
  to.for_each_element([&](int x, int y) { to(x, y) = from(x, y) * factor; });
  return 0;
}

int scale_by(halide_buffer_t *in, const int *factor, halide_buffer_t *out) {
  return scale(in, static_cast<signed char>(*factor), out);
}

} // namespace tessera_test

extern "C" int tessera_test_double(halide_buffer_t *in, halide_buffer_t *out) {
  return tessera_test::scale(in, 2, out);
}
