import { useQuery } from '@tanstack/react-query';
import { type ValidationTarget, validationQuery } from '../../data/validation.ts';
import { useSettled } from '../../ui/use-settled.ts';

/** The pause in typing after which the value is validated. */
const SETTLED_MS = 250;

/** Validates a value after a pause in typing, without storing it. */
export function useValidation(target: ValidationTarget, text: string, rulesVersion: string) {
  const settledText = useSettled(text, SETTLED_MS, text);
  return useQuery({
    ...validationQuery(target, settledText ?? '', rulesVersion),
    enabled: settledText !== null && settledText !== '',
  });
}
