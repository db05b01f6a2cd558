import { Injectable } from '@nestjs/common';
import type { ParameterCopy } from '@strata/contract';
import { assertAbilityOnScope, type NamedObject } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { idFromLink, unknownLinkError } from '../../../platform/http/links.ts';
import type { Command } from '../../../platform/ledger/command.ts';
import { ignoreForbidden } from '../../../platform/ledger/forbidden-values.ts';
import { translateViolations } from '../../../platform/postgres/constraints.ts';
import { assertAccessNotWidened } from '../../access/control.ts';
import type { ParameterLocation } from '../../parameters/parameters.reader.ts';
import { findParameter, owningProject } from '../../parameters/parameters.service.ts';
import {
  assertNewNames,
  assertParameterNames,
  duplicateNameError,
  parameterNameScope,
} from '../../validation/names.ts';
import { assertCopySize } from './copy-size.ts';
import { copyParameters, listCopiedIds } from './parameter-rows.ts';
import { ReferenceCopies } from './reference-copies.ts';
import { ValueCopies } from './value-copies.ts';

interface Target extends NamedObject {
  readonly pattern: string;
}

/** Copies a parameter with its secret flag, type, rules, and values in all environments. */
@Injectable()
export class ParameterCopies {
  constructor(
    private readonly values: ValueCopies,
    private readonly references: ReferenceCopies,
  ) {}

  copy(caller: Caller, source: ParameterLocation, input: ParameterCopy): Command<ParameterLocation> {
    return {
      operation: 'projects_parameters_copy_create',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller, em } = context;
        const { organizationId } = caller;
        await owningProject(em, caller, source.projectId);
        await findParameter(em, { organizationId, ...source, permissions: caller });
        const target = await resolveTarget(em, caller, input.project);
        await assertAccessNotWidened(em, caller, source.projectId, target);
        await assertParameterNames(target, [input.name]);
        await assertNewNames(em, parameterNameScope({ organizationId, projectId: target.id }), [input.name]);
        await assertCopySize(em, caller, { noun: 'parameter', ids: [source.id] }, 1);
        const project = { id: target.id, name: target.name };
        const { name, description } = input;
        ignoreForbidden(caller, { project: project.name, environment: null, name });
        const copies = await translateViolations(
          copyParameters(context, organizationId, [{ sourceId: source.id, name, description, project }]),
          { parameter_name_taken: () => duplicateNameError('parameter', name) },
        );
        const values = await this.values.copy(context, caller, { noun: 'parameter', ids: [source.id] }, (context) => ({
          ...context,
          ...copies.get(context.parameter.id),
        }));
        await this.references.copy(em, caller, {
          values,
          parameters: listCopiedIds(copies),
          scopes: new Map([[source.projectId, target.id]]),
          newNames: [name],
        });
        return { projectId: target.id, id: copies.get(source.id)?.parameter.id ?? '' };
      },
    };
  }
}

async function resolveTarget(em: EntityManager, caller: Caller, link: string): Promise<Target> {
  const id = idFromLink('project', 'projects', link);
  const [target] = await em.query<Target[]>(
    'select id, name, parameter_name_pattern as pattern from project where organization_id = $1 and id = $2',
    [caller.organizationId, id],
  );
  if (!target) throw unknownLinkError('project', 'projects');
  assertAbilityOnScope(caller, 'write', id);
  return target;
}
