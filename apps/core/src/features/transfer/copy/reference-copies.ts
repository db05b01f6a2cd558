import { Injectable } from '@nestjs/common';
import { Failure, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../../platform/ledger/command.ts';
import { lateralJoin, selectReferences } from '../../templating/dependency-sql.ts';
import type { Lookups } from '../../templating/moved-references.ts';
import { namedTexts } from '../../templating/named-texts.ts';
import { References, type Requester } from '../../templating/references.ts';
import { Referrers } from '../../templating/referrers.ts';
import { Validator } from '../../validation/validator.ts';

type Copies = ReadonlyMap<string, string>;

/** The copied objects by the id of the source. */
export interface CopiedObjects {
  /** Dynamic values. */
  readonly values: Copies;
  readonly templates?: Copies;
  readonly parameters?: Copies;
  /** Copied projects. Texts that name them or belong to them refer to the copies. */
  readonly projects?: Copies;
  /** The projects from which texts are copied, with the projects that receive the copies. */
  readonly scopes?: Copies;
  /** Names that have a new target. */
  readonly newNames?: readonly string[];
}

const NONE: Copies = new Map();

/**
 * Inserts the references of copied texts. A reference that names a project which is not copied keeps its target. All
 * others are looked up in the scope of the copy. The name of a parameter never resolves to a template with the same
 * name.
 */
const COPY = `
with
  value_copy as (select * from unnest($2::uuid[], $3::uuid[]) as c(old, new)),
  template_copy as (select * from unnest($4::uuid[], $5::uuid[]) as c(old, new)),
  parameter_copy as (select * from unnest($6::uuid[], $7::uuid[]) as c(old, new)),
  project_copy as (select * from unnest($8::uuid[], $9::uuid[]) as c(old, new)),
  scope as (select * from unnest($10::uuid[], $11::uuid[]) as c(old, new)),
  copied as (${selectReferences('select unnest($2::uuid[]) union all select unnest($4::uuid[])', 'now')})
insert into reference (organization_id, value_id, template_id, kind, project_id, named, name, target_parameter_id, target_template_id)
select $1, v.new, t.new, r.kind, coalesce(p.new, r.project_id), r.named, r.name,
       case when r.named and p.new is null then r.target_parameter_id else coalesce(tp.new, r.target_parameter_id) end,
       case when r.target_template_id is null or (r.named and p.new is null) then r.target_template_id
            else coalesce(tt.new, (select s.id from template s
                                    where s.organization_id = $1 and s.project_id = p.new and s.name = r.name),
                          r.target_template_id) end
  from copied r
  left join value_copy v on v.old = r.value_id
  left join template_copy t on t.old = r.template_id
  left join lateral (
    select new from project_copy where old = r.project_id
    union all
    select new from scope where old = r.project_id and not r.named) p on true
  left join parameter_copy tp on tp.old = r.target_parameter_id
  left join template_copy tt on tt.old = r.target_template_id
returning name`;

/** Selects template names that are looked up in a project which has no template with that name. */
const LOST_TEMPLATES = `
select r.name, coalesce(r.value_id, r.template_id) as "sourceId"
  from ${lateralJoin(
    `(${selectReferences('select unnest($2::uuid[])', 'now')}) r`,
    'select t.project_id from template t where t.organization_id = $1 and t.id = r.target_template_id',
    't',
  )}
 where t.project_id <> r.project_id
 order by r.name limit 1`;

/**
 * Stores the references of copied texts with their new targets, and validates the texts against types and rules in
 * their new location.
 */
@Injectable()
export class ReferenceCopies {
  constructor(
    private readonly references: References,
    private readonly referrers: Referrers,
    private readonly validator: Validator,
  ) {}

  async copy(em: EntityManager, caller: Writer, copiedObjects: CopiedObjects): Promise<void> {
    const {
      values,
      templates = NONE,
      parameters = NONE,
      projects = NONE,
      scopes = NONE,
      newNames = [],
    } = copiedObjects;
    const pairs = [values, templates, parameters, projects, scopes].flatMap((copies) => [
      [...copies.keys()],
      [...copies.values()],
    ]);
    const copied = await em.query<{ name: string }[]>(COPY, [caller.organizationId, ...pairs]);
    const texts = [...values.values(), ...templates.values()];
    if (copied.length > 0) await this.assertReferencesKept(em, caller, texts);
    const projectIds = [...projects.values(), ...scopes.values()];
    // If no names are looked up in another scope, the dependencies and dependents of the texts are unchanged.
    if (projectIds.length > 0) {
      const names = [...new Set([...newNames, ...copied.map(({ name }) => name)])];
      await this.settle(em, caller, { projectIds, names });
      const loop = await this.references.loopThrough(em, caller, texts);
      if (loop) throw Failure.list('dependency_loop', [loop]);
    }
    await this.validator.validateDependents(em, caller, { kind: 'new_values', valueIds: [...values.values()] }, 'list');
    for (const projectId of newNames.length > 0 ? scopes.values() : []) {
      await this.validator.validateDependents(em, caller, { kind: 'names', projectId, names: newNames }, 'list');
    }
  }

  /** Updates references after parameters were added, because names may now resolve to these. */
  settle(em: EntityManager, caller: Requester, lookups: Lookups): Promise<void> {
    return this.referrers.rebind(em, caller, lookups, (referrers, name) =>
      Failure.list('unknown_reference', [
        sentence`${referrers} would refer to ${{ name }}, which does not exist there.`,
      ]),
    );
  }

  private async assertReferencesKept(em: EntityManager, { organizationId }: Requester, sources: readonly string[]) {
    const [lost] = await em.query<{ name: string; sourceId: string }[]>(LOST_TEMPLATES, [organizationId, sources]);
    if (!lost) return;
    const [source] = await namedTexts(em, organizationId, [lost.sourceId]);
    throw Failure.list('unknown_reference', [
      sentence`${{ text: source?.name ?? '' }} would refer to the template ${{ name: lost.name }}, which does not exist there.`,
    ]);
  }
}
