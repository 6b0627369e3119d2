-- Every function of the module is in the head of a case in tests/lua/budget, which shows that a
-- budget stops it (tests/host/test_budget_calls.c runs them), or listed here with the reason why
-- not.
local check, tests = ...
local sinew = require "sinew"
local api = require "docs.api"

local folder = arg[0]:match("^(.*)[/\\]") or "."

local reasons = { -- names; `type:*` is all methods of a type, `sinew.type.*` all its functions
  -- takes the same short time for all arguments
  constant = [[vec3:* quat:* mat4:* dual:* sinew.vec3 sinew.quat sinew.mat4 sinew.dual sinew.vec3.*
    sinew.quat.* sinew.mat4.* sinew.dual.* canvas:* sinew.type sinew.live_blocks sinew.check_purity
    sinew.clamp curve:eval buffer:mat4 buffer:put buffer:quat buffer:vec3
    buffer:unpack character:extent character:part component:param component:port]],
  -- makes or finds one thing in a rig, which compiling then pays for
  one = [[DOF:* port:* expression:* segment:* component:note component:swing_twist joint set:add
    joint set:bone joint set:dof joint set:note joint set:segment rig:add rig:find sinew.abs
    sinew.acos sinew.asin sinew.atan2 sinew.cos sinew.sin sinew.tan sinew.max sinew.min sinew.mix
    sinew.constant sinew.blend sinew.distance sinew.relative sinew.rotate sinew.translate]],
  -- frees what was made: less work than making it
  frees = [[clip:close cone:close crowd:close curve:close field:close character:close motion:close
    kind of component:close pose:close rig:close solid:close solver:close]],
  -- once over lists that the script made by more work, or over the rig's DOFs or components
  once = "pose:put pose:reset sinew.options",
  -- refused in hosted scripts, for files
  files = [[clip:save field:save rig:save_xml sinew.load_clip sinew.load_field sinew.load_motion
    sinew.load_xml sinew.write_file sinew.sculpt_field]],
  -- the same as a method, or a function, that is measured
  same = "sinew.buffer.* sinew.solid.*",
  -- Lua, or calls it: the budget counts its instructions, and what they call
  lua = [[sinew.bind sinew.bound sinew.skeleton sinew.load sinew.watch sinew.limb sinew.gait
    sinew.spring sinew.lines sinew.units sinew.shapes pose:marks]],
  -- copies what the file has
  copies = "character:image",
}

-- what the module has, in the words of the heads
local function all_functions()
  local there = {}
  for _, item in ipairs(api.types) do
    local name = item.lua or item[1]
    for _, method in ipairs(sinew.types()[name] and sinew.types()[name].methods or {}) do
      there[name .. ":" .. method] = true
    end
    if type(rawget(sinew, item[1])) == "table" then
      for key, value in pairs(sinew[item[1]]) do
        if type(value) == "function" then there["sinew." .. item[1] .. "." .. key] = true end
      end
    end
  end
  for name, value in pairs(sinew) do
    if type(value) == "function" then there["sinew." .. name] = true end
  end
  for _, item in ipairs(api.helpers) do there["sinew." .. item[1]] = true end
  -- tables that are called
  for _, name in ipairs { "vec3", "quat", "mat4", "dual", "buffer", "solid", "mesh" } do
    there["sinew." .. name] = true
  end
  return there
end

-- names in a text, of which those of types may have blanks
local function each_name(text)
  text = text:gsub("joint set:", "joint_set:"):gsub("kind of component:", "kind_of_component:")
  local next_name = text:gmatch "%S+"
  return function()
    local name = next_name()
    return name and name:gsub("^joint_set:", "joint set:")
      :gsub("^kind_of_component:", "kind of component:")
  end
end

local function measured_functions()
  local measured = {}
  for _, name in ipairs { "play", "rigs", "shapes" } do
    for line in io.lines(folder .. "/budget/" .. name .. ".lua") do
      local head = line:match "^%-%-%- [%w_]+: (.*)"
      for covered in each_name(head or "") do measured[covered] = true end
    end
  end
  return measured
end

function tests.every_function_of_the_module_is_measured_or_small()
  local there, known, wrong = all_functions(), measured_functions(), {}
  for name in pairs(known) do
    if not there[name] then wrong[#wrong + 1] = name .. " is measured but not there" end
  end
  for reason, text in pairs(reasons) do
    for name in each_name(text) do
      local start, some = name:match "^(.*)%*$", false
      for other in pairs(there) do
        if other == name or start and other:sub(1, #start) == start then
          some = true
          if known[other] and not start then
            wrong[#wrong + 1] = ("%s is '%s', and more than that"):format(name, reason)
          end
          known[other] = known[other] or reason
        end
      end
      if not some then wrong[#wrong + 1] = ("%s is '%s' but not there"):format(name, reason) end
    end
  end
  for name in pairs(there) do
    if not known[name] then wrong[#wrong + 1] = name .. " is neither measured nor small" end
  end
  table.sort(wrong)
  check.equal(table.concat(wrong, "\n"), "")
end
