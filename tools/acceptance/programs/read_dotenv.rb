# Reads dotenv files from a JSON list, and prints them as a JSON list.
require 'dotenv'
require 'json'

puts JSON.generate(JSON.parse($stdin.read).map { |source| Dotenv::Parser.call(source, true) })
