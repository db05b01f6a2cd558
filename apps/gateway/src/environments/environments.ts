import * as contract from '@strata/contract';
import { action } from '../graphql/action.ts';
import { resource } from '../graphql/resource.ts';
import { shape } from '../graphql/shape.ts';

export const Environment = shape(
  'Environment',
  'A place where configuration applies, such as production. Environments form one tree; values are inherited down it.',
  contract.Environment,
  {
    name: 'Unique in the organization.',
    description: 'What it is for; may be empty.',
    parent: {
      about: 'Id of the environment it inherits from; null for `default` alone.',
      to: ['Environment', 'The environment it inherits from.'],
    },
    children: {
      about: 'Ids of the environments that inherit from it directly.',
      as: 'childIds',
      to: ['Environment', 'The environments that inherit from it directly, by name.'],
    },
    access_controlled: 'Whether only those with a grant have access.',
    role: "The caller's role here, where access is controlled.",
  },
  { at: 'environments/{id}/' },
);

const environments = resource({
  operations: 'environments',
  of: Environment,
  about: 'The environments of the organization, parents before their children.',
  inputs: { parent: 'The environment to inherit from; `default` when left out.' },
});

const _TagUsage = shape('TagUsage', 'How often a tag was read, and by whom.', contract.TagUsage, {
  last_read: 'When it was read last; null for never.',
  last_read_by: 'Who read it last.',
  total_reads: 'How often it was read.',
});

export const Tag = shape(
  'Tag',
  'A named instant of one environment: configuration can be read as it was then.',
  contract.Tag,
  {
    name: 'Unique in its environment.',
    description: 'What it is for; may be empty.',
    timestamp: 'The instant.',
    immutable: 'Whether it cannot be changed any more, only deleted.',
    pushes: { about: 'The pushes that use it.', kind: { is: 'object', schema: contract.AwsPush } },
    push_urls: { about: 'Ids of the pushes that use it.', as: 'pushIds' },
    usage: 'How often it was read, and by whom.',
  },
  { at: 'environments/{environmentId}/tags/{id}/' },
);

const tags = resource({
  operations: 'environments_tags',
  of: Tag,
  under: Environment,
  about: 'The tags of the environment.',
  inputs: { timestamp: 'The instant; null and nothing mean now.' },
});

export const ENVIRONMENTS = [
  ...environments.resolvers,
  ...tags.resolvers,
  action({
    operation: 'environments_copy_create',
    name: 'copyEnvironment',
    about: 'Copies an environment with the values set in it; the copy is a sibling.',
    inputs: {
      name: 'Name of the copy.',
      description: 'What it is for; that of the source when left out.',
      child_environment_names: 'Names of copied children by their old names; others get `-1` behind theirs.',
      recursive: 'Whether its children are copied too.',
    },
  }),
];
