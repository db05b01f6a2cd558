const SECONDS_LENGTH = '2026-11-22T10:00:00'.length;

/** Returns an instant in its wire format (`2026-11-22T10:00:00.000001Z`), this many microseconds later. */
export function plusMicroseconds(at: string, microseconds: number): string {
  const total = Number(at.slice(SECONDS_LENGTH + 1, -1)) + microseconds;
  const seconds = Date.parse(`${at.slice(0, SECONDS_LENGTH)}Z`) + Math.floor(total / 1_000_000) * 1_000;
  const fraction = String(total % 1_000_000).padStart(6, '0');
  return `${new Date(seconds).toISOString().slice(0, SECONDS_LENGTH)}.${fraction}Z`;
}
