import { COPY_ENVIRONMENT, COPY_PARAMETER, COPY_PROJECT } from '@strata/contract';
import { created } from '../../../platform/http/answer.ts';
import { pathId } from '../../../platform/http/links.ts';
import { readBack } from '../../../platform/http/read-back.ts';
import { actionController } from '../../../platform/http/resource-controller.ts';
import { presentEnvironment } from '../../environments/environments.presenter.ts';
import { ParametersReader } from '../../parameters/parameters.reader.ts';
import { presentProject } from '../../projects/projects.presenter.ts';
import { EnvironmentCopies } from './environment-copies.ts';
import { ParameterCopies } from './parameter-copies.ts';
import { ProjectCopies } from './project-copies.ts';

/** What is shown of a parameter that was copied: its values in all environments, evaluated. */
const AS_COPIED = { evaluate: true, immediate_parameters: false, mask_secrets: false };

export const CopiesController = actionController(
  'CopiesController',
  { environment: COPY_ENVIRONMENT, project: COPY_PROJECT, parameter: COPY_PARAMETER },
  { environments: EnvironmentCopies, projects: ProjectCopies, parameters: ParameterCopies, reader: ParametersReader },
  ({ environments, projects, parameters, reader, unitOfWork }) => ({
    environment: async ({ call, caller, path, input }) => {
      const source = pathId('Environment', path.id ?? '');
      const { result, revision } = await unitOfWork.run(environments.copy(caller, source, input));
      return created(call, revision, presentEnvironment(result, call.links));
    },
    project: async ({ call, caller, path, input }) => {
      const source = pathId('Project', path.id ?? '');
      const { result, revision } = await unitOfWork.run(projects.copy(caller, source, input));
      return created(call, revision, presentProject(result, call));
    },
    parameter: async ({ call, caller, path, input }) => {
      const source = {
        projectId: pathId('Project', path.project_pk ?? ''),
        id: pathId('Parameter', path.id ?? ''),
      };
      const { result, revision } = await unitOfWork.run(parameters.copy(caller, source, input));
      const key = { organizationId: caller.organizationId, permissions: caller, ...result };
      // dynamic values are evaluated by a worker, which nobody waits for inside a write
      const { row } = await readBack(revision, (at) => reader.one(key, AS_COPIED, call.links, at));
      return created(call, revision, row);
    },
  }),
);
