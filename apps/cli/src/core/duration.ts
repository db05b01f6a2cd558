import { invalidInputError } from './errors.ts';

const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };

/** Reads a duration such as `30m`, `12h` or `7d`, in minutes. */
export function parseMinutes(option: string, text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const minutes = Number(count) * (MINUTES[unit] ?? 0);
  if (minutes > 0) return minutes;
  throw invalidInputError(`${option} must be a duration such as 30m, 12h or 7d.`);
}
