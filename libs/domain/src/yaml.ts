/** Line breaks of YAML 1.1 and characters that YAML does not permit. `JSON.stringify` does not escape them. */
const UNESCAPED = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** YAML 1.1 permits at most 1,024 characters before the colon of a key. */
const SIMPLE_KEY_LENGTH_MAX = 1_000;

/**
 * Returns a value of JSON as YAML that all readers of YAML 1.1 and 1.2 read alike. Every text and every key is in
 * double quotes: without them, a reader of YAML 1.1, such as kubectl, takes `yes` for a boolean and `1_000` for a
 * number.
 */
export const yamlDocument = (value: unknown): string => `${block(value, '').replace(/^\n/, '')}\n`;

/** Returns a value as it follows its key or its dash: a list or an object on lines of their own, others on the same line. */
function block(value: unknown, indent: string): string {
  if (value === null || typeof value !== 'object') return scalar(value);
  const lines = Array.isArray(value)
    ? value.map((item) => `-${spaced(block(item, `${indent}  `))}`)
    : Object.entries(value).flatMap(([key, member]) =>
        member === undefined ? [] : `${keyText(key, indent)}:${spaced(block(member, `${indent}  `))}`,
      );
  if (lines.length === 0) return Array.isArray(value) ? '[]' : '{}';
  return lines.map((line) => `\n${indent}${line}`).join('');
}

const spaced = (text: string): string => (text.startsWith('\n') ? text : ` ${text}`);

function keyText(key: string, indent: string): string {
  const text = scalar(key);
  return text.length > SIMPLE_KEY_LENGTH_MAX ? `? ${text}\n${indent}` : text;
}

const scalar = (value: unknown): string =>
  JSON.stringify(value).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
