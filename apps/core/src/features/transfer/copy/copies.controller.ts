import { COPY_ENVIRONMENT, COPY_PARAMETER, COPY_PROJECT } from '@strata/contract';
import { actionController } from '../../../platform/http/action-controller.ts';
import { pathId } from '../../../platform/http/links.ts';
import { readBack } from '../../../platform/http/read-back.ts';
import { sendCreated } from '../../../platform/http/send-json.ts';
import type { WriteResult } from '../../../platform/ledger/command.ts';
import { presentEnvironment } from '../../environments/environments.presenter.ts';
import type { EnvironmentRow } from '../../environments/environments.reader.ts';
import { type ParameterLocation, ParametersReader } from '../../parameters/parameters.reader.ts';
import { presentProject } from '../../projects/projects.presenter.ts';
import type { ProjectRow } from '../../projects/projects.reader.ts';
import { EnvironmentCopies } from './environment-copies.ts';
import { ParameterCopies } from './parameter-copies.ts';
import { ProjectCopies } from './project-copies.ts';

/** The response to a copy contains the parameter's values in all environments, evaluated. */
const AS_COPIED = { evaluate: true, immediate_parameters: false, mask_secrets: false };

export const CopiesController = actionController(
  'CopiesController',
  { environment: COPY_ENVIRONMENT, project: COPY_PROJECT, parameter: COPY_PARAMETER },
  { environments: EnvironmentCopies, projects: ProjectCopies, parameters: ParameterCopies, reader: ParametersReader },
  ({ environments, projects, parameters, reader }) => ({
    environment: {
      command: ({ caller, path, input }) => environments.copy(caller, pathId('Environment', path.id ?? ''), input),
      answer: ({ call }, { result, revision }: WriteResult<EnvironmentRow>) =>
        sendCreated(call, revision, presentEnvironment(result, call.links)),
    },
    project: {
      command: ({ caller, path, input }) => projects.copy(caller, pathId('Project', path.id ?? ''), input),
      answer: ({ call }, { result, revision }: WriteResult<ProjectRow>) =>
        sendCreated(call, revision, presentProject(result, call)),
    },
    parameter: {
      command: ({ caller, path, input }) => {
        const projectId = pathId('Project', path.project_pk ?? '');
        return parameters.copy(caller, { projectId, id: pathId('Parameter', path.id ?? '') }, input);
      },
      answer: async ({ call, caller }, { result, revision }: WriteResult<ParameterLocation>) => {
        const key = { organizationId: caller.organizationId, permissions: caller, ...result };
        // A worker thread evaluates dynamic values. The write must not wait for it, so the parameter is read after the
        // commit.
        const { row } = await readBack(revision, (at) => reader.readOne(key, AS_COPIED, call.links, at));
        return sendCreated(call, revision, row);
      },
    },
  }),
);
