-- Built where it lies: `luarocks make` in the checkout, for Lua 5.4 or LuaJIT (not for PUC's 5.1 to
-- 5.3). There is no release to fetch yet, so `source` names this folder.
rockspec_format = "3.0"
package = "sinew"
version = "0.1.0-1"
source = { url = "." }
description = {
  summary = "A rigging engine in C, scripted in Lua",
  detailed = [[
    A rig wires joint components into a network; a few intuitive degrees of freedom then move dozens
    of bones. This is the Lua module with its helpers.]],
  license = "MIT",
}
dependencies = { "lua >= 5.1, < 5.5" }
build = {
  type = "command",
  build_command = "./dev build && mkdir -p build/rock && cp build/$($(LUA) -e "
    .. "'io.write(jit and [[luajit]] or [[lua]])')/sinew.so build/rock/",
  install = {
    lib = { sinew = "build/rock/sinew.so" },
    lua = {
      ["sinew.blend"] = "lua/sinew/blend.lua",
      ["sinew.bones"] = "lua/sinew/bones.lua",
      ["sinew.bones.carpus"] = "lua/sinew/bones/carpus.lua",
      ["sinew.bones.clavicle"] = "lua/sinew/bones/clavicle.lua",
      ["sinew.bones.finger_distal"] = "lua/sinew/bones/finger_distal.lua",
      ["sinew.bones.finger_middle"] = "lua/sinew/bones/finger_middle.lua",
      ["sinew.bones.finger_proximal"] = "lua/sinew/bones/finger_proximal.lua",
      ["sinew.bones.humerus"] = "lua/sinew/bones/humerus.lua",
      ["sinew.bones.metacarpal"] = "lua/sinew/bones/metacarpal.lua",
      ["sinew.bones.metacarpal1"] = "lua/sinew/bones/metacarpal1.lua",
      ["sinew.bones.radius"] = "lua/sinew/bones/radius.lua",
      ["sinew.bones.scapula"] = "lua/sinew/bones/scapula.lua",
      ["sinew.bones.sternum"] = "lua/sinew/bones/sternum.lua",
      ["sinew.bones.ulna"] = "lua/sinew/bones/ulna.lua",
      ["sinew.bones_large"] = "lua/sinew/bones_large.lua",
      ["sinew.chain"] = "lua/sinew/chain.lua",
      ["sinew.joint"] = "lua/sinew/joint.lua",
      ["sinew.expression"] = "lua/sinew/expression.lua",
      ["sinew.expression_range"] = "lua/sinew/expression_range.lua",
      ["sinew.expression_text"] = "lua/sinew/expression_text.lua",
      ["sinew.gait"] = "lua/sinew/gait.lua",
      ["sinew.limb"] = "lua/sinew/limb.lua",
      ["sinew.lines"] = "lua/sinew/lines.lua",
      ["sinew.load"] = "lua/sinew/load.lua",
      ["sinew.love"] = "lua/sinew/love.lua",
      ["sinew.mesh"] = "lua/sinew/mesh.lua",
      ["sinew.mirror"] = "lua/sinew/mirror.lua",
      ["sinew.mirror_copy"] = "lua/sinew/mirror_copy.lua",
      ["sinew.mirror_rules"] = "lua/sinew/mirror_rules.lua",
      ["sinew.obj"] = "lua/sinew/obj.lua",
      ["sinew.sample"] = "lua/sinew/sample.lua",
      ["sinew.scale"] = "lua/sinew/scale.lua",
      ["sinew.shapes"] = "lua/sinew/shapes.lua",
      ["sinew.skeleton"] = "lua/sinew/skeleton.lua",
      ["sinew.slide"] = "lua/sinew/slide.lua",
      ["sinew.spring"] = "lua/sinew/spring.lua",
      ["sinew.sides"] = "lua/sinew/sides.lua",
      ["sinew.units"] = "lua/sinew/units.lua",
      ["sinew.watch"] = "lua/sinew/watch.lua",
      ["sinew.wiring"] = "lua/sinew/wiring.lua",
    },
  },
}
