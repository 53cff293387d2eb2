# SPDX-License-Identifier: MIT
# cmake -DPROGRAM=… -DOBJDUMP=… -P stands_alone.cmake
#
# tessera-gpu is copied to machines that have a driver and perhaps nothing else of what builds it:
# it may need the C library alone.
execute_process(COMMAND "${OBJDUMP}" -p "${PROGRAM}"
                OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED +[^\n]+" needed "${headers}")
if(NOT needed)
  message(FATAL_ERROR "'${PROGRAM}' names no library at all")
endif()
foreach(line IN LISTS needed)
  string(REGEX REPLACE "NEEDED +" "" library "${line}")
  if(NOT library MATCHES "^(libc|libm|libdl|libpthread|ld-linux-x86-64)\\.so\\.[0-9]+$")
    message(SEND_ERROR "'${PROGRAM}' needs ${library}, which another machine may lack")
  endif()
endforeach()
