import { pathId } from '../../platform/http/links.ts';
import type { Call } from '../../platform/http/request.ts';
import type { ParameterKey } from './parameters.reader.ts';

/** The ids in the path of a parameter, or of an object below it. */
export interface ParameterPath {
  readonly project: string;
  readonly parameter: string;
}

export function parameterKey({ caller }: Call, { project, parameter }: ParameterPath): ParameterKey {
  return {
    organizationId: caller.organizationId,
    permissions: caller,
    projectId: pathId('Project', project),
    id: pathId('Parameter', parameter),
  };
}
