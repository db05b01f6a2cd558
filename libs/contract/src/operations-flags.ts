import { FlagEvaluation, FlagEvaluationRequest, FlagSet } from './flag.ts';
import { operation, operations } from './operation.ts';

/** The base URL of the protocol. Providers append `/ofrep/v1/…`, without a final slash. */
const FLAGS = '/api/v1/projects/{project}/environments/{environment}/ofrep/v1/evaluate/flags/';

const evaluating = {
  method: 'post',
  tag: 'flags',
  requires: 'read',
  body: FlagEvaluationRequest,
  bodyAs: 'json',
  bodyOptional: true,
  status: 200,
  errorStatuses: [],
  protocol: 'ofrep',
} as const;

export const EVALUATE_FLAGS = operation({
  ...evaluating,
  id: 'flags_evaluate',
  path: FLAGS,
  summary: 'Evaluate all flags (OpenFeature Remote Evaluation Protocol)',
  description:
    'Returns each parameter of a project, in one environment, as a flag with a value of its type. Secret parameters, and dynamic values that depend on a secret, are not flags. A value that cannot be evaluated is an entry with `errorCode`. `ETag` depends on the flags only, not on the revision.',
  response: FlagSet,
  conditional: true,
});

export const EVALUATE_FLAG = operation({
  ...evaluating,
  id: 'flags_evaluate_one',
  path: `${FLAGS}{key}/`,
  summary: 'Evaluate one flag (OpenFeature Remote Evaluation Protocol)',
  description: 'Returns the value of one parameter in one environment. A value that cannot be evaluated returns 400.',
  response: FlagEvaluation,
});

export const flagOperations = operations([EVALUATE_FLAGS, EVALUATE_FLAG]);
