import { hash } from 'node:crypto';
import { PUT_VALUES, type PutValue, type PutValuesQuery } from '@strata/contract';
import { etagMatches, Failure, PreconditionFailedError } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { actionController } from '../../platform/http/action-controller.ts';
import { pathId } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { WriteContext, WriteResult } from '../../platform/ledger/command.ts';
import { presentVersions } from '../../platform/ledger/present-versions.ts';
import { affectedIds, findChangedSince } from './changeset-run.ts';
import { DynamicTexts } from './dynamic-texts.ts';
import { type NamedLocation, namedLocation } from './named-state.ts';
import { NamedValues } from './named-values.ts';

interface PutResult {
  readonly values: readonly PutValue[];
  /** The entity tag of the values after the write. */
  readonly etag: string;
}

export const PutValuesController = actionController(
  'PutValuesController',
  { put: PUT_VALUES },
  { values: NamedValues, dynamic: DynamicTexts },
  ({ values, dynamic }) => ({
    put: {
      command: async ({ call, caller, path, query, input }) => {
        const projectId = pathId('Project', path.project_pk ?? '');
        assertKnownState(call, query);
        const ifMatch = call.headers['if-match'];
        const mentions = await dynamic.mentionsIn(caller.organizationId, input.values);
        return {
          operation: PUT_VALUES.id,
          caller,
          isLong: true,
          isForced: query.force,
          run: async (context) => {
            const { caller, em, revision } = context;
            const location = await namedLocation(em, caller, projectId, query.environment);
            if (ifMatch !== undefined && !etagMatches(ifMatch, await readTag(em, caller, location)))
              throw new PreconditionFailedError([]);
            const changes: Change[] = [];
            const unchangedSecrets: string[] = [];
            const writeContext: WriteContext = {
              ...context,
              record: (change) => void changes.push(change),
              recordUnchangedSecret: (objectId) => void unchangedSecrets.push(objectId),
            };
            const appliedSteps = [...(await values.set(writeContext, location, input, mentions))];
            if (query.prune)
              appliedSteps.push(...(await values.prune(writeContext, location, Object.keys(input.values))));
            const base = query.base_revision;
            if (base !== undefined) {
              const ids = affectedIds({ changes, unchangedSecrets });
              const changedIds = await findChangedSince(em, caller.organizationId, base, revision, ids);
              if (changedIds.size > 0)
                throw new PreconditionFailedError(await presentVersions(em, caller, [...changedIds], revision)).at(
                  '/base_revision',
                );
            }
            for (const change of changes) context.record(change);
            return { values: appliedSteps, etag: await readTag(em, caller, location) } satisfies PutResult;
          },
        };
      },
      answer: ({ call }, { result, revision }: WriteResult<PutResult>) => {
        call.reply.header('x-revision', String(revision)).header('etag', result.etag);
        return { revision, values: result.values };
      },
    },
  }),
);

/** Rejects `prune` with 400 if it could delete values that the client has not read. */
function assertKnownState({ headers }: Call, { prune, base_revision: base }: PutValuesQuery): void {
  if (prune && base === undefined && headers['if-match'] === undefined) {
    const message = 'prune deletes values. Say which state it is meant for: give base_revision, or If-Match.';
    throw Failure.field('precondition_required', 'prune', message);
  }
}

/** Returns the entity tag of all values of the project in the environment. */
async function readTag(
  em: EntityManager,
  { organizationId }: Caller,
  { project, environment }: NamedLocation,
): Promise<string> {
  const rows = await em.query<{ ledger_id: string }[]>(
    `select value.ledger_id from parameter
       join lateral (
         select id, ledger_id, environment_id from value where organization_id = $1 and parameter_id = parameter.id offset 0) value
         on value.environment_id = $3
      where parameter.organization_id = $1 and parameter.project_id = $2 order by value.id`,
    [organizationId, project.id, environment.id],
  );
  return `"${hash('sha1', rows.map((row) => row.ledger_id).join(), 'base64url')}"`;
}
