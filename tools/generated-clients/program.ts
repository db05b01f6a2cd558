// A small program against types that were generated from docs/openapi.json; tools/generated-clients.spec.ts type-checks it.
import type { components, paths } from './api.d.ts';

type Shapes = components['schemas'];

export const minimal: readonly [
  Shapes['EnvironmentCopy'],
  Shapes['ProjectCopy'],
  Shapes['ValueCreate'],
  Body<'/api/v1/projects/', 'post'>,
  Body<'/api/v1/projects/{project_pk}/parameters/', 'post'>,
  Body<'/api/v1/revert/', 'post'>,
] = [
  { name: 'copy' },
  { name: 'copy', child_project_names: { web: 'web-2' }, depends_on: null },
  { environment: '0b9f0000-0000-4000-8000-000000000000', internal_value: '8080' },
  { name: 'web' },
  { name: 'PORT' },
  { to: { revision: 1 }, scope: { project: 'web' } },
];

/** Optional members may be missing, as for programs that were generated from the earlier description. */
export function describeResult(parameter: Shapes['Parameter'], template: Shapes['Template']): string {
  const secret: boolean | undefined = parameter.secret;
  const body: string | undefined = template.body;
  const id: string = parameter.id;
  // @ts-expect-error: `secret` may be missing
  const certain: boolean = parameter.secret;
  return `${id} ${secret} ${certain} ${body?.length}`;
}

/** Each shape of an error can be distinguished from the others. */
export function describeError(error: Shapes['RefusedRequest'] | Shapes['RefusedEvaluation']): string {
  if (Array.isArray(error)) return error.join('; ');
  const { detail } = error;
  if (typeof detail === 'string') return detail;
  if (detail === undefined) return Object.values(error).flat().join('; ');
  return detail.map((entry) => (typeof entry === 'string' ? entry : entry.error_detail)).join('; ');
}

type Responses<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  readonly responses: infer Described;
}
  ? Described
  : never;

/** The JSON request body of an operation. */
type Body<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Described } };
}
  ? Described
  : never;

/** The description includes the statuses that a program must handle. */
export const expected: readonly [
  keyof Pick<Responses<'/api/v1/auth/token/', 'post'>, 403 | 429 | 503>,
  keyof Pick<Responses<'/api/v1/serviceaccounts/', 'post'>, 409 | 422>,
  keyof Pick<Responses<'/api/v1/invitations/{id}/accept/', 'post'>, 401 | 403>,
] = [403, 409, 403];
