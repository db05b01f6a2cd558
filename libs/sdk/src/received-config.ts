// How messages and polls change the configuration that the program has received.
import type { ConfigChange } from './options.ts';
import type { Polled } from './transport.ts';
import type { ConfigState, ConfigText, Texts } from './values.ts';
import { type Close, malformedResponseError, type PolledState, type StreamedMessage, type TextChange } from './wire.ts';

/**
 * Returns the configuration after a message; null if the stream has delivered none yet. `base` is the configuration
 * before the message. Throws if the message does not fit it.
 */
export function configAfterMessage(
  base: ConfigState | null,
  message: Exclude<StreamedMessage, Close>,
): ConfigState | null {
  if (message.kind === 'snapshot') return toConfigState(message);
  if (message.kind === 'delta') {
    if (base === null) throw malformedResponseError();
    const { revision, digest, changes } = message;
    return { texts: changedTexts(base.texts, changes), revision, digest };
  }
  return message.kind === 'bookmark' ? confirmed(base, message.revision, message.digest) : base;
}

export function configAfterPoll(base: ConfigState | null, pollResult: Polled): ConfigState | null {
  return pollResult.values === undefined
    ? confirmed(base, pollResult.revision, base?.digest ?? null)
    : toConfigState(pollResult);
}

/** `digest` is null if the configuration cannot be evaluated. */
function confirmed(base: ConfigState | null, revision: number, digest: string | null): ConfigState | null {
  if (digest === null) return base;
  if (base?.digest !== digest) throw malformedResponseError();
  return { ...base, revision };
}

function toConfigState({ revision, digest, values, masked = [] }: PolledState): ConfigState {
  const texts = new Map<string, ConfigText>(Object.entries(values));
  for (const name of masked) texts.set(name, undefined);
  return { texts, revision, digest };
}

function changedTexts(texts: Texts, changes: readonly TextChange[]): Texts {
  const next = new Map(texts);
  for (const { name, kind, value, masked } of changes) {
    if (kind === 'unset') next.delete(name);
    else next.set(name, masked ? undefined : value);
  }
  return next;
}

export function changesBetween(before: Texts, after: Texts): readonly ConfigChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name): ConfigChange[] => {
    if (!after.has(name)) return [{ name, kind: 'unset' }];
    if (!before.has(name)) return [{ name, kind: 'set' }];
    return before.get(name) === after.get(name) ? [] : [{ name, kind: 'changed' }];
  });
}
