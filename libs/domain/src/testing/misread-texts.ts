/** Texts that readers of YAML or of dotenv files take for something else if they are written without care. */
export const MISREAD_TEXTS: readonly string[] = [
  ...['yes', 'NO', 'on', 'y', 'true', 'null', '~', '', '1_000', '0o7', '017', '0x1F', '1e3', '.inf', '1:30', '<<', '='],
  ...['2001-01-01', '- a', 'a: b', '#', '---', '...', '%YAML 1.1', '!!str', '&a', '*a', '? a', '|', '>', '@a', '`a'],
  ...["it's", 'say "hi"', 'back\\slash', ' a ', 'a\n\n b\n', '\r\n', '\t', '\x85', '\u2028', '\ufeff', '\x7f', '\x1b'],
  ...['a$b $(id)', 'a`id`', '\x24{HOME}', 'a\\nb', 'a\\\\b', 'a\\', '#a', 'a #b', 'a\n#b', '\'"', 'a\rb', '!'],
  ...['__proto__', 'constructor', '🔑', `long ${'word '.repeat(300)}`],
];
