import { useQuery } from '@tanstack/react-query';
import { type ValidationTarget, validationQuery } from '../../data/validation.ts';
import { useSettled } from '../../ui/use-settled.ts';

/** Waits for a pause in typing, so that each pause sends one request. */
const SETTLED_MS = 250;

/** Whether a text could be a value, a moment after it was typed; the core judges, which stores nothing. */
export function useVerdict(judge: ValidationTarget, text: string, rulesVersion: string) {
  const settled = useSettled(text, SETTLED_MS, text);
  return useQuery({
    ...validationQuery(judge, settled ?? '', rulesVersion),
    enabled: settled !== null && settled !== '',
  });
}
