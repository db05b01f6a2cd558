import { type CheckedResponse, ContractViolationError, contractCheck } from './contract.ts';

const ORIGIN = 'http://127.0.0.1:3000/api/v1';
const ENVIRONMENT = {
  url: `${ORIGIN}/environments/e/`,
  id: 'e',
  ledger_id: 'l',
  name: 'production',
  description: '',
  parent: null,
  children: [],
  access_controlled: false,
  role: null,
  created_at: '2026-01-01T00:00:00.000001Z',
  modified_at: '2026-01-01T00:00:00.000001Z',
};

const JSON_TYPE = { 'content-type': 'application/json' };

const shared = contractCheck();

function createResponse(input: Partial<CheckedResponse>): CheckedResponse {
  const merged = {
    method: 'GET',
    path: '/api/v1/environments/e/',
    status: 200,
    headers: JSON_TYPE,
    body: null,
    ...input,
  };
  return { text: merged.body === null ? '' : JSON.stringify(merged.body), ...merged };
}

function verdict(input: Partial<CheckedResponse>): string {
  try {
    shared.check(createResponse(input));
    return 'fits';
  } catch (error) {
    if (error instanceof ContractViolationError) return error.message;
    throw error;
  }
}

describe('contractCheck', () => {
  it.each`
    method     | path                                           | id
    ${'GET'}   | ${'/api/v1/environments/'}                     | ${'environments_list'}
    ${'GET'}   | ${'/api/v1/environments?page=1'}               | ${'environments_list'}
    ${'GET'}   | ${'/api/v1/users/current/'}                    | ${'users_current_retrieve'}
    ${'GET'}   | ${'/api/v1/users/auth0%7C1/'}                  | ${'users_retrieve'}
    ${'PATCH'} | ${'/api/v1/projects/p/parameters/x/values/v/'} | ${'projects_parameters_values_partial_update'}
    ${'POST'}  | ${'/api/v1/serviceaccounts/s/rekey/'}          | ${'serviceaccounts_rekey_create'}
    ${'POST'}  | ${'/api/v1/webhooks/'}                         | ${'webhooks_create'}
    ${'GET'}   | ${'/api/v1/events/'}                           | ${'events_list'}
  `('identifies $method $path as $id', ({ method, path, id }) => {
    expect(shared.findOperationId(method, path)).toBe(id);
  });

  it('accepts a valid response and counts it', () => {
    const check = contractCheck();
    check.check(createResponse({ body: ENVIRONMENT }));
    check.check(createResponse({ body: { ...ENVIRONMENT, role: 'OWNER', parent: `${ORIGIN}/environments/d/` } }));
    expect([...check.checked]).toEqual([['environments_retrieve 200', 2]]);
  });

  it.each`
    flaw                              | input
    ${'an event page without cursor'} | ${{ path: '/api/v1/events/', body: { results: [], more: false } }}
    ${'a missing field'}              | ${{ body: { ...ENVIRONMENT, ledger_id: undefined } }}
    ${'a null that may not be'}       | ${{ body: { ...ENVIRONMENT, description: null } }}
    ${'a word that is not a role'}    | ${{ body: { ...ENVIRONMENT, role: 'owner' } }}
    ${'a link that is none'}          | ${{ body: { ...ENVIRONMENT, children: ['e2'] } }}
    ${'a time that is none'}          | ${{ body: { ...ENVIRONMENT, created_at: 'yesterday' } }}
    ${'a status of another verb'}     | ${{ status: 201, body: ENVIRONMENT }}
    ${'another media type'}           | ${{ body: ENVIRONMENT, headers: { 'content-type': 'text/html' } }}
    ${'201 without Location'}         | ${{ method: 'POST', path: '/api/v1/environments/', status: 201, body: ENVIRONMENT }}
    ${'204 with a body'}              | ${{ method: 'DELETE', status: 204, body: {} }}
    ${'an error without its code'}    | ${{ status: 404, body: { detail: 'No.' } }}
    ${'404 keyed by field'}           | ${{ status: 404, body: { name: ['No.'] }, headers: { 'x-error-code': 'x' } }}
    ${'an error without messages'}    | ${{ status: 400, body: {}, headers: { 'x-error-code': 'x' } }}
    ${'a status not described'}       | ${{ status: 409, body: { detail: 'No.' }, headers: { 'x-error-code': 'x' } }}
    ${'a message that is no list'}    | ${{ status: 400, body: { name: 'No.' }, headers: { 'x-error-code': 'x' } }}
  `('rejects $flaw', ({ input }) => {
    expect(verdict(input)).toContain('does not fit the contract');
  });

  it.each`
    answer                       | input
    ${'201 with Location'}       | ${{ method: 'POST', path: '/api/v1/environments/', status: 201, body: ENVIRONMENT, headers: { ...JSON_TYPE, location: ENVIRONMENT.url } }}
    ${'204 with nothing'}        | ${{ method: 'DELETE', status: 204, headers: {} }}
    ${'304'}                     | ${{ status: 304, headers: {} }}
    ${'an error by field'}       | ${{ status: 400, body: { name: ['No.'] }, headers: { 'x-error-code': 'x' } }}
    ${'an error as a list'}      | ${{ status: 400, body: ['No.'], headers: { 'x-error-code': 'x' } }}
    ${'an error with detail'}    | ${{ method: 'DELETE', status: 409, body: { detail: 'No.' }, headers: { 'x-error-code': 'x' } }}
    ${'an operation of our own'} | ${{ path: '/api/v1/events/?wait=1', body: { results: [], cursor: 'c', more: false } }}
    ${'what is no operation'}    | ${{ path: '/healthz', body: 'anything' }}
    ${'a part of the fields'}    | ${{ path: '/api/v1/projects/p/parameters/x/values/v/?include=id', body: { id: 'v' } }}
    ${'a stream'}                | ${{ path: '/api/v1/events/stream/', body: 'data', headers: { 'content-type': 'text/event-stream' } }}
    ${'an owner that is a name'} | ${{ path: '/api/v1/serviceaccounts/s/', body: serviceAccount() }}
    ${'a later version number'}  | ${{ path: '/api/v1/organizations/o/', body: organization() }}
  `('accepts $answer', ({ input }) => {
    expect(verdict(input)).toBe('fits');
  });
});

function serviceAccount() {
  const time = ENVIRONMENT.created_at;
  const user = {
    url: `${ORIGIN}/users/s/`,
    id: 's',
    type: 'service',
    name: 'ci',
    organization_name: 'o',
    membership_id: 'm',
    role: 'VIEWER',
    email: null,
    picture_url: null,
    created_at: time,
    modified_at: null,
  };
  const { url, id } = user;
  return { url, id, owner: 'dana', user, description: '', created_at: time, modified_at: null, last_used_at: null };
}

function organization() {
  return {
    url: `${ORIGIN}/organizations/o/`,
    id: 'o',
    name: 'o',
    project_name_pattern: '',
    maintenance: false,
    mfa_enabled: false,
    version: 4,
    current: true,
    role: 'OWNER',
    subscription_expires_at: null,
    subscription_features: [],
    subscription_id: null,
    subscription_plan_id: null,
    subscription_plan_name: null,
    created_at: ENVIRONMENT.created_at,
    modified_at: null,
  };
}
