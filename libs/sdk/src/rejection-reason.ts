import { ConfigError, StrataError } from './strata-error.ts';

const LENGTH_MAX = 500;

/** Returns the text that Strata shows. Messages of unknown errors can contain values, such as those of JSON.parse. */
export function rejectionReason(error: unknown): string {
  const isOurs = error instanceof ConfigError || error instanceof StrataError;
  const kind = error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : 'an error';
  const text = isOurs ? error.message.trim().replaceAll('\0', '') : '';
  return (text || `\`validate\` threw ${kind}.`).slice(0, LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '');
}
