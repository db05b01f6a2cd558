import { createHmac, type KeyObject } from 'node:crypto';
import type { EffectiveSource, EffectiveValueChange } from '@strata/contract';
import type { Revision } from '@strata/domain';
import type { ProjectView } from '../../snapshot/effective-cache.ts';
import { hashEntries, type SelectedValue } from '../effective-bodies.ts';

/** The values that a client has received. A secret in clear is represented by a keyed hash. */
export interface DeliveredValues {
  readonly digest: string;
  /** A short keyed hash of the digest. Unlike the digest, it reveals nothing about secrets, so cursors contain it. */
  readonly fingerprint: string;
  readonly texts: ReadonlyMap<string, string | null>;
}

const FINGERPRINT_LENGTH = 16;

const keyedHash = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text).digest('hex');

export function presentDeliveredValues(
  values: readonly SelectedValue[],
  reveal: boolean,
  key: KeyObject,
): DeliveredValues {
  const digest = hashEntries(values.map(({ name, text }) => [name, text]));
  return {
    digest,
    fingerprint: keyedHash(key, digest).slice(0, FINGERPRINT_LENGTH),
    texts: new Map(values.map((value) => [value.name, comparableText(value, reveal, key)])),
  };
}

/** Returns a text that stands for the value in comparisons. No stored text contains the null character. */
function comparableText({ text, isSecret }: SelectedValue, reveal: boolean, key: KeyObject): string | null {
  return isSecret && reveal && text !== null ? `\0${keyedHash(key, text)}` : text;
}

interface Comparison {
  readonly before: DeliveredValues['texts'];
  readonly after: DeliveredValues['texts'];
  readonly values: readonly SelectedValue[];
  readonly view: ProjectView;
  readonly reveal: boolean;
  readonly revision: Revision;
}

/** Returns the changes of the names whose delivered text differs: first those that have a value, then the others. */
export function presentDeliveredChanges({
  before,
  after,
  values,
  view,
  reveal,
  revision,
}: Comparison): EffectiveValueChange[] {
  const changes: EffectiveValueChange[] = [];
  for (const value of values) {
    const { name, text, isSecret } = value;
    if (before.has(name) && before.get(name) === after.get(name)) continue;
    const isMasked = isSecret && !reveal && text !== null;
    const kind = before.has(name) ? 'changed' : 'set';
    changes.push({
      name,
      kind,
      value: text,
      masked: isMasked,
      source: presentSource(value, view),
      changeset: revision,
    });
  }
  for (const name of before.keys()) {
    if (after.has(name)) continue;
    changes.push({ name, kind: 'unset', value: null, masked: false, source: null, changeset: revision });
  }
  return changes;
}

function presentSource(
  { projectId, value }: SelectedValue,
  { projectChain, environments }: ProjectView,
): EffectiveSource {
  const scope = (scopes: ProjectView['projectChain'], id: string) => ({
    id,
    name: scopes.find((scope) => scope.id === id)?.name ?? '',
  });
  return { project: scope(projectChain, projectId), environment: scope(environments, value.environmentId) };
}
