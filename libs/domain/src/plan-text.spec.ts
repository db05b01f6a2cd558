import { type PrintedPlan, planText } from './plan-text.ts';

const PLAN: PrintedPlan = {
  totals: {
    changes: 2,
    effective_changes: 5,
    uncovered: 2,
    refusals: 2,
    blocking_references: 1,
    access: 1,
    expirations: 1,
    webhooks: 1,
    closed_projects: 1,
    closed_environments: 0,
    closed_references: 2,
  },
  changes: [
    {
      action: 'delete',
      object_type: 'Value',
      object_name: 'HOST',
      project_name: 'web',
      environment_name: 'default',
      last_read_at: '2024-05-01T10:00:00.000000Z',
      last_read_by: { name: 'ci-shop' },
    },
    {
      action: 'create',
      object_type: 'Environment',
      object_name: 'canary',
      project_name: null,
      environment_name: 'canary',
      last_read_at: null,
      last_read_by: null,
    },
  ],
  effective_changes: [
    change('default', 'HOST', 'changed', 'a', 'two\nlines'),
    change('default', 'NEW', 'added', null, null),
    change('default', 'TOKEN', 'changed', '*****', '*****'),
    change('production', 'OLD', 'removed', 'x', null),
  ],
  uncovered: [
    { reason: 'not_evaluated', project_name: 'web', environment_name: 'default', name: 'URL' },
    { reason: 'template', project_name: 'web', environment_name: null, name: 'nginx' },
  ],
  refusals: [
    { index: 3, status: 409, code: 'parameter_is_referenced', error: { detail: 'It is referenced.' } },
    { index: 4, status: null, code: 'skipped', error: { detail: 'It refers to x.' } },
  ],
  blocking_references: [{ index: 3, project_name: 'web', text: 'URL in default' }],
  access: [{ person: 'Ada', scope_type: 'project', scope_name: 'web', before: 'CONTRIB', after: null }],
  expirations: [{ project_name: 'web', environment_name: 'default', name: 'TOKEN', expires: 'P30D' }],
  webhooks: [{ name: 'releases' }],
};

function change(environment: string, name: string, kind: string, before: string | null, after: string | null) {
  return {
    project_id: 'p',
    project_name: 'web',
    environment_id: environment,
    environment_name: environment,
    parameter_name: name,
    kind,
    before,
    after,
    masked: before === '*****',
  };
}

it('equal plans have equal texts', () => {
  expect(planText(PLAN)).toBe(`Effective changes: 5
  web / default
    ~ HOST: "a" -> "two\\nlines"
    + NEW: null
    ~ TOKEN: "*****" -> "*****"
  web / production
    - OLD: "x"
  and 1 more
Changes of objects: 2
  delete Value HOST in web / default (last read by ci-shop at 2024-05-01T10:00Z)
  create Environment canary
Rejected operations: 2
  operation 3: 409 parameter_is_referenced "It is referenced."
  operation 4: skipped "It refers to x."
Blocking references: 1
  operation 3: URL in default of web
Not compared: 2
  web / default / URL: not_evaluated
  web / nginx: template
Access: 1
  Ada on project web: CONTRIB -> none
Renewed expirations: 1
  web / default / TOKEN: P30D
Notified webhooks: 1
  releases
Not shown, because you have no access: 1 projects, 2 references
`);
});

it('the text of a plan lists what a revert does not restore', () => {
  const location = { project_id: 'p', environment_id: null, parameter_id: null, parameter_name: null };
  const object = { ...location, object_id: '1', project_name: 'web', environment_name: 'default' };
  const text = planText({
    ...PLAN,
    totals: { ...PLAN.totals, conflicts: 3, not_revertible: 1 },
    conflicts: [
      { ...object, object_type: 'Value', object_name: 'HOST', code: 'changed_since', detail: 'It was\nchanged.' },
      {
        ...object,
        ...{ object_type: null, object_id: null, object_name: null, project_name: null, environment_name: null },
        ...{ code: 'forbidden', detail: 'Ask.' },
      },
    ],
    not_revertible: [
      {
        ...object,
        ...{
          action: 'create',
          object_type: 'Tag',
          object_name: 'v1',
          project_name: null,
          reason: 'It marks an instant.',
        },
      },
    ],
  });
  expect(text).toContain(`
Not restored: 3
  Value HOST in web / default: changed_since "It was\\nchanged."
  an object that you cannot access: forbidden "Ask."
  and 1 more
Not revertible: 1
  create Tag v1 in default: "It marks an instant."
Blocking`);
});

it('the text of a plan says that no effective value changes', () => {
  const none = {
    ...PLAN,
    totals: Object.fromEntries(Object.keys(PLAN.totals).map((name) => [name, 0])) as unknown as PrintedPlan['totals'],
  };
  expect(planText(none)).toBe('No effective values change.\n');
});
