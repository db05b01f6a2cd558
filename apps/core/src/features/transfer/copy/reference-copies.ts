import { Injectable } from '@nestjs/common';
import { Failure, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../../platform/ledger/command.ts';
import { lateralJoin, referencesSql } from '../../templating/dependency-sql.ts';
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
  value_copy as (select * from unnest($2::uuid[], $3::uuid[]) as input(old, new)),
  template_copy as (select * from unnest($4::uuid[], $5::uuid[]) as input(old, new)),
  parameter_copy as (select * from unnest($6::uuid[], $7::uuid[]) as input(old, new)),
  project_copy as (select * from unnest($8::uuid[], $9::uuid[]) as input(old, new)),
  scope as (select * from unnest($10::uuid[], $11::uuid[]) as input(old, new)),
  copied as (${referencesSql('select unnest($2::uuid[]) union all select unnest($4::uuid[])', 'now')})
insert into reference (organization_id, value_id, template_id, kind, project_id, named, name, target_parameter_id, target_template_id)
select $1, value_copy.new, template_copy.new, copied.kind, coalesce(project.new, copied.project_id), copied.named, copied.name,
       case when copied.named and project.new is null then copied.target_parameter_id else coalesce(tp.new, copied.target_parameter_id) end,
       case when copied.target_template_id is null or (copied.named and project.new is null) then copied.target_template_id
            else coalesce(tt.new, (select template.id from template
                                    where template.organization_id = $1 and template.project_id = project.new and template.name = copied.name),
                          copied.target_template_id) end
  from copied
  left join value_copy on value_copy.old = copied.value_id
  left join template_copy on template_copy.old = copied.template_id
  left join lateral (
    select new from project_copy where old = copied.project_id
    union all
    select new from scope where old = copied.project_id and not copied.named) project on true
  left join parameter_copy tp on tp.old = copied.target_parameter_id
  left join template_copy tt on tt.old = copied.target_template_id
returning name`;

/** Selects template names that are looked up in a project which has no template with that name. */
const LOST_TEMPLATES = `
select reference.name, coalesce(reference.value_id, reference.template_id) as "sourceId"
  from ${lateralJoin(
    `(${referencesSql('select unnest($2::uuid[])', 'now')}) reference`,
    'select template.project_id from template where template.organization_id = $1 and template.id = reference.target_template_id',
    'template',
  )}
 where template.project_id <> reference.project_id
 order by reference.name limit 1`;

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
    const copiedReferences = await em.query<{ name: string }[]>(COPY, [caller.organizationId, ...pairs]);
    const texts = [...values.values(), ...templates.values()];
    if (copiedReferences.length > 0) await this.assertReferencesKept(em, caller, texts);
    const projectIds = [...projects.values(), ...scopes.values()];
    // If no names are looked up in another scope, the dependencies and dependents of the texts are unchanged.
    if (projectIds.length > 0) {
      const names = [...new Set([...newNames, ...copiedReferences.map(({ name }) => name)])];
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

  private async assertReferencesKept(
    em: EntityManager,
    { organizationId }: Requester,
    sourceTextIds: readonly string[],
  ) {
    const [lostReference] = await em.query<{ name: string; sourceId: string }[]>(LOST_TEMPLATES, [
      organizationId,
      sourceTextIds,
    ]);
    if (!lostReference) return;
    const [source] = await namedTexts(em, organizationId, [lostReference.sourceId]);
    throw Failure.list('unknown_reference', [
      sentence`${{ text: source?.name ?? '' }} would refer to the template ${{ name: lostReference.name }}, which does not exist there.`,
    ]);
  }
}
