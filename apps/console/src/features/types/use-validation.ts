import { useQuery } from '@tanstack/react-query';
import { type ValidationTarget, validationQuery } from '../../data/validation.ts';
import { useSettled } from '../../ui/use-settled.ts';

/** Waits for a pause in typing, so that each pause sends one request. */
const SETTLED_MS = 250;

/** Validates a value after a pause in typing. The core stores nothing. */
export function useValidation(target: ValidationTarget, text: string, rulesVersion: string) {
  const settled = useSettled(text, SETTLED_MS, text);
  return useQuery({
    ...validationQuery(target, settled ?? '', rulesVersion),
    enabled: settled !== null && settled !== '',
  });
}
