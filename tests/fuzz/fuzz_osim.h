/* Mutated OpenSim files: each is refused with one message or becomes a script that Lua compiles;
 * some scripts are also run, and give a rig or a message. The fuzzer uses it and, for a few inputs,
 * the tests. */
#ifndef FUZZ_OSIM_H
#define FUZZ_OSIM_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "fuzz_frame.h"
#include "sinew/osim.h"

int luaopen_sinew(lua_State *L);

static const char fuzz_osim_old[] =
    "<?xml version=\"1.0\"?>\n<OpenSimDocument Version=\"30000\"><Model name=\"old\">"
    "<credits>who &amp; when</credits><length_units>meters</length_units><BodySet><objects>"
    "<Body name=\"ground\"><Joint/></Body>\n<Body name=\"femur\"><mass>1</mass><Joint>"
    "<CustomJoint name=\"hip\"><parent_body>ground</parent_body>"
    "<location_in_parent>0 1 0</location_in_parent><orientation>0.1 0 0.2</orientation>"
    "<CoordinateSet><objects><Coordinate name=\"a\"><motion_type>rotational</motion_type>"
    "<default_value>0.1</default_value><range>-1 2</range><clamped>true</clamped></Coordinate>"
    "<Coordinate name=\"b\"><range>0 1</range><locked>true</locked></Coordinate></objects>"
    "</CoordinateSet>\n<SpatialTransform><TransformAxis name=\"rotation1\"><coordinates>a"
    "</coordinates><axis>0 0 1</axis><function><LinearFunction><coefficients>1 0</coefficients>"
    "</LinearFunction></function></TransformAxis><TransformAxis name=\"rotation2\"><coordinates>a b"
    "</coordinates><axis>1 1 0</axis><function><LinearFunction><coefficients>1 -2 0.5"
    "</coefficients></LinearFunction></function></TransformAxis>\n"
    "<TransformAxis name=\"translation1\"><coordinates>a</coordinates><axis>0 1 0</axis><function>"
    "<MultiplierFunction><scale>2</scale><function><SimmSpline><x>-2 -1 0 1</x><y>0 0.1 0.4 0.2</y>"
    "</SimmSpline></function></MultiplierFunction></function></TransformAxis></SpatialTransform>"
    "<reverse>true</reverse></CustomJoint></Joint><VisibleObject><x>1</x></VisibleObject></Body>\n"
    "<Body name=\"tibia\"><Joint><EllipsoidJoint name=\"e\"><parent_body>femur</parent_body>"
    "<radii_x_y_z>1 2 3</radii_x_y_z><CoordinateSet><objects/></CoordinateSet></EllipsoidJoint>"
    "</Joint></Body></objects></BodySet><ConstraintSet><objects>"
    "<CoordinateCouplerConstraint name=\"k\"><isDisabled>false</isDisabled>"
    "<coupled_coordinates_function><PiecewiseLinearFunction><x>0 1 2</x><y>0 2 1</y>"
    "</PiecewiseLinearFunction></coupled_coordinates_function><independent_coordinate_names>a"
    "</independent_coordinate_names><dependent_coordinate_name>b</dependent_coordinate_name>"
    "</CoordinateCouplerConstraint></objects></ConstraintSet><MarkerSet><objects>"
    "<Marker name=\"M\"><body>tibia</body><location>1 2 3</location></Marker></objects></MarkerSet>"
    "</Model></OpenSimDocument>\n";

static const char fuzz_osim_new[] =
    "<OpenSimDocument Version=\"40000\"><Model name=\"new\"><defaults><Coordinate name=\"d\">"
    "<clamped>true</clamped></Coordinate></defaults><Ground name=\"ground\"><components>"
    "<PhysicalOffsetFrame name=\"f\"><socket_parent>..</socket_parent><translation>1 0 0"
    "</translation></PhysicalOffsetFrame></components></Ground><BodySet><objects>"
    "<Body name=\"thorax\"><mass>2</mass></Body><Body name=\"scapula\"/><Body name=\"arm\"/>"
    "</objects></BodySet>\n<JointSet><objects><FreeJoint name=\"root\"><socket_parent_frame>/ground"
    "/f</socket_parent_frame><socket_child_frame>near</socket_child_frame><coordinates>"
    "<Coordinate name=\"x\"/><Coordinate name=\"y\"/></coordinates><frames>"
    "<PhysicalOffsetFrame name=\"near\"><socket_parent>/bodyset/thorax</socket_parent>"
    "<orientation>1 2 3</orientation></PhysicalOffsetFrame></frames></FreeJoint>\n"
    "<ScapulothoracicJoint name=\"st\"><socket_parent_frame>/bodyset/thorax</socket_parent_frame>"
    "<socket_child_frame>/bodyset/scapula</socket_child_frame><coordinates>"
    "<Coordinate name=\"s\"><range>-1 1</range></Coordinate></coordinates>"
    "<thoracic_ellipsoid_radii_x_y_z>0.1 0.2 0.1</thoracic_ellipsoid_radii_x_y_z>"
    "<scapula_winging_axis_origin>0 0.1</scapula_winging_axis_origin></ScapulothoracicJoint>\n"
    "<CustomJoint name=\"gh\"><socket_parent_frame>/bodyset/arm</socket_parent_frame>"
    "<socket_child_frame>/bodyset/scapula</socket_child_frame><SpatialTransform>"
    "<TransformAxis name=\"rotation1\"><coordinates>q</coordinates><axis>1 0 0</axis>"
    "<PolynomialFunction><coefficients>1 2 3</coefficients></PolynomialFunction></TransformAxis>"
    "<TransformAxis name=\"translation2\"><coordinates>q</coordinates><axis>1 1 0</axis>"
    "<SimmSpline><x>0 1</x><y>0 1</y></SimmSpline></TransformAxis></SpatialTransform></CustomJoint>"
    "\n<PinJoint name=\"loop\"><socket_parent_frame>/ground</socket_parent_frame>"
    "<socket_child_frame>/bodyset/arm</socket_child_frame></PinJoint></objects></JointSet>"
    "<ForceSet><objects><Muscle name=\"m\"/></objects></ForceSet></Model></OpenSimDocument>\n";

/* a word of the format replaces a number or is inserted anywhere */
static inline size_t fuzz_osim_word(uint32_t *state, unsigned char *bytes, size_t size,
                                    size_t room) {
  /* clang-format off */
  static const char *const words[] = {
    "0", "1", "-1", "1e38", "1e39", "1e-30", "nan", "1e400", "0 0", "2 1", "true", "false", "a",
    "b", "ground", "/ground", "..", "/", "../../f", "femur", "scapula", "/bodyset/arm", "near",
    "\"", "<objects>", "</objects>", "<x>1</x>", "<Joint/>", "&lt;", "&#10;", "&#0;", "&x;",
    "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE x [<!ENTITY x \"y\">]>", "\xc3\xa4", "\xff",
    "name=\"end\"", "PinJoint", "CustomJoint", "Constant", "SimmSpline", "translation3",
    "rotation3", "0.5 0.5 0.5", "99999.9", "a b a b a b a", "1 2 3 4 5 6 7 8", "\\\"]]--", "a.b",
    " "
  };
  /* clang-format on */
  const char *word = words[fuzz_below(state, sizeof words / sizeof *words)];
  size_t at = fuzz_below(state, size + 1), cut = 0;
  /* usually replaces the text between tags */
  if (fuzz_random(state) % 4) {
    while (at < size && bytes[at] != '>') at++;
    if (at < size) at++;
    while (at + cut < size && bytes[at + cut] != '<') cut++;
  }
  return fuzz_put_word(bytes, size, room, at, cut, word);
}

/* the script is valid Lua, and running it does no harm */
static inline bool fuzz_osim_use(void *object, uint32_t *state) {
  sinew_osim *osim = object;
  const char *script = sinew_osim_script(osim);
  lua_State *L = luaL_newstate();
  if (!L) abort();
  if (luaL_loadbufferx(L, sinew_osim_markers(osim), strlen(sinew_osim_markers(osim)), "m", "t"))
    abort();
  if (luaL_loadbufferx(L, script, strlen(script), "s", "t")) {
    fprintf(stderr, "%s\n%s\n", script, lua_tostring(L, -1));
    abort();
  }
  if (fuzz_random(state) % 16 == 0) {
    luaL_openlibs(L);
    luaL_requiref(L, "sinew", luaopen_sinew, 0);
    lua_settop(L, 2);
    if (lua_pcall(L, 0, 1, 0) == LUA_OK) {
      lua_getfield(L, -1, "compile");
      lua_insert(L, -2);
      lua_pcall(L, 1, 0, 0);
    }
  }
  lua_close(L);
  sinew_osim_destroy(osim);
  return true;
}

static inline size_t fuzz_osim_make(uint32_t *state, unsigned char *dest, int *form) {
  (void)form;
  size_t size = fuzz_start(fuzz_random(state) % 2 ? fuzz_osim_old : fuzz_osim_new, dest);
  for (uint32_t left = 1 + fuzz_random(state) % 3; left > 0; left--)
    size = fuzz_random(state) % 4 ? fuzz_osim_word(state, dest, size, FUZZ_ROOM)
                                  : fuzz_change(state, dest, size, FUZZ_ROOM);
  return size;
}

static inline void *fuzz_osim_read(int form, const unsigned char *bytes, size_t size,
                                   sinew_error *error) {
  (void)form;
  return sinew_osim_parse("fuzz.osim", bytes, size, error);
}

static const fuzz_kind fuzz_osim_kind = { .salt = 77777,
                                          .make = fuzz_osim_make,
                                          .read = fuzz_osim_read,
                                          .use = fuzz_osim_use,
                                          .forms = 1,
                                          .word = fuzz_osim_word };

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_osim(uint32_t seed) { return fuzz_one(&fuzz_osim_kind, seed); }

#endif
