import { Injectable } from '@nestjs/common';
import { createResolver, insertedNames, type ProjectId, renderResource, SYSTEM_PERMISSIONS } from '@strata/domain';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { ProjectSnapshots } from '../../snapshot/project-snapshot.ts';
import { TextEvaluator } from '../../templating/evaluation.ts';
import type { ClaimedSync, ClaimedTask, RunError } from './run-store.ts';
import type { KeyOrigin } from './sync-keys.ts';

/** The maximum number of keys of a push, and the maximum length of their texts together. */
const KEYS_MAX = 5_000;
const TEXTS_LENGTH_MAX = 16 * 1_048_576;

/** A run cannot keep the values of a push in memory. */
export class PushTooLarge extends Error {
  readonly reason: RunError = {
    code: 'too_many_keys',
    detail: `The push has more than ${KEYS_MAX} keys, or its texts have more than ${TEXTS_LENGTH_MAX} characters. Split it into several pushes.`,
  };
}

/** The members of a push that determine its keys and values. */
interface PushToWrite extends Pick<ClaimedTask, 'organizationId' | 'syncId'> {
  readonly sync: Pick<ClaimedSync, 'name' | 'resource' | 'options'>;
}

/** A value that a push writes to a key. */
export interface DesiredValue {
  readonly key: string;
  /** The names in the key that the resource inserts. */
  readonly names: readonly string[];
  readonly text: string;
  readonly isSecret: boolean;
  /** Why the value cannot be determined; null if it can. */
  readonly problem: string | null;
  readonly projectId: string;
  readonly environmentId: string;
  readonly tagId: string;
  readonly parameterId: string;
  /** The revision at the tag. */
  readonly revision: number;
}

/** The values of a push, and what is needed to know whether the value of another key still exists. */
export interface PushedValues {
  readonly values: readonly DesiredValue[];
  /** The projects, environments and tags of the push, as `scopeId` returns them. */
  readonly scopes: ReadonlySet<string>;
  /** The values that the options of the push leave out, as `valueId` returns them. */
  readonly leftOut: ReadonlySet<string>;
}

export const scopeId = ({ projectId, environmentId, tagId }: Omit<KeyOrigin, 'parameterId'>): string =>
  [projectId, environmentId, tagId].join();

export const valueId = (origin: KeyOrigin): string => `${scopeId(origin)},${origin.parameterId}`;

/** A project at a tag of an environment. */
interface PushedScope {
  readonly project_id: ProjectId;
  readonly project: string;
  readonly environment_id: string;
  readonly environment: string;
  readonly tag_id: string;
  readonly tag: string;
  readonly revision: number;
}

const SCOPES = `
select project.id as project_id, project.name as project, environment.id as environment_id, environment.name as environment, tag.id as tag_id,
       tag.name as tag,
       strata_revision_at($1, tag."timestamp") as revision
  from exchange_project
  join project on project.organization_id = $1 and project.id = exchange_project.project_id
  join exchange_tag on exchange_tag.organization_id = $1 and exchange_tag.exchange_id = exchange_project.exchange_id
  join tag on tag.organization_id = $1 and tag.id = exchange_tag.tag_id
  join environment on environment.organization_id = $1 and environment.id = tag.environment_id
 where exchange_project.organization_id = $1 and exchange_project.exchange_id = $2
 order by project.id, tag.id`;

/** Determines the values of a push: the effective values of its projects at its tags. */
@Injectable()
export class DesiredValues {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly snapshots: ProjectSnapshots,
    private readonly evaluations: TextEvaluator,
  ) {}

  /**
   * Throws a Failure if a project or environment did not exist at the time of a tag, and `PushTooLarge` if the values do not
   * fit into memory.
   */
  async of(task: PushToWrite): Promise<PushedValues> {
    const pushed = await this.reader.query<PushedScope>(SCOPES, [task.organizationId, task.syncId]);
    const values: DesiredValue[] = [];
    const scopes = new Set<string>();
    const leftOut = new Set<string>();
    let length = 0;
    for (const scope of pushed) {
      scopes.add(scopeId(toOrigin(scope)));
      for (const value of await this.ofScope(task, scope, leftOut)) {
        values.push(value);
        length += value.text.length;
        if (values.length > KEYS_MAX || length > TEXTS_LENGTH_MAX) throw new PushTooLarge();
      }
    }
    return { values, scopes, leftOut };
  }

  private async ofScope(
    { organizationId, sync }: PushToWrite,
    scope: PushedScope,
    leftOut: Set<string>,
  ): Promise<readonly DesiredValue[]> {
    const { project_id: projectId, environment_id: environmentId, revision: at } = scope;
    const permissions = SYSTEM_PERMISSIONS;
    const reading = { organizationId, permissions, projectId, at, environment: environmentId };
    const snapshot = await this.snapshots.of(reading);
    const { visible, inEnvironment } = createResolver(snapshot);
    const effective = inEnvironment(environmentId);
    const shown = () => effective.map((value) => [value, environmentId] as const);
    const evaluated = await this.evaluations.ofSnapshot(snapshot, shown, { evaluate: true, mode: 'each' });
    return visible.flatMap(({ parameter }, index) => {
      const value = effective[index] ?? null;
      if (value === null) return [];
      const result = evaluated.evaluatedText({ sourceId: value.id, environmentId });
      const isSecret = parameter.secret || (result?.secret ?? false);
      const text = result === null ? snapshot.textOf(value) : result.text;
      const problem = result !== null && result.text === null ? 'The dynamic value cannot be evaluated.' : null;
      if (text === null && problem === null) return [];
      const origin = { ...toOrigin(scope), parameterId: parameter.id };
      const isIncluded = isSecret ? sync.options.include_secrets : sync.options.include_parameters;
      if (!isIncluded || (sync.options.local && parameter.projectId !== projectId)) {
        leftOut.add(valueId(origin));
        return [];
      }
      const names = { ...scope, parameter: parameter.name, push: sync.name };
      const resource = sync.resource ?? '';
      const key = { key: renderResource(resource, names), names: insertedNames(resource, names) };
      return [{ ...key, text: text ?? '', isSecret, problem, ...origin, revision: Number(at) }];
    });
  }
}

const toOrigin = ({ project_id: projectId, environment_id: environmentId, tag_id: tagId }: PushedScope) => ({
  projectId,
  environmentId,
  tagId,
});
