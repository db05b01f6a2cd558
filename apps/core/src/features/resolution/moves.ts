import { Injectable } from '@nestjs/common';
import type { EnvironmentId, ObjectType, OrganizationId, ParameterId, ProjectId, Revision } from '@strata/domain';
import type { Head } from '../../platform/database/heads.ts';
import { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import { RecentlyUsed } from '../../platform/recently-used.ts';
import type { ViewedValue } from './effective-rows.ts';

/** Something that may have changed effective values. */
export type Move = { readonly revision: Revision } & (
  | {
      readonly of: 'value';
      readonly parameterId: ParameterId;
      readonly environmentId: EnvironmentId;
      /** As it is by now; null when it is there no more. */
      readonly value: ViewedValue | null;
    }
  /** A project or a parameter of it. */
  | { readonly of: 'project'; readonly projectId: ProjectId }
  /** Anything: whoever wants to know must look again. */
  | { readonly of: 'anything' }
);

export interface Moved {
  /** As of which it is told. */
  readonly head: Head;
  readonly moves: readonly Move[];
}

/** What has no part in which value applies. What is not named here has. */
const HARMLESS = [
  'AwsIntegration',
  'AzureKeyVaultIntegration',
  'GitHubIntegration',
  'Grant',
  'Group',
  'Invitation',
  'Membership',
  'ParameterRule',
  'ParameterType',
  'ParameterTypeRule',
  'Pull',
  'Push',
  'ServiceAccount',
  'Tag',
  'Task',
  'Template',
  'Webhook',
] as const satisfies readonly ObjectType[];

/** Following more than this costs more than reading anew. */
const MOVES_MAX = 400;
/** Of one organization, and of all. */
const CHARACTERS_MAX = 524_288;
const BYTES_MAX = 16 * 1_048_576;

interface MoveRow {
  readonly revision: Revision;
  readonly type: ObjectType;
  readonly projectId: ProjectId | null;
  readonly parameterId: ParameterId | null;
  readonly environmentId: EnvironmentId | null;
  readonly value: ViewedValue | null;
}

/**
 * $1 organization, $2 the revision after which to begin. Values are read as they are by now, in the snapshot in which
 * the ledger is read: whoever follows all moves up to this head arrives at its state.
 */
const READ = `
  select h.epoch, h.revision, (select coalesce(json_agg(r), '[]') from (
    select c.revision, c.object_type as type, c.project_id as "projectId", c.parameter_id as "parameterId",
           c.environment_id as "environmentId", case when v.id is not null then json_build_object(
             'id', v.id, 'parameterId', v.parameter_id, 'environmentId', v.environment_id, 'text', v.text,
             'sealed', v.sealed, 'interpolated', v.interpolated, 'secret', x.secret) end as value
      from change c
      left join value v on c.object_type = 'Value' and v.organization_id = c.organization_id
                       and v.id = case when c.object_type = 'Value' then c.object_id::uuid end
      left join parameter x on x.organization_id = v.organization_id and x.id = v.parameter_id
     where c.organization_id = $1 and c.revision > $2 and c.object_type <> all('{${HARMLESS.join()}}'::text[])
     order by c.revision, c.ordinal limit ${MOVES_MAX + 1}) r) as rows
    from organization_head h where h.organization_id = $1`;

/** The latest moves of one organization, without a hole: those after `from`, up to `to`. */
interface Log {
  readonly epoch: string;
  readonly from: Revision;
  readonly to: Revision;
  readonly moves: readonly Move[];
}

/** Tells what moved in an organization since somebody looked. Those who ask at the same time share one statement. */
@Injectable()
export class Moves {
  private readonly logs = new RecentlyUsed<Log>(BYTES_MAX, bytesOf);
  private readonly reading = new Map<OrganizationId, Promise<Log>>();

  constructor(private readonly reader: SnapshotReader) {}

  /** Everything after `seen`, at least up to `head`. Null when too much has moved, or nobody knows any more. */
  async since(organizationId: OrganizationId, seen: Head, head: Head): Promise<Moved | null> {
    let log = this.logOf(organizationId, seen);
    // a reading that was on its way already may have begun before this head was there
    for (let times = 0; log.to < head.revision && times < 2; times += 1) log = await this.further(organizationId, log);
    const { epoch, from, to, moves } = log;
    const isKnown =
      seen.epoch === epoch &&
      head.epoch === epoch &&
      from <= seen.revision &&
      to >= Math.max(head.revision, seen.revision);
    if (!isKnown) return null;
    return { head: { epoch, revision: to }, moves: moves.filter(({ revision }) => revision > seen.revision) };
  }

  private logOf(organizationId: OrganizationId, { epoch, revision }: Head): Log {
    const known = this.logs.get(organizationId);
    return known?.epoch === epoch ? known : { epoch, from: revision, to: revision, moves: [] };
  }

  private further(organizationId: OrganizationId, log: Log): Promise<Log> {
    const running = this.reading.get(organizationId);
    if (running) return running;
    const reading = this.read(organizationId, log).finally(() => this.reading.delete(organizationId));
    this.reading.set(organizationId, reading);
    return reading;
  }

  private async read(organizationId: OrganizationId, log: Log): Promise<Log> {
    const [row] = await this.reader.query<Head & { rows: MoveRow[] }>(READ, [organizationId, log.to]);
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    const { epoch, revision, rows } = row;
    const isContinued = epoch === log.epoch && rows.length <= MOVES_MAX;
    const read = isContinued
      ? shortened({ epoch, from: log.from, to: revision, moves: [...log.moves, ...rows.map(moveOf)] })
      : { epoch, from: revision, to: revision, moves: [] };
    this.logs.put(organizationId, read);
    return read;
  }
}

function moveOf({ revision, type, projectId, parameterId, environmentId, value }: MoveRow): Move {
  if (type === 'Value' && parameterId && environmentId) {
    return { revision, of: 'value', parameterId, environmentId, value };
  }
  if ((type === 'Parameter' || type === 'Project') && projectId) return { revision, of: 'project', projectId };
  return { revision, of: 'anything' };
}

/** Forgets the oldest moves, revision by revision, until what is left is short. */
function shortened(log: Log): Log {
  let { from, moves } = log;
  while (moves.length > MOVES_MAX || charactersOf(moves) > CHARACTERS_MAX) {
    from = moves[Math.floor(moves.length / 2)]?.revision ?? log.to;
    moves = moves.filter(({ revision }) => revision > from);
  }
  return { ...log, from, moves };
}

function charactersOf(moves: readonly Move[]): number {
  let characters = 0;
  for (const move of moves) {
    if (move.of === 'value') characters += (move.value?.text?.length ?? 0) + (move.value?.sealed?.length ?? 0);
  }
  return characters;
}

const MOVE_BYTES = 512;

function bytesOf({ moves }: Log): number {
  return moves.length * MOVE_BYTES + charactersOf(moves) * 2;
}
