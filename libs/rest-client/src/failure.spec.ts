import { Failure } from '@strata/domain';
import { toFailure, UnexpectedResponseError } from './failure.ts';

const createFailure = (status: number, body: unknown, code: string | null = null, retryAfter: string | null = null) =>
  toFailure({
    status,
    code,
    rules: null,
    retryAfter,
    requestId: 'r1',
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('toFailure', () => {
  it.each`
    status | code                | kind
    ${400} | ${'invalid'}        | ${'invalid'}
    ${401} | ${'x'}              | ${'unauthenticated'}
    ${403} | ${'forbidden'}      | ${'forbidden'}
    ${403} | ${'bad_credential'} | ${'bad_credential'}
    ${404} | ${'not_found'}      | ${'not_found'}
    ${405} | ${'x'}              | ${'method_not_allowed'}
    ${409} | ${'duplicate_name'} | ${'conflict'}
    ${410} | ${'cursor_gone'}    | ${'cursor_gone'}
    ${412} | ${'x'}              | ${'precondition_failed'}
    ${413} | ${'x'}              | ${'too_large'}
    ${415} | ${'x'}              | ${'unsupported_media_type'}
    ${429} | ${'x'}              | ${'limited'}
    ${503} | ${'x'}              | ${'unavailable'}
  `('maps $status $code to $kind', ({ status, code, kind }) => {
    const failure = createFailure(status, { detail: 'Why.' }, code);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ kind, code, message: 'Why.', shape: 'detail', problems: [] });
  });

  it('keeps the fields', () => {
    expect(createFailure(400, { name: ['Taken.', 'Short.'], parent: ['Gone.'] }, 'duplicate_name')).toMatchObject({
      code: 'duplicate_name',
      shape: 'fields',
      message: 'Taken. Short. Gone.',
      problems: [
        { field: 'name', message: 'Taken.' },
        { field: 'name', message: 'Short.' },
        { field: 'parent', message: 'Gone.' },
      ],
    });
  });

  it('keeps the params of a stale version and of an outdated plan', () => {
    const data = { pointer: '', detail: 'It was changed.', params: { names: ['PORT'] } };
    expect(createFailure(412, { ...data, code: 'precondition_failed' }, 'precondition_failed')).toMatchObject({
      message: 'It was changed.',
      params: { names: ['PORT'] },
    });
    const outdated = { ...data, code: 'plan_outdated', params: { parts: ['objects'] }, plan: {}, difference: {} };
    expect(createFailure(412, outdated, 'plan_outdated')).toMatchObject({ params: { parts: ['objects'] } });
  });

  it('reads the error of a parameter that is called like a member of its operation', () => {
    const error = { code: 'invalid', pointer: '/operations/0/set/values/values', params: {}, detail: 'Not a number.' };
    const operations = [{ ...error, index: 0, status: 400, errors: [{ ...error, field: 'values' }] }];
    const body = { code: 'batch_failed', pointer: '', params: {}, detail: 'Rejected.', operations };
    expect(createFailure(400, body, 'batch_failed')).toMatchObject({
      problems: [{ field: 'operations.0.values', message: 'Not a number.' }],
    });
  });

  it('has no fields for texts that cannot be evaluated', () => {
    const error = { code: 'missing', pointer: '', params: { id: '1', name: 'LINK' }, detail: 'HOST is missing.' };
    const body = { code: 'evaluation_failed', pointer: '', params: {}, detail: 'HOST is missing.', errors: [error] };
    expect(createFailure(422, body, 'evaluation_failed')).toMatchObject({
      kind: 'unprocessable',
      message: 'HOST is missing.',
      shape: 'detail',
      problems: [],
    });
  });

  it('keeps the problems of a batch that was rejected before any operation ran', () => {
    const message = '0.set.project: Enter a name.';
    expect(createFailure(400, { operations: [message] }, 'invalid')).toMatchObject({
      code: 'invalid',
      message,
      problems: [{ field: 'operations', message }],
    });
  });

  it('reads errors as data, with the same messages as the plain body', () => {
    const data = { code: 'required', pointer: '/configuration/token', params: {}, detail: 'Required.' };
    const errors = [{ ...data, field: 'configuration' }];
    const message = 'token: Required.';
    expect(createFailure(400, { status: 400, ...data, errors }, 'required')).toMatchObject({
      ...{ shape: 'fields', message, pointer: '/configuration/token' },
      problems: [{ ...data, field: 'configuration', message }],
    });
  });

  it('reads rejected operations and conflicts as data', () => {
    const error = {
      code: 'unknown_parameter',
      pointer: '/operations/3/set/values/A',
      params: { name: 'A' },
      detail: 'No A.',
    };
    const changeset = { code: error.code, pointer: '', params: { rejected: 1, count: 4 }, detail: '1 of 4.' };
    const operations = [{ index: 3, ...error, errors: [{ ...error, field: 'A' }] }];
    expect(createFailure(404, { ...changeset, operations }, error.code)).toMatchObject({
      message: '1 of 4.',
      problems: [{ field: 'operations.3.A', message: 'No A.', params: { name: 'A' }, pointer: error.pointer }],
    });
    const conflicts = [{ code: 'changed_since', detail: 'It was changed.' }];
    const revert = { code: 'revert_conflicts', pointer: '', params: {}, detail: 'One object: It was changed.' };
    expect(createFailure(409, { ...revert, conflicts }, 'revert_conflicts')).toMatchObject({
      message: revert.detail,
      problems: [{ field: 'conflicts.0', code: 'changed_since', message: 'It was changed.' }],
    });
  });

  it('keeps the current plan and the difference', () => {
    const body = { detail: 'Plan again.', plan: { plan_hash: 'p' }, difference: { parts: ['objects'] } };
    expect(createFailure(412, body, 'plan_outdated')).toMatchObject({
      kind: 'precondition_failed',
      message: 'Plan again.',
      plan: body.plan,
      difference: body.difference,
    });
  });

  it('keeps the list', () => {
    expect(createFailure(400, ['No such parameter.'], 'unknown_reference')).toMatchObject({
      shape: 'list',
      problems: [{ field: 'non_field_errors', message: 'No such parameter.' }],
    });
  });

  it('parses the details of a template that cannot be evaluated', () => {
    expect(createFailure(422, { detail: [{ parameter_name: 'p', error_detail: 'Loop.' }] }).message).toBe('Loop.');
  });

  it('accepts an error response that is not from the core', () => {
    expect(createFailure(503, '<html>Bad gateway</html>', null, '7')).toMatchObject({
      kind: 'unavailable',
      code: 'unavailable',
      retryAfterSeconds: 7,
    });
  });

  it('reports a bug of the core as such', () => {
    const failure = createFailure(500, { detail: 'Something went wrong.' });
    expect(failure).toBeInstanceOf(UnexpectedResponseError);
    expect(failure.message).toBe('The core answered 500 to request r1.');
  });
});
