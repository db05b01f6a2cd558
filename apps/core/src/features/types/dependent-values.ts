import { Injectable } from '@nestjs/common';
import {
  canOnScope,
  type EnvironmentId,
  Failure,
  type ParameterId,
  type ProjectId,
  type Rule,
  type Uuid,
  type ValueId,
  valueTypeOf,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { Patience } from '../../platform/pattern-engine.ts';
import { ActiveTexts, type Asked } from '../resolution/active-texts.ts';
import { dependentsOf, forEach } from '../resolution/reach.ts';
import { TextCheck } from './text-check.ts';
import { allTypes } from './type-lookup.ts';

/** What a write may have changed for texts that depend on it. */
export interface Effect extends Asked {
  /** Names of parameters, where they are looked up. */
  readonly projectId?: ProjectId;
  readonly names?: readonly string[];
  readonly templateId?: Uuid;
  /** Something is gone: dynamic values of these names may have come into effect. */
  readonly uncovers?: boolean;
}

/** Something hangs elsewhere, with all that is below it. */
export type Move = {
  /** What it inherits from since then, and what it inherited from only before. */
  readonly exchanged: readonly Uuid[];
} & ({ readonly projectId: ProjectId } | { readonly environmentId: EnvironmentId });

/** How a write is refused: in the words of whoever writes. */
export type Misfits = (messages: readonly string[]) => Failure;

/** 400 on a field. */
export const onField =
  (field: string): Misfits =>
  (messages) =>
    Failure.fields(
      CODE,
      messages.map((message) => ({ field, message })),
    );

/** 409: programs that take things away in any order repeat it, and succeed when the dependents have gone. */
export const asConflict: Misfits = (messages) => Failure.conflict(CODE, messages.join(' '));

/** 400 as a bare list. */
export const asList: Misfits = (messages) => Failure.list(CODE, messages);

const CODE = 'dependent_values';

/** A dynamic value that not every text fits. */
interface DemandingValue {
  readonly id: ValueId;
  readonly parameterId: ParameterId;
  readonly name: string;
  readonly projectId: ProjectId;
  readonly project: string;
  readonly typeId: Uuid;
  /** Of the parameter itself. */
  readonly rules: readonly Rule[];
}

/** How many are evaluated at once: bounds memory. */
const BATCH = 500;
/** How many misfits are told. */
const TOLD_MAX = 10;

/** Dynamic values that not every text fits, among those that `ids` selects; types that take any text are looked past. */
const demanding = (walk: string, ids: string) => `
with recursive
  free (id) as (
    select t.id from parameter_type t where t.organization_id = $1 and t.parent_id is null and t.name = 'string'
    union
    select t.id from ${forEach(
      'free f',
      `select t.id from parameter_type t
        where t.organization_id = $1 and t.parent_id = f.id
          and not exists (select from parameter_type_rule r where r.organization_id = $1 and r.type_id = t.id)`,
      't',
    )})${walk}
select i.id, x.id as "parameterId", x.name, x.project_id as "projectId", p.name as project, x.type_id as "typeId", r.rules
  from (${ids}) i(id)
 cross join lateral (select v.parameter_id, v.interpolated and v.text is not null as is_text
                       from value v where v.organization_id = $1 and v.id = i.id offset 0) v
 cross join lateral (select x.* from parameter x where x.organization_id = $1 and x.id = v.parameter_id offset 0) x
 cross join lateral (
   select coalesce(json_agg(json_build_object('kind', r.kind, 'constraint', r.constraint_text) order by r.kind), '[]') as rules
     from parameter_rule r where r.organization_id = $1 and r.parameter_id = x.id) r
 cross join lateral (select p.name from project p where p.organization_id = $1 and p.id = x.project_id offset 0) p
 where v.is_text and (x.type_id not in (select id from free) or json_array_length(r.rules) > 0)
 order by p.name, x.name, i.id`;

/** Those that need what `seeds` selects; and where `uncovers` those of its names, which may have come into effect. */
const depending = (seeds: string, uncovers: string) =>
  demanding(
    `,
  ${dependentsOf(`(${seeds})`)}`,
    `select text_id from dependent where text_id is not null
   union
   select v.id from ${forEach(
     'dependent d',
     'select x.id from parameter x where x.organization_id = $1 and x.project_id = d.project_id and x.name = d.name',
     'x',
   )} cross join lateral (
     select v.id from value v where v.organization_id = $1 and v.parameter_id = x.id offset 0) v
    where ${uncovers}`,
  );

/** $2 project, $3 names, $4 template, $5 whether values have come into effect. */
const DEPENDENT = depending(
  `select null::uuid, $2::uuid, name from unnest($3::text[]) name
   union all select $4::uuid, null, null where $4 is not null`,
  '$5::boolean',
);
/** $2 project, $3 projects: it sees, or saw, their parameters. */
const SEEING = depending(
  `select null::uuid, $2::uuid, x.name
     from ${forEach(
       'unnest($3::uuid[]) p(id)',
       'select x.name from parameter x where x.organization_id = $1 and x.project_id = p.id',
       'x',
     )}`,
  'true',
);
/** $2 environments: what is set there is seen, or was. */
const SET_IN = depending(
  `select null::uuid, x.project_id, x.name
     from ${forEach(
       'unnest($2::uuid[]) e(id)',
       'select v.parameter_id from value v where v.organization_id = $1 and v.environment_id = e.id',
       'v',
     )} cross join lateral (
       select x.project_id, x.name from parameter x where x.organization_id = $1 and x.id = v.parameter_id offset 0) x`,
  'true',
);
/** $2 values. */
const AMONG = demanding('', 'select unnest($2::uuid[])');

/**
 * Holds what dynamic values say against their types and rules when something changes that they depend on (ADR 0016). Only
 * what depends on the change is looked at, in a fixed number of statements for every few hundred; nothing more than one
 * when nothing does. What the caller may not see is not judged: a verdict would tell about it.
 */
@Injectable()
export class DependentValues {
  constructor(
    private readonly check: TextCheck,
    private readonly activeTexts: ActiveTexts,
  ) {}

  /**
   * Asked inside a write, once it has written, or of one that is only thought of. Refuses what would make a dependent value
   * break its type or rules.
   */
  async demandFit(em: EntityManager, caller: Caller, effect: Effect, misfits: Misfits): Promise<void> {
    const { projectId = null, names = [], templateId = null, uncovers = false, ...asked } = effect;
    const seeds = [projectId, names, templateId, uncovers];
    const found = await em.query<DemandingValue[]>(DEPENDENT, [caller.organizationId, ...seeds]);
    await this.judge(em, caller, found, { asked, why: 'depends on this and would not fit any more', misfits });
  }

  /** The same of what hangs elsewhere: names mean other things there, and other values apply. */
  async demandFitThere(em: EntityManager, caller: Caller, move: Move, misfits: Misfits): Promise<void> {
    const { organizationId } = caller;
    const { exchanged, ...moved } = move;
    const found =
      'projectId' in moved
        ? await em.query<DemandingValue[]>(SEEING, [organizationId, moved.projectId, exchanged])
        : await em.query<DemandingValue[]>(SET_IN, [organizationId, exchanged]);
    const asked = 'environmentId' in moved ? moved : {};
    await this.judge(em, caller, found, { asked, why: 'would not fit any more', misfits });
  }

  /** The same of values that are new where they are. */
  async demandNewFit(em: EntityManager, caller: Caller, ids: readonly ValueId[]): Promise<void> {
    if (ids.length === 0) return;
    const found = await em.query<DemandingValue[]>(AMONG, [caller.organizationId, ids]);
    await this.judge(em, caller, found, { why: 'would not fit there', misfits: asList });
  }

  private async judge(
    em: EntityManager,
    caller: Caller,
    found: readonly DemandingValue[],
    { asked = {}, why, misfits }: Judging,
  ): Promise<void> {
    const values = found.filter(({ projectId }) => canOnScope(caller, 'read', projectId));
    if (values.length === 0) return;
    const types = await allTypes(em, caller.organizationId);
    const problems: string[] = [];
    const patience = new Patience();
    for (let at = 0; at < values.length; at += BATCH) {
      const batch = new Map(values.slice(at, at + BATCH).map((value) => [value.id, value]));
      const active = await this.activeTexts.of(em, caller, [...batch.keys()], asked);
      const judged = active.map((one) => ({ ...one, value: batch.get(one.valueId) as DemandingValue }));
      const violations = await this.check.violations(
        judged.map(({ text, value }) => ({ text, type: valueTypeOf(types, value.typeId, value) })),
        patience,
      );
      for (const [index, { value, environment }] of judged.entries()) {
        const title = `${value.name} of ${value.project} in ${environment}`;
        for (const { message } of violations[index] ?? []) problems.push(`${title} ${why}. ${message}`);
      }
    }
    if (problems.length === 0) return;
    const hidden = problems.length - TOLD_MAX;
    throw misfits([...problems.slice(0, TOLD_MAX), ...(hidden > 0 ? [`And ${hidden} more.`] : [])]);
  }
}

interface Judging {
  readonly asked?: Asked;
  readonly why: string;
  readonly misfits: Misfits;
}
