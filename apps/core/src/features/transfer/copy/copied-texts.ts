import { Injectable } from '@nestjs/common';
import {
  asSentence,
  Failure,
  isLongerThan,
  type NamedObject,
  sentence,
  TEMPLATE_LENGTH_MAX,
  VALUE_LENGTH_MAX,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../../platform/ledger/command.ts';
import { listIgnoredScopes } from '../../../platform/ledger/forbidden-values.ts';
import { Language } from '../../templating/liquid/language.ts';

interface NamingText {
  readonly id: string;
  readonly kind: 'value' | 'template';
  /** The name of the parameter or template, for messages. */
  readonly name: string;
  readonly text: string;
}

/**
 * Selects the texts of some projects that name one of these projects. $2 contains the projects. Values in the
 * environments $3 are left out.
 */
const NAMING = `
with naming as materialized (
  select value_id, template_id from reference
   where organization_id = $1 and named and project_id = any($2::uuid[]))
select value.id, 'value' as kind, parameter.name, value.text
  from value join parameter on parameter.organization_id = $1 and parameter.id = value.parameter_id
 where value.organization_id = $1 and value.id = any(array(select value_id from naming)) and parameter.project_id = any($2)
   and value.environment_id <> all($3::uuid[])
union all
select template.id, 'template', template.name, template.body
  from template
 where template.organization_id = $1 and template.id = any(array(select template_id from naming)) and template.project_id = any($2)`;

/**
 * Rewrites texts that name a project which is copied together with them, so that the copies name the copied project.
 */
@Injectable()
export class CopiedTexts {
  constructor(private readonly language: Language) {}

  /**
   * Returns the rewritten texts by the id of the original text. Unchanged texts are not included. `copies` contains the
   * copied projects by the id of the source.
   */
  async of(
    em: EntityManager,
    caller: Writer,
    copies: ReadonlyMap<string, NamedObject>,
  ): Promise<ReadonlyMap<string, string>> {
    const sourceIds = [...copies.keys()];
    const { organizationId } = caller;
    const namingTexts = await em.query<NamingText[]>(NAMING, [organizationId, sourceIds, listIgnoredScopes(caller)]);
    if (namingTexts.length === 0) return new Map();
    const projects = await em.query<NamedObject[]>(
      'select id, name from project where organization_id = $1 and id = any($2::uuid[])',
      [organizationId, sourceIds],
    );
    const names = new Map(projects.map(({ id, name }) => [name, copies.get(id)?.name ?? name]));
    const texts = await this.language.renamed(
      organizationId,
      namingTexts.map(({ text }) => text),
      names,
    );
    return new Map(namingTexts.map((source, index) => [source.id, assertText(source, texts[index])]));
  }
}

function assertText({ kind, name }: NamingText, text: string | { readonly problem: string } | undefined): string {
  const title = kind === 'value' ? name : `template ${name}`;
  if (typeof text !== 'string') {
    const reason = asSentence(text ? ` ${text.problem}` : '');
    throw Failure.list('invalid_text', [sentence`${{ text: title }} names a project that is copied.${reason}`]);
  }
  const lengthMax = kind === 'value' ? VALUE_LENGTH_MAX : TEMPLATE_LENGTH_MAX;
  if (!isLongerThan(text, lengthMax)) return text;
  throw Failure.list('too_long', [
    sentence`${{ text: title }} would have more than ${{ limit: lengthMax }} characters with the new name of a project. Choose a shorter one.`,
  ]);
}
