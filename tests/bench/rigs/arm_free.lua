return require "arm"(false)
