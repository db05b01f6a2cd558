/** Compares numbers within texts by size: `job-9, job-10`. */
const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Compares the texts of values: numbers by size, before other texts. */
export function compareValueTexts(left: string, right: string): number {
  const [leftNumber, rightNumber] = [numberIn(left), numberIn(right)];
  if (leftNumber !== null && rightNumber !== null && leftNumber !== rightNumber) return leftNumber - rightNumber;
  if (leftNumber !== null && rightNumber === null) return -1;
  if (leftNumber === null && rightNumber !== null) return 1;
  return COLLATOR.compare(left, right);
}

function numberIn(text: string): number | null {
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
