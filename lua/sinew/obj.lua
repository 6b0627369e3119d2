-- Shapes from Wavefront OBJ files: vertices and faces with any number of corners; normals are
-- computed again. Textures, groups and materials are ignored. Returns nil and a message if the file
-- cannot be read or is wrong.
local mesh = require "sinew.mesh"

-- the index of a vertex: from 1, or negative, counted from the last
local function vertex_number(word, count)
  local n = tonumber(word:match("^(%-?%d+)"))
  if not n then return nil end
  if n < 0 then n = count + 1 + n end
  return n >= 1 and n <= count and n or nil
end

local function read(lines, path)
  local made, line_number = mesh.new(), 0
  local v, t = made.vertices, made.triangles
  for line in lines do
    line_number = line_number + 1
    local function wrong(what) return nil, ("%s:%d: %s"):format(path, line_number, what) end
    local keyword, rest = line:match("^%s*(%a+)%s+(.*)$")
    if keyword == "v" then
      local count = #v
      for word in rest:gmatch("%S+") do
        local number = tonumber(word)
        if not number or number ~= number or math.abs(number) == math.huge then
          return wrong(("'%s' is not a number"):format(word))
        end
        if #v < count + 3 then v[#v + 1] = number end
      end
      if #v < count + 3 then return wrong "a vertex needs three numbers" end
    elseif keyword == "f" then
      local face = {}
      for word in rest:gmatch("%S+") do
        local vertex = vertex_number(word, math.floor(#v / 3))
        if not vertex then return wrong(("'%s' is not a vertex before this line"):format(word)) end
        face[#face + 1] = vertex
      end
      if #face < 3 then return wrong "a face needs three vertices" end
      for i = 2, #face - 1 do
        t[#t + 1], t[#t + 2], t[#t + 3] = face[1], face[i], face[i + 1]
      end
    end
  end
  if #t == 0 then return nil, ("%s: no faces"):format(path) end
  return made
end

return function(path)
  if type(path) ~= "string" then error("shapes.obj: the path of a file is wanted", 2) end
  local io = rawget(_G, "io")
  if not io then
    error("shapes.obj reads a file, which a script may not do here; the program may", 2)
  end
  local file, problem = io.open(path, "r")
  if not file then return nil, problem end
  local made, message = read(file:lines(), path)
  file:close()
  if not made then return nil, message end
  return { kind = "obj", params = { path = path }, vertices = made.vertices,
    triangles = made.triangles, normals = mesh.normals(made) }
end
