-- Poses blended, carried to other rigs, and packed for saves and networks.
local check, tests = ...
local sinew = require "sinew"

local function rig_of(name, dofs)
  local rig = sinew.rig(name)
  local set = rig:joint_set "set"
  for _, dof in ipairs(dofs) do
    set:dof(dof, { min = -90, max = 180, rest = dof == "rested" and 15 or 0 })
  end
  return rig
end

local names = { "a", "b", "c", "d", "e", "f", "g", "h", "rested", "last" }

local function filled(rig, seed)
  local pose, random = rig:pose(), check.random(seed)
  for _, dof in ipairs(rig.dofs) do pose[dof.name] = random(-90, 180) end
  return pose
end

local function same(a, b) check.near_all(a:dofs(), b:dofs(), 0) end

function tests.blends_dof_by_dof()
  local rig = rig_of("one", names)
  local a, b = filled(rig, 1), filled(rig, 2)
  local before = a:dofs()
  check.that(rawequal(a:blend(b, 0), a), "gives the pose")
  check.near_all(a:dofs(), before, 0)
  a:blend(b, 0.25)
  local other = b:dofs()
  for i, value in ipairs(a:dofs()) do
    check.near(value, before[i] + 0.25 * (other[i] - before[i]), 1e-5)
  end
  same(a:blend(b, 1), b)
  a:reset():blend(b, 1000)
  for i, value in ipairs(a:dofs()) do check.that(value >= -90 and value <= 180, names[i]) end
  check.fails({ "different rigs", "carry" }, a.blend, a, rig_of("two", names):pose(), 0.5)
  check.fails("blended by", a.blend, a, b, 0 / 0)
  check.fails("pose expected, got number", a.blend, a, 3, 0.5)
end

function tests.carries_values_by_name()
  local from = filled(rig_of("one", { "a", "b", "only" }), 3)
  local to = rig_of("two", { "c", "b", "a" }):pose()
  check.equal(to:carry(from), 2)
  check.equal(to["set.a"], from["set.a"])
  check.equal(to["set.b"], from["set.b"])
  check.equal(to["set.c"], 0)
end

function tests.puts_some_dofs_at_once()
  local pose = rig_of("one", names):pose()
  check.equal(pose:put({ 3, 1 }, { 30, 10 }), true)
  check.near_all(pose:dofs(), { 10, 0, 30, 0, 0, 0, 0, 0, 15, 0 }, 0)
  check.equal(pose:put({ 2 }, { 500 }), false)
  check.equal(pose["set.b"], 180)
  check.fails("value 2 is no finite number", pose.put, pose, { 1, 2 }, { 1 })
  check.fails("value 1 is no finite number", pose.put, pose, { 1 }, { 1 / 0 })
  check.fails("DOF 2 is none of the rig's 10", pose.put, pose, { 1, 11 }, { 1, 2 })
  check.fails("DOF 1 is none of", pose.put, pose, { "set.a" }, { 1 })
  check.equal(pose["set.a"], 10)
  local many = {}
  for i = 1, 257 do many[i] = 1 end
  check.fails("257 DOFs are too many", pose.put, pose, many, many)
end

function tests.packs_to_the_bit()
  local rig = rig_of("one", names)
  for seed = 1, 50 do
    local pose, other = filled(rig, seed), rig:pose()
    if seed % 2 == 0 then pose["set.c"], pose["set.last"] = 0, -0.0 end
    check.that(rawequal(other:unpack(pose:pack()), other), "gives the pose")
    same(other, pose)
  end
  -- the size that the reference states: 8 bytes, a bit for each DOF, 4 for each that is not 0
  check.equal(#rig:pose():pack(), 8 + 2 + 4)
  check.equal(#filled(rig, 1):pack(), 8 + 2 + 40)
  -- the same bytes on every machine: 15 is 0x41700000
  check.equal(rig:pose():pack():sub(9), "\0\1\0\0\112\65")
  check.equal(rig:pose():pack():sub(1, 4), "P\16\10\0")
end

function tests.packs_into_half_the_size()
  local rig = rig_of("one", names)
  local pose, other = filled(rig, 5), rig:pose()
  local packed = pose:pack(16)
  check.equal(#packed, 8 + 20)
  other:unpack(packed)
  check.near_all(other:dofs(), pose:dofs(), 270 / 65535 / 2 + 1e-4)
  for _, edge in ipairs { -90, 180 } do
    for _, dof in ipairs(rig.dofs) do pose[dof.name] = edge end
    other:unpack(pose:pack(16))
    same(other, pose)
  end
  check.fails("32 bits or into 16, not 8", pose.pack, pose, 8)
end

function tests.refuses_what_is_no_pose_of_the_rig()
  local rig = rig_of("one", names)
  local pose = filled(rig, 9)
  local before, packed = pose:dofs(), pose:pack()
  local function refuses(part, text) check.returns_error(part, pose.unpack, pose, text) end
  refuses({ "a rig with 2 DOFs", "'one' has 10" }, rig_of("two", { "a", "b" }):pose():pack())
  local renamed = { "A" }
  for i = 2, #names do renamed[i] = names[i] end
  refuses("its DOFs have other names than in 'one'", rig_of("x", renamed):pose():pack())
  refuses("other names or ranges", rig_of("x", renamed):pose():pack(16))
  refuses("no packed pose", "")
  refuses("no packed pose", "hello, world")
  refuses("another version of Sinew (format 15.0)", "P\240" .. packed:sub(3))
  for length = 0, #packed - 1 do refuses("pose", packed:sub(1, length)) end
  refuses("cut off or has more", packed .. "x")
  refuses("not finite", packed:sub(1, -5) .. "\0\0\192\127")
  check.near_all(pose:dofs(), before, 0)
  check.fails("string expected", pose.unpack, pose, 3)
  -- rubbish is refused or taken, never more
  local random = check.random(11)
  for _ = 1, 2000 do
    local i = math.floor(random(1, #packed + 1))
    local changed = packed:sub(1, i - 1) .. string.char(math.floor(random(0, 256)))
      .. packed:sub(i + 1)
    pose:unpack(changed)
    for _, value in ipairs(pose:dofs()) do check.that(value >= -90 and value <= 180, "in range") end
  end
end
