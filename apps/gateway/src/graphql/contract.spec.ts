import {
  EffectiveQuery,
  EnvironmentPatch,
  GroupCreate,
  LIMITS,
  ParameterListQuery,
  TagListQuery,
  WebhookPatch,
} from '@strata/contract';
import * as fc from 'fast-check';
import { z } from 'zod';
import { idsIn, nodeIdOf, readNodeId } from '../node.ts';
import { argsOf } from './args.ts';
import { type Input, inputOf } from './inputs.ts';
import { filled, operation, pathOf } from './operations.ts';
import { leftOut, shape } from './shape.ts';
import { camel, nameOfLink, slotOf } from './slots.ts';

describe('names', () => {
  it.each`
    rest                 | graphql
    ${'name'}            | ${'name'}
    ${'created_at'}      | ${'createdAt'}
    ${'name__icontains'} | ${'nameIcontains'}
    ${'t1_as_of'}        | ${'t1AsOf'}
    ${'aws_account_id'}  | ${'awsAccountId'}
  `('$rest is $graphql', ({ rest, graphql }) => {
    expect(camel(rest)).toBe(graphql);
  });

  it('of links say that they hold ids', () => {
    expect([nameOfLink('depends_on', false), nameOfLink('referenced_projects', true)]).toEqual([
      'dependsOnId',
      'referencedProjectIds',
    ]);
  });
});

describe('a member of a shape', () => {
  it.each`
    what                       | key             | schema                                                       | slot
    ${'text'}                  | ${'name'}       | ${z.string()}                                                | ${{ kind: { is: 'text' }, list: false, nullable: false }}
    ${'an id'}                 | ${'project_id'} | ${z.string().nullable()}                                     | ${{ kind: { is: 'id' }, list: false, nullable: true }}
    ${'a link'}                | ${'parent'}     | ${z.string().meta({ format: 'uri' }).nullable()}             | ${{ kind: { is: 'link' }, list: false, nullable: true }}
    ${'links'}                 | ${'children'}   | ${z.array(z.string().meta({ format: 'uri' }))}               | ${{ kind: { is: 'link' }, list: true, nullable: false }}
    ${'an instant'}            | ${'at'}         | ${z.string().meta({ format: 'date-time' })}                  | ${{ kind: { is: 'time' }, list: false, nullable: false }}
    ${'a count'}               | ${'total'}      | ${z.int()}                                                   | ${{ kind: { is: 'count' }, list: false, nullable: false }}
    ${'a flag with a default'} | ${'force'}      | ${z.preprocess((given) => given, z.boolean()).default(true)} | ${{ kind: { is: 'flag' }, list: false, nullable: true }}
    ${'words'}                 | ${'types'}      | ${z.array(z.enum(['a', 'b']))}                               | ${{ kind: { is: 'word', words: ['a', 'b'] }, list: true, nullable: false }}
    ${'texts by name'}         | ${'tags'}       | ${z.record(z.string(), z.string())}                          | ${{ kind: { is: 'map' }, list: false, nullable: false }}
  `('may be $what', ({ key, schema, slot }) => {
    expect(slotOf(key, schema)).toEqual(slot);
  });

  it('that nobody has said anything of is a mistake of ours', () => {
    const schema = z.object({ said: z.string(), unsaid: z.string(), left: z.string() });

    expect(() => shape('Unsaid', 'It.', schema, { said: 'It.', left: leftOut('no reason') } as never)).toThrow(
      'unsaid',
    );
  });
});

describe('an input', () => {
  let environment: Input;
  beforeAll(() => {
    const sayings = { name: '.', description: '.', parent: '.', access_controlled: '.', as_of: '.' };
    environment = inputOf('SpecEnvironmentInput', 'It.', EnvironmentPatch, sayings);
  });

  it('leaves out what was left out, and a null where the core knows of none', () => {
    expect(environment.body({ name: 'qa', description: null })).toEqual({ name: 'qa' });
  });

  it('keeps a null that means "nothing", and calls a link by its name in REST', () => {
    expect(environment.body({ parentId: null })).toEqual({ parent: null });
    expect(environment.body({ parentId: 'x' })).toEqual({ parent: 'x' });
  });

  it('knows lists of links, and inputs in inputs', () => {
    const group = inputOf('SpecGroupInput', 'It.', GroupCreate, { name: '.', description: '.', users: '.' });
    const sayings = {
      name: '.',
      event_types: '.',
      type: '.',
      configuration: '.',
      organization: null,
      token: '.',
      channel: '.',
      username: '.',
    };
    const webhook = inputOf('SpecWebhookInput', 'It.', WebhookPatch, sayings);

    expect(group.body({ name: 'team', userIds: ['a'] })).toEqual({ name: 'team', users: ['a'] });
    expect(webhook.body({ configuration: { channel: 'C1', token: null } })).toEqual({
      configuration: { channel: 'C1' },
    });
  });

  it('needs a word for every member', () => {
    expect(() => inputOf('SpecSilentInput', 'It.', EnvironmentPatch, { name: '.' })).toThrow(
      'says nothing of description',
    );
  });
});

describe('arguments', () => {
  const list = argsOf(ParameterListQuery, { paged: true });

  it('mask secrets unless they are to be revealed', () => {
    expect(list.query({})).toMatchObject({ mask_secrets: true });
    expect(list.query({ reveal: true })).toMatchObject({ mask_secrets: false });
  });

  it('tell the point in time; a tag with its environment', () => {
    expect(list.moment({ asOf: 'then', environment: 'qa', name: 'x' })).toEqual({ as_of: 'then' });
    expect(list.moment({ tag: 'v1', environment: 'qa' })).toEqual({ tag: 'v1', environment: 'qa' });
    expect(argsOf(TagListQuery).moment({ tag: 'v1' })).toEqual({});
    expect(argsOf(EffectiveQuery).moment({ revision: 0 })).toEqual({ revision: 0 });
  });

  it('are those of REST in its own order of things', () => {
    expect(list.query({ nameIcontains: 'a', idIn: ['x', 'y'], difference: ['a', 'b'] })).toMatchObject({
      name__icontains: 'a',
      id__in: ['x', 'y'],
      difference: ['a', 'b'],
    });
    expect(LIMITS.idsPerRequest).toBeGreaterThan(0);
  });
});

describe('paths', () => {
  it('call ids by their nouns', () => {
    expect(pathOf(operation('environments_tags_retrieve'))).toBe('environments/{environmentId}/tags/{id}/');
    expect(pathOf(operation('webhooks_deliveries_retrieve'))).toBe('webhooks/{webhookId}/deliveries/{deliveryId}/');
    expect(pathOf(operation('types_rules_list'))).toBe('types/{typeId}/rules/');
  });

  it('cannot be left by what a client calls an id', () => {
    expect(filled('projects/{id}/', { id: '../users/current?x=' })).toBe('projects/..%2Fusers%2Fcurrent%3Fx%3D/');
    expect(filled('integrations/{provider}/', { provider: 'aws/../../users' })).toBe('integrations/unknown/');
  });

  it('are found again in links, and in nodeIds of any ids', () => {
    const pattern = 'integrations/{provider}/{}/pulls/{}/';
    expect(idsIn('http://x/api/v1/integrations/azure/key_vault/a/pulls/b/', pattern)).toEqual([
      'azure_key_vault',
      'a',
      'b',
    ]);
    expect(idsIn('http://x/api/v1/users/auth0%7C1/', 'users/{}/')).toEqual(['auth0|1']);
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 }), (path) => {
        expect(readNodeId(nodeIdOf('Tag', ...path))).toEqual({ type: 'Tag', path });
      }),
    );
  });
});
