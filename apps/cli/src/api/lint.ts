import type { LintFinding } from '@strata/contract';
import { maskTexts } from '../core/names-only.ts';

/** Returns a finding as JSON output shows it. The operations of a fix contain ids. */
export const describeFinding = ({ operations, ...finding }: LintFinding) =>
  maskTexts({ ...finding, has_fix: operations.length > 0 });
