-- Where the module is in a checkout that was built; installed, it is found without this.
local root = love.filesystem.getSource() .. "/../../.."
package.path = package.path .. (";%s/lua/?.lua;%s/lua/?/init.lua"):format(root, root)
package.cpath = package.cpath .. (";%s/build/luajit/?.so"):format(root)

function love.conf(t)
  t.version = "11.0"
  t.window.title = "Sinew: a walker"
  t.window.msaa = 4
end
