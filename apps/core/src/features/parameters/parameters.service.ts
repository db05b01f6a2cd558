import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ExpirationAction, type ParameterCreate, type ParameterPatch } from '@strata/contract';
import { assertAbilityOnScope, Failure, type NamedObject, type ProjectId, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import { Cascades } from '../../platform/ledger/cascades.ts';
import type { Command, Writer } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { pickWrittenColumns } from '../../platform/postgres/versioned-entity.ts';
import { isUnchanged } from '../../platform/unchanged.ts';
import { Referrers } from '../templating/referrers.ts';
import { findTypeId } from '../types/type-lookup.ts';
import { assertNewNames, assertParameterNames, duplicateNameError, parameterNameScope } from '../validation/names.ts';
import { Validator } from '../validation/validator.ts';
import { PARAMETER_CASCADES } from './cascades.ts';
import { ParameterEntity } from './parameter.entity.ts';
import type { ParameterKey, ParameterLocation } from './parameters.reader.ts';

interface OwningProject extends NamedObject {
  readonly pattern: string;
}

const constraintErrors = (name: string) => ({
  parameter_name_taken: () => duplicateNameError('parameter', name),
});

@Injectable()
export class ParametersService {
  constructor(
    private readonly cascades: Cascades,
    private readonly referrers: Referrers,
    private readonly validator: Validator,
  ) {
    cascades.add(...PARAMETER_CASCADES);
  }

  /** Creates a parameter without a value. If the name is inherited, the new parameter overrides the inherited one. */
  create(caller: Caller, projectId: ProjectId, input: ParameterCreate): Command<ParameterLocation> {
    return {
      operation: 'projects_parameters_create',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const { organizationId } = caller;
        const project = await owningProject(em, caller, projectId);
        const typeId = await findTypeId(em, organizationId, input.type);
        await assertParameterNames(project, [input.name]);
        const parameter: ParameterEntity = {
          ...pickWrittenColumns('parameter', input),
          organizationId,
          id: randomUUID(),
          projectId,
          typeId,
          ...mergeExpiration(input, NEVER),
        };
        await translateViolations(em.insert(ParameterEntity, parameter), constraintErrors(input.name));
        await assertNewNames(em, parameterNameScope({ organizationId, projectId }), [input.name]);
        await this.referrers.assertNotReferred(em, caller, projectId, [input.name], 'renamed');
        context.record(objectChange('create', 'Parameter', parameter, { project }));
        return { projectId, id: parameter.id };
      },
    };
  }

  /** Changes a parameter. Omitted members keep their values. A change without effect creates no revision. */
  change(
    caller: Caller,
    key: ParameterKey,
    input: ParameterPatch,
    precondition: Precondition,
  ): Command<ParameterLocation> {
    return {
      operation: 'projects_parameters_update',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const project = await owningProject(em, caller, key.projectId);
        const current = await findParameter(em, key);
        await precondition(em, caller);
        assertSecretUnchanged(current, input.secret);
        const changedRow: ParameterEntity = {
          ...current,
          ...pickWrittenColumns('parameter', input),
          typeId: input.type === undefined ? current.typeId : await findTypeId(em, key.organizationId, input.type),
          ...mergeExpiration(input, current),
        };
        if (changedRow.name !== current.name) await assertParameterNames(project, [changedRow.name]);
        if (changedRow.typeId !== current.typeId) {
          await this.validator.validateStored(em, caller, {
            kind: 'parameter_type',
            parameter: changedRow,
          });
        }
        if (isUnchanged(current, changedRow)) return toLocation(key);
        await translateViolations(
          em.update(ParameterEntity, primaryKey(current), changedRow),
          constraintErrors(changedRow.name),
        );
        if (changedRow.name !== current.name) {
          await assertNewNames(em, parameterNameScope(key), [changedRow.name]);
          await this.assertReferencesHold(em, caller, current, [current.name, changedRow.name], 'renamed');
        }
        context.record(objectChange('update', 'Parameter', changedRow, { project }));
        return toLocation(key);
      },
    };
  }

  /**
   * Deletes a parameter with its values and rules. The ledger records each of them for the audit, but only the
   * parameter causes an event.
   */
  remove(caller: Caller, key: ParameterKey, precondition: Precondition): Command<void> {
    return {
      operation: 'projects_parameters_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller, em } = context;
        const project = await owningProject(em, caller, key.projectId);
        const current = await findParameter(em, key);
        await precondition(em, caller);
        await this.cascades.record(context, 'Parameter', current.organizationId, current.id);
        await em.delete(ParameterEntity, primaryKey(current));
        await this.assertReferencesHold(em, caller, current, [current.name], 'deleted');
        context.record(objectChange('delete', 'Parameter', current, { project }));
      },
    };
  }

  /**
   * Throws if a name in a text no longer resolves, if references form a cycle, or if a dependent value becomes invalid.
   */
  private async assertReferencesHold(
    em: EntityManager,
    caller: Writer,
    { id, projectId }: ParameterEntity,
    names: readonly string[],
    action: 'deleted' | 'renamed',
  ) {
    await this.referrers.assertNotReferred(em, caller, projectId, names, action);
    if (action === 'renamed') await this.referrers.assertNoNewCycle(em, caller, id);
    await this.validator.validateDependents(
      em,
      caller,
      { kind: 'names', projectId, names, uncovers: true },
      'conflict',
    );
  }
}

const NEVER = { expires: null, expirationAction: null };

type Expiration = Pick<ParameterEntity, 'expires' | 'expirationAction'>;

/**
 * Returns the new expiration; null removes it. Stores default options explicitly, so that later changes of the defaults
 * do not affect them.
 */
function mergeExpiration(
  { expires, expiration_action: action }: ParameterPatch,
  currentExpiration: Expiration,
): Expiration {
  return {
    expires: expires === undefined ? currentExpiration.expires : expires,
    expirationAction:
      action === undefined ? currentExpiration.expirationAction : action && ExpirationAction.parse(action),
  };
}

/** Finds a parameter that the project owns. Writes to an inherited one return 404 (behaviour.md §5.1). */
export async function findParameter(
  em: EntityManager,
  { organizationId, projectId, id }: ParameterKey,
): Promise<ParameterEntity> {
  const current = await em.findOneBy(ParameterEntity, { organizationId, id, projectId });
  if (!current) throw Failure.notFound('Parameter');
  return current;
}

export async function owningProject(em: EntityManager, caller: Caller, id: ProjectId): Promise<OwningProject> {
  const [project] = await em.query<OwningProject[]>(
    'select id, name, parameter_name_pattern as pattern from project where organization_id = $1 and id = $2',
    [caller.organizationId, id],
  );
  if (!project) throw Failure.notFound('Project');
  assertAbilityOnScope(caller, 'write', id);
  return project;
}

const toLocation = ({ projectId, id }: ParameterKey): ParameterLocation => ({ projectId, id });
const primaryKey = ({ organizationId, id }: ParameterEntity) => ({ organizationId, id });

function assertSecretUnchanged({ secret, name }: ParameterEntity, requestedSecret: boolean | undefined): void {
  if (requestedSecret === undefined || requestedSecret === secret) return;
  throw Failure.field(
    'secret_is_fixed',
    'secret',
    sentence`Whether ${{ name }} is secret cannot be changed. Create a new parameter instead.`,
  );
}
