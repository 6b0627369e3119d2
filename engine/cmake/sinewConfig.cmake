# find_package(sinew) gives sinew::sinew, the engine, and sinew::host, the engine with the script
# host. A program links one of them; the targets with _static link into the program itself.
get_filename_component(_sinew "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(CMAKE_THREAD_PREFER_PTHREAD TRUE)
find_package(Threads REQUIRED)
if(NOT TARGET sinew::sinew)
  foreach(_part sinew host)
    set(_name "sinew")
    if(_part STREQUAL "host")
      set(_name "sinew-host")
    endif()
    if(APPLE)
      set(_file "lib${_name}.@MAJOR@.dylib")
    else()
      set(_file "lib${_name}.so.@MAJOR@")
    endif()
    add_library(sinew::${_part} SHARED IMPORTED)
    set_target_properties(sinew::${_part} PROPERTIES
      IMPORTED_LOCATION "${_sinew}/lib/${_file}" IMPORTED_SONAME "${_file}"
      INTERFACE_INCLUDE_DIRECTORIES "${_sinew}/include")
    add_library(sinew::${_part}_static STATIC IMPORTED)
    set_target_properties(sinew::${_part}_static PROPERTIES
      IMPORTED_LOCATION "${_sinew}/lib/lib${_name}.a"
      INTERFACE_INCLUDE_DIRECTORIES "${_sinew}/include"
      INTERFACE_LINK_LIBRARIES "expat;m;Threads::Threads")
  endforeach()
  set_property(TARGET sinew::host_static APPEND PROPERTY INTERFACE_LINK_LIBRARIES "@LUA@")
endif()
