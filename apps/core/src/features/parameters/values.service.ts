import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ValueCreate, ValuePatch } from '@strata/contract';
import { checkText, Failure, type Named, type ValueId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { refuseOn } from '../../platform/database/constraints.ts';
import { Work, type WriteContext, type Written } from '../../platform/database/work.ts';
import { idFromLink, unknownLink } from '../../platform/http/links.ts';
import type { Precondition } from '../../platform/http/precondition.ts';
import { Vault } from '../../platform/vault/vault.ts';
import type { ParameterEntity } from './parameter.entity.ts';
import type { ParameterKey } from './parameters.reader.ts';
import { findParameter, owningProject, valueTypeOf } from './parameters.service.ts';
import { ValueEntity } from './value.entity.ts';
import { placeOfValue } from './value-place.ts';

const refusals = (parameter: string, environment: string) => ({
  value_environment_taken: () =>
    Failure.field(
      'duplicate_value',
      'non_field_errors',
      `${parameter} has a value in ${environment} already. Change that value instead of making a second one.`,
    ),
});

const UPDATE = 'update value set text = $3, sealed = $4 where organization_id = $1 and id = $2';

interface Place {
  readonly parameter: ParameterEntity;
  readonly project: Named;
  readonly environment: Named;
}

@Injectable()
export class ValuesService {
  constructor(
    private readonly work: Work,
    private readonly vault: Vault,
  ) {}

  create(caller: Caller, key: ParameterKey, wish: ValueCreate): Promise<Written<ValueId>> {
    refuseUnsupported(wish);
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const project = await owningProject(em, caller, key.projectId);
      const parameter = await findParameter(em, key);
      const environment = await environmentLinked(em, caller, wish.environment);
      const id = randomUUID();
      const content = await this.content(em, parameter, id, wish.internal_value ?? null);
      const { organizationId, id: parameterId } = parameter;
      const row = { organizationId, id, parameterId, environmentId: environment.id, ...content };
      await refuseOn(em.insert(ValueEntity, row), refusals(parameter.name, environment.name));
      record(context, 'create', id, { parameter, project, environment });
      return id;
    });
  }

  /** A text that is absent stays as it is; a value never moves to another environment. */
  change(
    caller: Caller,
    key: ParameterKey,
    id: ValueId,
    wish: ValuePatch,
    precondition: Precondition,
  ): Promise<Written<void>> {
    refuseUnsupported(wish);
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const { project, parameter, environment, value: found } = await placeOfValue(em, key, id);
      await precondition(em);
      if (wish.internal_value === undefined) return;
      if (wish.internal_value === (await this.textOf(found))) return;
      const content = await this.content(em, parameter, id, wish.internal_value);
      await em.query(UPDATE, [key.organizationId, id, content.text, content.sealed]);
      record(context, 'update', id, { parameter, project, environment });
    });
  }

  /** The environment falls back to what it inherits. */
  remove(caller: Caller, key: ParameterKey, id: ValueId, precondition: Precondition): Promise<Written<void>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const { project, parameter, environment } = await placeOfValue(em, key, id);
      await precondition(em);
      await em.delete(ValueEntity, { organizationId: key.organizationId, id });
      record(context, 'delete', id, { parameter, project, environment });
    });
  }

  /** Checked against the parameter's type, and sealed if the parameter is secret. An explicit null skips both. */
  private async content(em: EntityManager, parameter: ParameterEntity, id: ValueId, text: string | null) {
    if (text === null) return { text: null, sealed: null };
    const problems = checkText(await valueTypeOf(em, parameter), text);
    if (problems.length > 0) {
      throw Failure.fields(
        'type_violation',
        problems.map((message) => ({ field: 'internal_value', message })),
      );
    }
    if (!parameter.secret) return { text, sealed: null };
    const { organizationId } = parameter;
    return { text: null, sealed: await this.vault.seal({ organizationId, column: 'value.sealed', rowId: id }, text) };
  }

  private async textOf({ organizationId, id, text, sealed }: ValueEntity): Promise<string | null> {
    return sealed === null ? text : this.vault.open({ organizationId, column: 'value.sealed', rowId: id }, sealed);
  }
}

/** Dynamic and external values are refused until they are supported, so that nobody's template is stored as its text. */
function refuseUnsupported({ interpolated, external, external_fqn: fqn, internal_value: text }: ValuePatch): void {
  if (external && text !== undefined && text !== null) {
    throw Failure.field(
      'external_with_text',
      'internal_value',
      'An external value has no internal_value. Leave it out.',
    );
  }
  if (external && !fqn) throw Failure.field('required', 'external_fqn', 'An external value needs external_fqn.');
  if (fqn && !external) {
    throw Failure.field('external_fqn_without_external', 'external_fqn', 'Only an external value has external_fqn.');
  }
  if (external) throw Failure.field('not_supported_yet', 'external', 'External values are not available yet.');
  if (interpolated) {
    throw Failure.field(
      'not_supported_yet',
      'interpolated',
      'Dynamic values are not available yet. Store the literal text.',
    );
  }
}

async function environmentLinked(em: EntityManager, { organizationId }: Caller, link: string): Promise<Named> {
  const id = idFromLink('environment', 'environments', link);
  const found = await findEnvironment(em, organizationId, id);
  if (!found) throw unknownLink('environment', 'environments');
  return found;
}

async function findEnvironment(em: EntityManager, organizationId: string, id: string): Promise<Named | undefined> {
  const [row] = await em.query<Named[]>('select id, name from environment where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
  return row;
}

function record(
  { record: recordChange }: WriteContext,
  action: 'create' | 'update' | 'delete',
  id: ValueId,
  { parameter, project, environment }: Place,
): void {
  recordChange({
    eventType: `value_${action}d`,
    action,
    objectType: 'Value',
    object: { id, name: parameter.name },
    project: { id: project.id, name: project.name },
    environment: { id: environment.id, name: environment.name },
    parameter: { id: parameter.id, name: parameter.name },
  });
}
