import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Effective, EffectiveQuery } from '@strata/contract';
import {
  digestedText,
  type EnvironmentId,
  type OrganizationId,
  type Permissions,
  type ProjectId,
} from '@strata/domain';
import { computeEtag } from '../../platform/http/conditional-requests.ts';
import type { Head } from '../../platform/ledger/heads.ts';
import { shownText } from '../../platform/limits/request-limits.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { ServiceKeys } from '../../platform/vault/service-keys.ts';
import { Vault } from '../../platform/vault/vault.ts';
import type { ProjectView, ViewQuery } from '../snapshot/effective-cache.ts';
import { matchesFilters } from '../snapshot/parameter-filter.ts';
import type { TextRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import { TextEvaluator } from '../templating/evaluation.ts';

/** An effective configuration contains no links, so its entity tag does not depend on the origin. */
const NO_LINKS = '';

export interface EffectiveRequest {
  readonly target: ViewQuery;
  readonly query: EffectiveQuery;
}

export interface EffectiveBody {
  readonly environmentId: EnvironmentId;
  /** Null if the body contains secrets and comes from the cache, which stores only the entity tag of secrets. */
  readonly bytes: Buffer | null;
  readonly etag: string;
  /** The number of bytes before the values. */
  readonly prefixLength: number;
  readonly digest: string;
  readonly secrets: SecretsOfBody;
  readonly hasClearSecret: boolean;
  /** Whether all values are literal. Such values stay the same as long as the view does. */
  readonly isLiteral: boolean;
}

/** The members of a body that list which values are secret. */
type SecretsOfBody = Pick<Effective, 'has_secret' | 'masked'>;

/** A view, with the head that it belongs to. */
export type EnvironmentView = ProjectView & { readonly head: Head };

/** An effective value as a caller receives it. */
export interface SelectedValue {
  readonly name: string;
  /** An explicit null is null. */
  readonly text: string | null;
  readonly isSecret: boolean;
  /** The value that is effective. */
  readonly value: TextRecord;
  /** The project of the parameter that the value is set on. */
  readonly projectId: ProjectId;
  /** Whether the text cannot be evaluated. */
  readonly hasFailed: boolean;
}

export interface ShownConfiguration {
  readonly values: readonly SelectedValue[];
  readonly hasSecret: boolean;
  /** Whether all values are literal. Such values stay the same as long as the view does. */
  readonly isLiteral: boolean;
  /** The projects whose content the values depend on, besides those of the view. */
  readonly inputProjects: readonly ProjectId[];
}

interface ShownOptions {
  readonly permissions: Permissions;
  readonly at: PointInTime;
  /** `all` throws if a text cannot be evaluated; with `each`, only that value has failed. */
  readonly mode: 'all' | 'each';
}

/** Evaluates and serializes effective configurations. */
@Injectable()
export class EffectiveBodies {
  constructor(
    private readonly evaluations: TextEvaluator,
    private readonly vault: Vault,
    private readonly serviceKeys: ServiceKeys,
  ) {}

  async of(
    view: EnvironmentView,
    request: EffectiveRequest,
    permissions: Permissions,
    at: PointInTime,
  ): Promise<EffectiveBody> {
    const { values, hasSecret, isLiteral } = await this.shown(view, request, { permissions, at, mode: 'all' });
    const writtenTexts = writtenValues(values.map(({ name, text }) => [name, text]));
    const isMasked = request.query.mask_secrets;
    const secrets = { has_secret: hasSecret, ...(isMasked && { masked: maskedNames(values) }) };
    const prefix = buildPrefix(view, writtenTexts.digest, secrets);
    return {
      environmentId: view.environment.id,
      bytes: Buffer.from(`${prefix}${writtenTexts.values}}`),
      etag: this.computePrefixEtag(prefix),
      prefixLength: Buffer.byteLength(prefix),
      digest: writtenTexts.digest,
      secrets,
      hasClearSecret: hasSecret && !isMasked,
      isLiteral,
    };
  }

  /** Returns the requested values, evaluated and masked. */
  async shown(
    view: EnvironmentView,
    request: EffectiveRequest,
    { permissions, at, mode }: ShownOptions,
  ): Promise<ShownConfiguration> {
    const { target, query } = request;
    const shownValues = shownIn(view, request);
    const values = shownValues.map(({ value }) => value);
    const environmentId = view.environment.id;
    const textOf = await this.reader(target.organizationId, query.mask_secrets ? [] : values);
    const evaluationResults = await this.evaluations.ofSnapshot(
      { organizationId: target.organizationId, revision: view.head.revision, permissions, at, values },
      () => values.map((value) => [value, environmentId] as const),
      { evaluate: query.evaluate, environment: target.environment, mode },
    );
    let hasSecret = false;
    const entries = shownValues.map(({ parameter, owners, value }): SelectedValue => {
      const evaluatedText = evaluationResults.evaluatedText({ sourceId: value.id, environmentId });
      // A value is also secret if the parameter that it was set on is secret, even if another parameter overrides that
      // one.
      const owner = owners.find(({ id }) => id === value.parameterId);
      const isSecret = (owner?.secret ?? false) || (evaluatedText?.secret ?? false);
      hasSecret ||= isSecret;
      const isNull = (value.sealed ?? value.text) === null;
      const clear = () => evaluatedText?.text ?? textOf(value);
      const hasFailed = evaluatedText?.problem != null;
      return {
        name: parameter.name,
        text: hasFailed ? null : shownText({ isSecret, isMasked: query.mask_secrets, isNull, clear }),
        isSecret,
        value,
        projectId: owner?.projectId ?? parameter.projectId,
        hasFailed,
      };
    });
    const isLiteral = values.every(({ interpolated }) => !interpolated);
    return { values: entries, hasSecret, isLiteral, inputProjects: evaluationResults.inputProjects };
  }

  /** Returns the body with the same values for another head. */
  at(view: EnvironmentView, body: EffectiveBody): EffectiveBody {
    const text = buildPrefix(view, body.digest, body.secrets);
    const prefix = Buffer.from(text);
    const bytes = body.bytes && Buffer.concat([prefix, body.bytes.subarray(body.prefixLength)]);
    return { ...body, bytes, etag: this.computePrefixEtag(text), prefixLength: prefix.length };
  }

  private computePrefixEtag(prefix: string): string {
    return computeEtag(prefix, { key: this.serviceKeys.entityTagKey, origin: NO_LINKS });
  }

  private async reader(organizationId: OrganizationId, values: readonly TextRecord[]) {
    const hasSealed = values.some(({ sealed }) => sealed !== null);
    const open = hasSealed ? await this.vault.opener(organizationId) : null;
    return ({ id, text, sealed }: TextRecord): string | null =>
      sealed === null || open === null ? text : open('value.sealed', id, Buffer.from(sealed.slice(2), 'hex'));
  }
}

/** Returns the names of the secrets in a masked configuration. An explicit null is shown. */
export function maskedNames(values: readonly SelectedValue[]): string[] {
  return values.flatMap(({ name, text, isSecret }) => (isSecret && text !== null ? [name] : []));
}

/** Returns the part of a body that may be cached. */
export function withoutSecrets(body: EffectiveBody): EffectiveBody {
  return body.hasClearSecret ? { ...body, bytes: null } : body;
}

interface Shown {
  readonly parameter: ViewedParameter;
  readonly owners: readonly ViewedParameter[];
  readonly value: TextRecord;
}

/** Returns the requested parameters that have a value in the environment. */
function shownIn(
  { view: { visible, effective } }: EnvironmentView,
  { target, query }: EffectiveRequest,
): readonly Shown[] {
  return visible.flatMap(({ parameter, owners }, index) => {
    const value = effective[index];
    return value && matchesFilters(parameter, query, target.projectId) ? [{ parameter, owners, value }] : [];
  });
}

/** A name and its shown text. An explicit null is null. */
type Entry = readonly [name: string, text: string | null];

/** Serializes each text only once, both for the digest (see `digestedText`) and for the response. */
function writtenValues(entries: readonly Entry[]): { readonly digest: string; readonly values: string } {
  let pairs = '';
  let members = '';
  for (const [name, text] of entries) {
    const [key, value] = [JSON.stringify(name), JSON.stringify(text)];
    const comma = pairs === '' ? '' : ',';
    pairs += `${comma}[${key},${value}]`;
    members += `${comma}${key}:${value}`;
  }
  return { digest: createDigest(`[${pairs}]`), values: `{${members}}` };
}

const createDigest = (text: string): string => `sha256:${hash('sha256', text)}`;

/**
 * Returns the digest of the values. It depends only on the names and texts, and not on what else the response contains.
 */
export function hashEntries(entries: readonly Entry[]): string {
  return createDigest(digestedText(entries));
}

/**
 * Returns the body up to the values. The prefix contains the digest of the values, so an entity tag only needs to hash
 * the prefix.
 */
function buildPrefix(
  { head, projectChain: [project], environment }: EnvironmentView,
  digest: string,
  secrets: SecretsOfBody,
): string {
  const shownMembers: Omit<Effective, 'values'> = {
    project_id: project?.id ?? '',
    project_name: project?.name ?? '',
    environment_id: environment.id,
    environment_name: environment.name,
    revision: head.revision,
    digest,
    ...secrets,
  };
  return `${JSON.stringify(shownMembers).slice(0, -1)},"values":`;
}
