function love.conf(t)
  t.version = "11.0"
  t.window.title = "Sinew in LÖVE"
  t.window.width, t.window.height = 800, 600
  t.window.resizable = true
  t.window.msaa = 4
  t.window.depth = 24
  for _, unused in ipairs { "audio", "joystick", "physics", "sound", "thread", "touch", "video" } do
    t.modules[unused] = false
  end
end
