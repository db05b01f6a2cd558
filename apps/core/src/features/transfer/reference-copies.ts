import { Injectable } from '@nestjs/common';
import { Failure } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { type Asker, namedTexts, References } from '../resolution/references.ts';
import { Referrers } from '../resolution/referrers.ts';

type Copies = ReadonlyMap<string, string>;

/** Which thing became which. */
export interface CopiedThings {
  readonly values: Copies;
  readonly templates?: Copies;
  readonly parameters?: Copies;
  /** Also: in whose scope the names of the copied texts are looked up now. */
  readonly projects?: Copies;
}

const NONE: Copies = new Map();

/**
 * A reference that names its project says the same in the copy of its text, so it leads to the same thing; any other one
 * is looked up in the scope of the copy.
 */
const COPY = `
with
  value_copy as (select * from unnest($2::uuid[], $3::uuid[]) as c(old, new)),
  template_copy as (select * from unnest($4::uuid[], $5::uuid[]) as c(old, new)),
  parameter_copy as (select * from unnest($6::uuid[], $7::uuid[]) as c(old, new)),
  project_copy as (select * from unnest($8::uuid[], $9::uuid[]) as c(old, new))
insert into reference (organization_id, value_id, template_id, kind, project_id, named, name, target_parameter_id, target_template_id)
select $1, v.new, t.new, r.kind, case when r.named then r.project_id else coalesce(p.new, r.project_id) end, r.named, r.name,
       case when r.named then r.target_parameter_id else coalesce(tp.new, r.target_parameter_id) end,
       case when r.named then r.target_template_id
            else coalesce(tt.new, (select s.id from template s
                                    where s.organization_id = $1 and s.project_id = p.new and s.name = r.name),
                          r.target_template_id) end
  from reference r
  left join value_copy v on v.old = r.value_id
  left join template_copy t on t.old = r.template_id
  left join project_copy p on p.old = r.project_id
  left join parameter_copy tp on tp.old = r.target_parameter_id
  left join template_copy tt on tt.old = r.target_template_id
 where r.organization_id = $1 and (v.new is not null or t.new is not null)`;

/** Names of templates that are looked up in a project that has none of that name. */
const LOST_TEMPLATES = `
select r.name, coalesce(r.value_id, r.template_id) as "sourceId"
  from reference r join template t on t.organization_id = r.organization_id and t.id = r.target_template_id
 where r.organization_id = $1 and coalesce(r.value_id, r.template_id) = any($2::uuid[]) and t.project_id <> r.project_id
 order by r.name limit 1`;

/** Lets the texts that were copied refer to the right things. */
@Injectable()
export class ReferenceCopies {
  constructor(
    private readonly references: References,
    private readonly referrers: Referrers,
  ) {}

  async copy(em: EntityManager, caller: Asker, things: CopiedThings): Promise<void> {
    const { values, templates = NONE, parameters = NONE, projects = NONE } = things;
    const pairs = [values, templates, parameters, projects].flatMap((copies) => [
      [...copies.keys()],
      [...copies.values()],
    ]);
    const { length } = await em.query<{ id: string }[]>(`${COPY} returning id`, [caller.organizationId, ...pairs]);
    if (length > 0) await this.refuseLost(em, caller, [...values.values(), ...templates.values()]);
    if (length > 0 || parameters.size > 0) await this.settle(em, caller);
  }

  /** After parameters were added: what names mean now, without a loop and without a loss. */
  async settle(em: EntityManager, caller: Asker): Promise<void> {
    await this.referrers.rebind(em, caller, null, (referrers, name) =>
      Failure.list('unknown_reference', [`${referrers} would refer to ${name}, which does not exist there.`]),
    );
    const loop = await this.references.loopIn(em, caller);
    if (loop) throw Failure.list('dependency_loop', [loop]);
  }

  private async refuseLost(em: EntityManager, { organizationId }: Asker, sources: readonly string[]) {
    const [lost] = await em.query<{ name: string; sourceId: string }[]>(LOST_TEMPLATES, [organizationId, sources]);
    if (!lost) return;
    const [source] = await namedTexts(em, organizationId, [lost.sourceId]);
    throw Failure.list('unknown_reference', [
      `${source?.name ?? ''} would refer to the template ${lost.name}, which does not exist there.`,
    ]);
  }
}
