/** A smallest and a largest number; null is no limit. */
interface Range {
  readonly min: bigint | null;
  readonly max: bigint | null;
}

/**
 * Returns a regular expression for the texts of whole numbers in a range. The texts have an optional sign and can begin
 * with zeros. JSON Schema has no other way to limit a number that is a text.
 */
export function integerPattern({ min, max }: Range): string {
  const positive = max === null || max >= 0n ? `\\+?0*(?:${digits(largest(min, 0n), max)})` : null;
  const negative = min === null || min <= 0n ? `-0*(?:${digits(largest(negated(max), 0n), negated(min))})` : null;
  return `^(?:${[positive, negative].filter((part) => part !== null).join('|')})$`;
}

const largest = (first: bigint | null, second: bigint): bigint => (first !== null && first > second ? first : second);
const negated = (value: bigint | null): bigint | null => (value === null ? null : -value);

/** Returns an expression for the digits of the numbers from `low` to `high`, neither of which is negative. */
function digits(low: bigint, high: bigint | null): string {
  const from = String(low);
  const to = high === null ? null : String(high);
  if (to !== null && from.length === to.length) return sameLength(from, to);
  const longerPattern = to === null ? `[1-9]\\d{${from.length},}` : between(from.length + 1, to.length - 1);
  const lastPattern = to === null ? null : sameLength(`1${'0'.repeat(to.length - 1)}`, to);
  return [sameLength(from, '9'.repeat(from.length)), longerPattern, lastPattern]
    .filter((part) => part !== null)
    .join('|');
}

/** Returns an expression for all numbers with so many digits; null if there is no such number of digits. */
const between = (fewest: number, digitsMax: number): string | null =>
  fewest > digitsMax ? null : `[1-9]\\d{${fewest - 1},${digitsMax - 1}}`;

/** Returns an expression for the numbers from `low` to `high`, which have the same number of digits. */
function sameLength(low: string, high: string): string {
  if (low === '') return '';
  const restLength = low.length - 1;
  if (/^0*$/.test(low.slice(1)) && /^9*$/.test(high.slice(1))) return `${digitRange(low, high)}${any(restLength)}`;
  const [first, lastDigit] = [Number(low[0]), Number(high[0])];
  if (first === lastDigit) return `${first}(?:${sameLength(low.slice(1), high.slice(1))})`;
  const middle =
    first + 1 <= lastDigit - 1 ? [`${digitRange(String(first + 1), String(lastDigit - 1))}${any(restLength)}`] : [];
  const start = `${first}(?:${sameLength(low.slice(1), '9'.repeat(restLength))})`;
  const end = `${lastDigit}(?:${sameLength('0'.repeat(restLength), high.slice(1))})`;
  return [start, ...middle, end].join('|');
}

/** Returns an expression for the digits between the first ones of two numbers. */
const digitRange = (low: string, high: string): string => (low[0] === high[0] ? `${low[0]}` : `[${low[0]}-${high[0]}]`);

const any = (count: number): string => (count === 0 ? '' : `\\d{${count}}`);
