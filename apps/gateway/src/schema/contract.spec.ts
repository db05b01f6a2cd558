import {
  EffectiveQuery,
  EnvironmentPatch,
  findVocabulary,
  GroupCreate,
  LIMITS,
  ParameterListQuery,
  TagListQuery,
  vocabulary,
  WebhookPatch,
} from '@strata/contract';
import * as fc from 'fast-check';
import { z } from 'zod';
import { encodeNodeId, parseIds, readNodeId } from '../node.ts';
import { Assembly } from './assembly.ts';
import { type InputShape, inputType } from './input-type.ts';
import { describeMember } from './member.ts';
import { idFieldName, toCamelCase } from './names.ts';
import { omitMember } from './object-type.ts';
import { fillPath, operation, readablePath } from './operations.ts';
import { queryArgs } from './query-args.ts';
import { SchemaBuild } from './schema-build.ts';

const build = new SchemaBuild();

describe('GraphQL names', () => {
  it.each`
    rest                 | graphql
    ${'name'}            | ${'name'}
    ${'created_at'}      | ${'createdAt'}
    ${'name__icontains'} | ${'nameIcontains'}
    ${'t1_as_of'}        | ${'t1AsOf'}
    ${'aws_account_id'}  | ${'awsAccountId'}
  `('are in camel case: $graphql for $rest', ({ rest, graphql }) => {
    expect(toCamelCase(rest)).toBe(graphql);
  });

  it('end in Id or Ids for links', () => {
    expect([idFieldName('depends_on', false), idFieldName('referenced_projects', true)]).toEqual([
      'dependsOnId',
      'referencedProjectIds',
    ]);
  });
});

const WORDS = vocabulary(['a', 'b'], { name: 'Letter', description: 'A letter.', meaning: (word) => `It is ${word}.` });

describe('a member of a shape', () => {
  it.each`
    what                       | key             | schema                                                     | slot
    ${'text'}                  | ${'name'}       | ${z.string()}                                              | ${{ kind: { is: 'text' }, list: false, nullable: false }}
    ${'an id'}                 | ${'project_id'} | ${z.string().nullable()}                                   | ${{ kind: { is: 'id' }, list: false, nullable: true }}
    ${'a link'}                | ${'parent'}     | ${z.string().meta({ format: 'uri' }).nullable()}           | ${{ kind: { is: 'link' }, list: false, nullable: true }}
    ${'links'}                 | ${'children'}   | ${z.array(z.string().meta({ format: 'uri' }))}             | ${{ kind: { is: 'link' }, list: true, nullable: false }}
    ${'an instant'}            | ${'at'}         | ${z.string().meta({ format: 'date-time' })}                | ${{ kind: { is: 'time' }, list: false, nullable: false }}
    ${'a count'}               | ${'total'}      | ${z.int()}                                                 | ${{ kind: { is: 'count' }, list: false, nullable: false }}
    ${'a flag with a default'} | ${'force'}      | ${z.preprocess((args) => args, z.boolean()).default(true)} | ${{ kind: { is: 'flag' }, list: false, nullable: true }}
    ${'words'}                 | ${'types'}      | ${z.array(WORDS)}                                          | ${{ kind: { is: 'word', vocabulary: findVocabulary(WORDS) }, list: true, nullable: false }}
    ${'texts by name'}         | ${'tags'}       | ${z.record(z.string(), z.string())}                        | ${{ kind: { is: 'map' }, list: false, nullable: false }}
  `('can be $what', ({ key, schema, slot }) => {
    expect(describeMember(key, schema)).toEqual({ ...slot, about: '' });
  });

  it('has the description of the contract, even if its schema is wrapped', () => {
    const described = z.string().meta({ description: 'It.' });

    expect(
      [described, described.nullable(), described.optional(), described.default('x')].map(
        (schema) => describeMember('x', schema).about,
      ),
    ).toEqual(['It.', 'It.', 'It.', 'It.']);
  });

  it('must have a description', () => {
    const schema = z.object({ said: z.string().meta({ description: 'It.' }), unsaid: z.string(), left: z.string() });
    const assembly = new Assembly(new SchemaBuild());
    assembly.declare({ name: 'Unsaid', of: schema, about: 'It.', members: { left: omitMember('no reason') } });

    expect(() => assembly.shapeNamed('Unsaid').type.getFields()).toThrow('unsaid');
  });
});

describe('an input', () => {
  let environment: InputShape;
  beforeAll(() => {
    environment = inputType(build, { name: 'SpecEnvironmentInput', description: 'It.', schema: EnvironmentPatch });
  });

  it('omits absent members, and nulls that the core does not accept', () => {
    expect(environment.body({ name: 'qa', description: null })).toEqual({ name: 'qa' });
  });

  it('keeps a null that means "nothing", and uses the REST name of a link', () => {
    expect(environment.body({ parentId: null })).toEqual({ parent: null });
    expect(environment.body({ parentId: 'x' })).toEqual({ parent: 'x' });
  });

  it('supports lists of links and nested inputs', () => {
    const group = inputType(build, { name: 'SpecGroupInput', description: 'It.', schema: GroupCreate });
    const webhook = inputType(build, {
      name: 'SpecWebhookInput',
      description: 'It.',
      schema: WebhookPatch,
      without: ['organization'],
    });

    expect(group.body({ name: 'team', userIds: ['a'] })).toEqual({ name: 'team', users: ['a'] });
    expect(webhook.body({ configuration: { channel: 'C1', token: null } })).toEqual({
      configuration: { channel: 'C1' },
    });
  });

  it('needs a description for every member', () => {
    const schema = z.object({ name: z.string() });

    expect(() => inputType(build, { name: 'SpecSilentInput', description: 'It.', schema })).toThrow(
      'does not describe name',
    );
  });
});

describe('arguments', () => {
  const list = queryArgs(build, ParameterListQuery);

  it('mask secrets unless the client reveals them', () => {
    expect(list.query({})).toMatchObject({ mask_secrets: true });
    expect(list.query({ reveal: true })).toMatchObject({ mask_secrets: false });
  });

  it('contain the point in time, with the environment of a tag', () => {
    expect(list.pointInTime({ asOf: 'then', environment: 'qa', name: 'x' })).toEqual({ as_of: 'then' });
    expect(list.pointInTime({ tag: 'v1', environment: 'qa' })).toEqual({ tag: 'v1', environment: 'qa' });
    expect(queryArgs(build, TagListQuery).pointInTime({ tag: 'v1' })).toEqual({});
    expect(queryArgs(build, EffectiveQuery).pointInTime({ revision: 0 })).toEqual({ revision: 0 });
  });

  it('have the order of the REST parameters', () => {
    expect(list.query({ nameIcontains: 'a', idIn: ['x', 'y'], difference: ['a', 'b'] })).toMatchObject({
      name__icontains: 'a',
      id__in: ['x', 'y'],
      difference: ['a', 'b'],
    });
    expect(LIMITS.idsPerRequest).toBeGreaterThan(0);
  });
});

describe('paths', () => {
  it('name ids after their nouns', () => {
    expect(readablePath(operation('environments_tags_retrieve'))).toBe('environments/{environmentId}/tags/{id}/');
    expect(readablePath(operation('webhooks_deliveries_retrieve'))).toBe(
      'webhooks/{webhookId}/deliveries/{deliveryId}/',
    );
    expect(readablePath(operation('types_rules_list'))).toBe('types/{typeId}/rules/');
  });

  it('cannot be changed by an id from a client', () => {
    expect(fillPath('projects/{id}/', { id: '../users/current?x=' })).toBe('projects/..%2Fusers%2Fcurrent%3Fx%3D/');
    expect(fillPath('integrations/{provider}/', { provider: 'aws/../../users' })).toBe('integrations/unknown/');
  });

  it('give the ids in a link, and nodeIds preserve any ids', () => {
    const pattern = 'integrations/{provider}/{}/pulls/{}/';
    expect(parseIds('http://x/api/v1/integrations/azure/key_vault/a/pulls/b/', pattern)).toEqual([
      'azure_key_vault',
      'a',
      'b',
    ]);
    expect(parseIds('http://x/api/v1/users/auth0%7C1/', 'users/{}/')).toEqual(['auth0|1']);
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 }), (path) => {
        expect(readNodeId(encodeNodeId('Tag', ...path))).toEqual({ type: 'Tag', path });
      }),
    );
  });
});
