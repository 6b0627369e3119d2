-- For the tests: after a second of frames writes a picture to $SINEW_SHOT, prints the DOFs and the
-- world matrices, and ends the game. An error ends it too, instead of waiting for a reader.
function love.errorhandler(message)
  print("error: " .. tostring(message))
  return function() return 1 end
end

local function print_pose(live, worlds)
  if not live then return end
  for _, dof in ipairs(live.rig.dofs) do
    print(("dof\t%s\t%.9g"):format(dof.name, live.pose[dof.name]))
  end
  for i, segment in ipairs(live.rig.segments) do
    local numbers = {}
    for k = 1, 16 do numbers[k] = ("%.9g"):format(worlds[16 * (i - 1) + k]) end
    print(("world\t%s\t%s"):format(segment.name, table.concat(numbers, " ")))
  end
end

return function(state)
  local update, draw, frames = love.update or function() end, love.draw, 0
  function love.update() update(1 / 60) end
  function love.draw()
    draw()
    frames = frames + 1
    if frames ~= 60 then return end
    print_pose(state())
    love.graphics.captureScreenshot(function(image)
      local png = image:encode("png"):getString()
      assert(require "sinew".write_file(os.getenv "SINEW_SHOT", png))
      local lowest, highest, changes, last = 1, 0, 0, nil
      image:mapPixel(function(_, _, r, g, b, a)
        local grey = (r + g + b) / 3
        lowest, highest = math.min(lowest, grey), math.max(highest, grey)
        if grey ~= last then changes = changes + 1 end
        last = grey
        return r, g, b, a
      end)
      print(("picture\t%d\t%d\t%.3f\t%.3f\t%d"):format(image:getWidth(), image:getHeight(), lowest,
        highest, changes))
      love.event.quit()
    end)
  end
end
