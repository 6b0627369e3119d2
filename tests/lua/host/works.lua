-- What an honest rig script may use of Lua; every line must work in a sandbox.

-- classes, also with metamethods added after the first object
local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end
local early = vector(1, 2)
function Vector.__add(a, b) return vector(a.x + b.x, a.y + b.y) end
function Vector:length() return math.sqrt(self.x ^ 2 + self.y ^ 2) end
assert((early + vector(2, 2)):length() == 5)
local function new(class, n) return setmetatable({ n = n }, class) end
local Base = setmetatable({}, { __call = new })
Base.__index = Base
Base.__tostring = function(self) return "base " .. self.n end
assert(tostring(Base(3)) == "base 3" and ("%s"):format(Base(4)) == "base 4")
assert(getmetatable(Base(1)) == Base)

-- generators
local function range(n)
  return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end)
end
local sum = 0
for i in range(10) do sum = sum + i end
assert(sum == 55)

-- errors can be any value, as long as the script stays within its budget
local ok, problem = pcall(error, { code = 7 })
assert(not ok and problem.code == 7)
local caught, trace = xpcall(function() error "deep" end, debug.traceback)
assert(not caught and trace:find "deep" and trace:find "traceback")
assert(select(2, pcall(function() local x = nil; return x.y end)):find "works.lua:%d+")
assert(select(2, pcall(function() string.rep() end)):find "bad argument #1 to 'rep'")
local _, complaint = pcall(function() return ("%d"):format "x" end)
assert(complaint:find "works.lua:%d+: bad argument #2 to 'format'")
local recovered = 0
for _ = 1, 100 do if not pcall(function() error() end) then recovered = recovered + 1 end end
assert(recovered == 100)

-- closing variables
local closed = 0
do local _ <close> = setmetatable({}, { __close = function() closed = closed + 1 end }) end
local suspended = coroutine.create(function()
  local _ <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
  coroutine.yield()
end)
coroutine.resume(suspended)
assert(coroutine.close(suspended) and closed == 2)

-- chunks with an environment of their own
local env = { y = 20 }
assert(load("x = y + 1 return x", "=chunk", "t", env)() == 21 and env.x == 21)
assert(rawget(_G, "x") == nil)
assert(select(2, load "return +"):find "unexpected symbol")

-- the libraries
assert(table.concat({ 1, 2, 3 }, "-") == "1-2-3")
assert(select("#", table.unpack({ 1, nil, 3 }, 1, 3)) == 3)
local words = {}
for word in ("hip knee ankle"):gmatch "%a+" do words[#words + 1] = word end
table.sort(words)
assert(table.concat(words, " ") == "ankle hip knee")
assert(("knee.flexion"):match "^(%w+)%.(%w+)$" == "knee" and ("a,b"):gsub(",", ";") == "a;b")
assert(utf8.char(228):len() == 2 and utf8.len "ä" == 1 and ("x"):rep(3, "-") == "x-x-x")
assert(math.tointeger(3.0) == 3 and math.type(1) == "integer" and 7 // 2 == 3 and "10" + 1 == 11)
assert(collectgarbage "count" > 0 and collectgarbage() == 0)
assert(rawlen { 1, 2 } == 2 and rawequal(_G, _G) and next({}) == nil and _VERSION == "Lua 5.4")
for _, value in ipairs { {}, print, suspended, function() end } do
  assert(tostring(value) == type(value) and not ("%s"):format(value):find "%d")
end

-- much garbage, little memory
local kept
for i = 1, 30000 do kept = { i, tostring(i), { i } } end
assert(kept[1] == 30000)
return { answer = 42 }
