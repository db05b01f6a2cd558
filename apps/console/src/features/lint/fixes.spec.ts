import { describeFixes, fixesFor, fixKey } from './fixes.ts';

const finding = (more: object = {}) => ({
  kind: 'redundant_override' as const,
  parameterId: 'p',
  valueId: 'v',
  environments: [{ environmentName: 'staging' }],
  operations: [{ operation: 'projects_parameters_values_destroy', path: { id: 'v' }, query: null, body: null }],
  ...more,
});

describe('fixes of findings', () => {
  it('are operations of a changeset, each included once, without empty fields', () => {
    const withBody = { operation: 'projects_update', path: { id: 'a' }, query: { x: '1' }, body: { name: 'b' } };

    expect(fixesFor([finding(), finding(), finding({ operations: [withBody] }), finding({ operations: [] })])).toEqual([
      { operation: 'projects_parameters_values_destroy', path: { id: 'v' } },
      withBody,
    ]);
  });

  it('are described, each once', () => {
    const named = (more: object = {}) => ({ ...finding(more), name: 'PORT', detail: 'PORT is odd.' });
    const removing = { operation: 'projects_parameters_destroy', path: {}, query: null, body: null };

    expect(
      describeFixes([
        named(),
        named(),
        named({ operations: [removing], environments: [] }),
        named({ operations: [{ ...removing, operation: 'projects_update' }] }),
      ]),
    ).toEqual(['Delete the value of PORT in staging', 'Delete the parameter PORT', 'Fix: PORT is odd.']);
  });

  it('belong to findings with keys of rule, parameter, value and location', () => {
    const several = [
      finding(),
      finding({ kind: 'expired_value' }),
      finding({ parameterId: 'q' }),
      finding({ valueId: null }),
      finding({ environments: [] }),
    ];

    expect(new Set(several.map(fixKey)).size).toBe(several.length);
    expect(fixKey(finding())).toBe(fixKey(finding()));
  });
});
