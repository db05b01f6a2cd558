const repeat = (text: string, times: number) => text.repeat(times);

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Bodies of about a megabyte that are deeply nested, wide, full of numbers, or of another type than declared. */
export const HOSTILE_BODIES: readonly { readonly type: string; readonly body: string }[] = [
  { type: JSON_TYPE, body: repeat('[', 500_000) + repeat(']', 500_000) },
  { type: JSON_TYPE, body: repeat('{"a":', 170_000) },
  { type: JSON_TYPE, body: `{"name":[${repeat('[],', 340_000)}1]}` },
  { type: JSON_TYPE, body: `{"name":[${repeat('1e308,', 170_000)}1]}` },
  { type: JSON_TYPE, body: `{${repeat('"constraint":1.1,', 60_000)}"name":1}` },
  { type: JSON_TYPE, body: `{"name":"${repeat('\\u00e9', 170_000)}"}` },
  { type: JSON_TYPE, body: `{"name":${repeat('9', 1_000_000)}}` },
  { type: FORM_TYPE, body: repeat('a=&', 330_000) },
  { type: FORM_TYPE, body: Array.from({ length: 100_000 }, (_, n) => `k${n}=`).join('&') },
  { type: FORM_TYPE, body: `name=${repeat('%41', 340_000)}` },
];

/** Import texts with as many names, lines, empty lines, quotes or long values as fit into a body. */
export const HOSTILE_IMPORTS: readonly string[] = [
  Array.from({ length: 60_000 }, (_, n) => `K${n}=v`).join('\n'),
  repeat('K=v\n', 200_000),
  repeat('=\n', 450_000),
  repeat('\n', 900_000),
  `A="${repeat('\\"', 400_000)}`,
  Array.from({ length: 2_000 }, (_, n) => `NAME_${n}=${repeat('v', 400)}`).join('\n'),
];
