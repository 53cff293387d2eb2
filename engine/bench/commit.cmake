# SPDX-License-Identifier: MIT
cmake_minimum_required(VERSION 3.28)
# cmake -DSOURCE=… -DOUTPUT=… -P commit.cmake: a header with the commit that is being built, touched
# only when that changes. Without Git, or outside of a checkout, the commit is empty.
execute_process(
  COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define TESSERA_COMMIT \"@commit@\"\n" @ONLY)
