return require "arm"(true)
