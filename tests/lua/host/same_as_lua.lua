-- Runs random calls of the library functions that the sandbox replaces, and returns their results
-- as lines of text: a plain Lua state and a sandbox must give the same.
local state = 1
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return (state >> 8) % n + 1
end

local function pick(list) return list[random(#list)] end

local letters = {
  "a", "b", "c", "A", "1", "2", " ", "(", ")", "[", "]", "-", "%", "\0", ".", "x_y",
}
local function subject()
  local parts = {}
  for i = 1, random(12) - 1 do parts[i] = pick(letters) end
  return table.concat(parts)
end

local items = {
  "a", "b", "1", ".", "%a", "%d", "%s", "%w", "%p", "%x", "%u", "%l", "%c", "%g", "%A", "%D", "%W",
  "%S", "[ab]", "[^ab]", "[a-c1]", "[%d%-]", "[]]", "[^]]", "[%a-z]", "[a-]", "%.", "%%", "%]",
  "\0", "[\0a]", "^", "$", "-",
}
local quantifiers = { "", "", "", "*", "+", "-", "?" }
local rarities = {
  "(", ")", "()", "%1", "%2", "%b()", "%bab", "%f[%w]", "%f[^a]", "%b", "%f", "%", "[", "[^", "[a",
  "(a*)", "(.-)", "(.)", "((.)(.))", "%0", "^", "$", "%f[",
}
local function pattern()
  local parts = { random(6) == 1 and "^" or "" }
  for _ = 1, random(5) do
    parts[#parts + 1] = random(4) == 1 and pick(rarities) or pick(items) .. pick(quantifiers)
  end
  if random(8) == 1 then parts[#parts + 1] = "$" end
  return table.concat(parts)
end

local lines = {}
local function show(value)
  if type(value) ~= "string" then return tostring(value) end
  return "'" .. (value:gsub("[^%w ]", function(c) return "\\" .. c:byte() end)) .. "'"
end
local function record(what, ...)
  local results = table.pack(...)
  if not results[1] then
    lines[#lines + 1] = what .. " failed"
    return
  end
  for i = 1, results.n do results[i] = show(results[i]) end
  lines[#lines + 1] = what .. " " .. table.concat(results, " ", 2, results.n)
end

local replacements = {
  "", "x", "%0", "%1", "%%", "%2", "%", "<%0>", "%1%1", 7,
  { a = "b", b = false, [" "] = 3 }, function(s, t) return t and s .. "," .. t end,
  function(s) if s == "a" then return nil end return #tostring(s) end,
}

for i = 1, 6000 do
  local s, p = subject(), pattern()
  local label = i .. ": " .. show(s) .. " " .. show(p)
  record(label .. " find", pcall(string.find, s, p))
  record(label .. " match", pcall(string.match, s, p, random(9) - 4))
  local most = random(4) > 1 and random(3) or nil
  record(label .. " gsub", pcall(string.gsub, s, p, pick(replacements), most))
  if random(3) == 1 then
    record(label .. " plain", pcall(string.find, s, p:sub(1, random(3)), random(7) - 3, true))
    record(label .. " gmatch", pcall(function()
      local all = {}
      for a, b in s:gmatch(p, random(3)) do all[#all + 1] = show(a) .. show(b) end
      return table.concat(all, ";")
    end))
  end
end

local function list()
  local t = {}
  for i = 1, random(9) - 1 do t[i] = random(20) end
  return t
end
local function shown(t)
  local all = {}
  for i = -2, 24 do if t[i] ~= nil then all[#all + 1] = i .. "=" .. show(t[i]) end end
  return table.concat(all, " ")
end

for i = 1, 1500 do
  local t, u = list(), list()
  record(i .. " insert", pcall(table.insert, t, random(12) - 2, "v"))
  record(i .. " remove", pcall(table.remove, t, random(12) - 2))
  record(i .. " remove last", pcall(table.remove, t))
  record(i .. " move", pcall(function()
    local from, to, at = random(6) - 2, random(6), random(6) - 1
    return shown(table.move(t, from, to, at, random(2) == 1 and u or nil))
  end))
  record(i .. " left", true, shown(t), shown(u))
  record(i .. " unpack", pcall(table.unpack, u, random(5) - 2, random(5)))
  record(i .. " concat", pcall(table.concat, u, pick { "", ",", "--" }, random(3), random(8)))
  record(i .. " rep", pcall(string.rep, pick(letters), random(6) - 2, pick { "", "," }))
  local v = list()
  table.sort(v)
  record(i .. " sorted", true, shown(v))
  local order = random(2) == 1 and function(a, b) return a > b end or nil
  table.sort(v, order)
  record(i .. " sorted again", true, shown(v))
end

local formats = {
  "%d", "%5.2f", "%s", "%q", "%x", "%-5s|", "%g", "%c", "%i", "%10.3s", "%%", "%a", "%y", "%",
}
local values = { 1, 2.5, "text", true, "a\nb", -7, 65, 1e300, "12" }
for i = 1, 1500 do
  local format = pick(formats) .. pick(formats)
  record(i .. " format", pcall(string.format, format, pick(values), pick(values)))
end

record("pack", true, table.pack(1, nil, 3).n, #table.pack())
record("status", pcall(function()
  local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) error("x" .. b) end)
  local all = { coroutine.status(co) }
  all[2] = table.concat({ tostring(select(2, coroutine.resume(co, 1))), coroutine.status(co) }, ",")
  all[3] = tostring(select(2, coroutine.resume(co, 2))):match "x2"
  all[4] = coroutine.status(co)
  all[5] = tostring(select(2, coroutine.resume(co)))
  all[6] = tostring(coroutine.close(co))
  all[7] = tostring(select(2, coroutine.resume(coroutine.running())))
  all[8] = tostring(select(2, pcall(coroutine.close, coroutine.running()))):match "cannot.*"
  return table.concat(all, ";")
end))
record("wrap", pcall(function()
  local all = {}
  for a, b in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i, -i) end end) do
    all[#all + 1] = a .. "," .. b
  end
  return table.concat(all, ";")
end))
record("xpcall", xpcall(function(a, b) return a + b end, print, 3, 4))
local function handler(message) return "handled " .. message:match "no" end
record("xpcall fails", true, xpcall(function() error "no" end, handler))
record("pcall yields", pcall(function()
  local co = coroutine.wrap(function() return pcall(function() return coroutine.yield(1) end) end)
  return co(), select("#", co(5, 6))
end))
record("load", pcall(function()
  local env = { x = 5 }
  local pieces = { "return ", "x", "" }
  local n = 0
  local f = load(function() n = n + 1 return pieces[n] end, "=piece", "t", env)
  return f(), load "return 7"(), (load "return ("), select(2, load("x x", "=name"))
end))
return table.concat(lines, "\n")
