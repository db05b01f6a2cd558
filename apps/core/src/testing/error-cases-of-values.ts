import type { Explanation, Page, Value } from '@strata/contract';
import { type ErrorCases, onField } from './error-case.ts';
import { waitUntil } from './until.ts';

/** Errors of values and their rules: E40 to E54. */
export const VALUES: ErrorCases = {
  E40: [
    'a text that is not an integer',
    async ({ typed, setting }) => setting(await typed('integer'), 'x'),
    400,
    onField('internal_value'),
    'integer',
  ],
  E41a: [
    'a value below the minimum',
    async ({ typed, rule, setting }) => {
      const parameter = await typed('integer');
      await rule(parameter, 'min', '10');
      return setting(parameter, '9');
    },
    400,
    onField('internal_value'),
    '10',
  ],
  E41b: [
    'a value above the maximum of its type or of the parent type',
    async ({ owner, rule, ports }) => {
      const { b, web } = await ports();
      await rule(web, 'max', '80');
      const list = await owner.get<{ results: Value[] }>(`${b.url}values/`);
      return owner.patch(list.body.results[0]?.url ?? '', { internal_value: '91' });
    },
    400,
    onField('internal_value'),
    '80',
  ],
  E42a: [
    'a value that is too short',
    async ({ typed, rule, setting }) => {
      const parameter = await typed('string');
      await rule(parameter, 'min_len', '3');
      return setting(parameter, 'ab');
    },
    400,
    onField('internal_value'),
    '3',
  ],
  E42b: [
    'a value that is too long',
    async ({ typed, rule, setting }) => {
      const parameter = await typed('string');
      await rule(parameter, 'max_len', '3');
      return setting(parameter, '🎉🎉🎉🎉');
    },
    400,
    onField('internal_value'),
    '3',
  ],
  E43: [
    'a value that does not match the pattern',
    async ({ typed, rule, setting }) => {
      const parameter = await typed('string');
      await rule(parameter, 'regex', '[a-z]+');
      return setting(parameter, '7up');
    },
    400,
    onField('internal_value'),
    '[a-z]+',
  ],
  E44: [
    'a dynamic secret',
    async ({ organization, setting }) =>
      setting(await organization.parameter({ secret: true }), '{{ x }}', { interpolated: true }),
    400,
    onField('interpolated'),
  ],
  E45: [
    'a second value in one environment',
    async ({ typed, setting }) => {
      const parameter = await typed('string', 'first');
      return setting(parameter, 'second');
    },
    400,
    onField('non_field_errors'),
  ],
  E46: [
    'external content with an unknown provider',
    async ({ organization, setting }) =>
      setting(await organization.parameter(), undefined, { external: true, external_fqn: 'nowhere://a/b' }),
    [400, 404],
    'detail',
  ],
  E47: [
    'external content without an integration',
    async ({ organization, setting }) =>
      setting(await organization.parameter(), undefined, { external: true, external_fqn: 'github://a/b/main/c' }),
    [400, 404],
    'detail',
    '`github://a/b/main/c`',
  ],
  E48: [
    'external content that was never fetched',
    async ({ organization, aws, setting }) => {
      const { fqn } = await aws();
      return setting(await organization.parameter(), undefined, { external: true, external_fqn: `${fqn}/ssm/port` });
    },
    404,
    'detail',
    '`aws://123456789012/strata/ssm/port`',
  ],
  E49: [
    'an external value with text',
    async ({ organization, setting }) =>
      setting(await organization.parameter(), 'x', { external: true, external_fqn: 'github://a/b/main/c' }),
    400,
    onField('internal_value'),
  ],
  E50: [
    'a rule that the type does not support',
    async ({ owner, ports }) => owner.post(`${(await ports()).a.url}rules/`, { type: 'min_len', constraint: '-1' }),
    400,
    'array',
    'min_len',
    'port_t',
  ],
  'E51, type': [
    'a rule of a type that existing values violate',
    async ({ owner, ports }) => owner.patch((await ports()).limit.url, { constraint: '44' }),
    400,
    'array',
    'port_t',
    'a, b',
    '44',
  ],
  'E51, parameter': [
    'a rule of a parameter that existing values violate',
    async ({ owner, ports }) => owner.post(`${(await ports()).a.url}rules/`, { type: 'max', constraint: '44' }),
    400,
    'array',
    'a',
    '44',
  ],
  E51b: [
    'a second rule of the same kind',
    async ({ owner, ports }) => owner.post(`${(await ports()).port.url}rules/`, { type: 'max', constraint: '90' }),
    400,
    onField('type'),
  ],
  E52: [
    'a maximum below the minimum',
    async ({ owner, typed, rule }) => {
      const parameter = await typed('integer');
      await rule(parameter, 'min', '10');
      return owner.post(`${parameter.url}rules/`, { type: 'max', constraint: '9' });
    },
    400,
    'array',
    '10',
  ],
  E53: [
    'a type with a weaker rule than its parent',
    async ({ owner, ports }) => owner.post(`${(await ports()).web.url}rules/`, { type: 'max', constraint: '101' }),
    400,
    'array',
    '100',
  ],
  E54: [
    'a value that a service account read recently',
    async ({ owner, organization, typed }) => {
      const path = `organizations/${organization.id}/`;
      const { url, name } = await typed('string', 'a');
      await owner.patch(path, { read_protection_minutes: 5 });
      const [project] = /projects\/[^/]+\//.exec(url) ?? [];
      await organization.as('VIEWER').get(`${project}effective/?environment=default`);
      await waitUntil(
        () => owner.get<Page<Explanation>>(`${project}explain/?name=${name}&environment=default`),
        ({ body }) => body.results[0]?.last_read_at !== null,
      );
      return owner.delete(url);
    },
    400,
    'detail',
    'force=true',
  ],
};
