import { invalidInputError } from './errors.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Reads a duration such as `30m`, `12h` or `7d`, in minutes. */
export function parseMinutes(option: string, text: string): number {
  return parseDuration(option, text, 'mhd') / 60;
}

/** Reads a duration such as `10s`, `30m`, `12h` or `7d`, in seconds. */
export function parseSeconds(option: string, text: string): number {
  return parseDuration(option, text, 'smhd');
}

function parseDuration(option: string, text: string, units: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  if (unit !== '' && units.includes(unit)) return Number(count) * (SECONDS[unit] ?? 0);
  throw invalidInputError(`${option} must be a duration such as 30m, 12h or 7d.`);
}
