-- Where the module is: beside walker.love, or in a checkout that was built.
local beside = love.filesystem.getSourceBaseDirectory()
package.cpath = package.cpath .. (";%s/?.so;%s/?.dll;%s/../../build/luajit/?.so")
  :format(beside, beside, beside)

function love.conf(t)
  t.version = "11.0"
  t.window.title = "Sinew: a walker"
  t.window.msaa = 4
end
