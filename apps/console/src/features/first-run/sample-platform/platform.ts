import { grafana } from './grafana.ts';
import { housekeeping } from './housekeeping.ts';
import { keycloak } from './keycloak.ts';
import { platformBase } from './platform-base.ts';
import { postgresql } from './postgresql.ts';
import type { SamplePlatform } from './shape.ts';
import { traefik } from './traefik.ts';
import { valkey } from './valkey.ts';

/** The configuration of a realistic platform, which `npm run seed` and the console load into an organization. */
export const samplePlatform = {
  // The first four environments exist in every new organization.
  environments: [
    { name: 'default', parent: null },
    { name: 'development', parent: 'default', description: 'On developers’ machines.' },
    { name: 'staging', parent: 'default', description: 'Rehearsal of production.' },
    { name: 'production', parent: 'default', description: 'Serves customers.' },
    { name: 'canary', parent: 'production', description: 'A small part of production that gets changes first.' },
  ],
  types: [
    { name: 'port', parent: 'integer', description: 'A TCP port; 0 for none.', rules: { min: '0', max: '65535' } },
    {
      name: 'size',
      parent: 'string',
      description: 'Bytes, with a unit if you like: 64mb.',
      rules: { regex: '[0-9]+([kmg]b)?$' },
    },
    {
      name: 'log level',
      parent: 'string',
      description: 'Log level.',
      rules: { regex: '[a-z]+$', max_len: '16' },
    },
  ],
  projects: [platformBase, postgresql, valkey, keycloak, grafana, traefik],
  examples: [housekeeping],
  webhook: {
    name: 'config-changes',
    channel: '#config-changes',
    username: 'Strata',
    // The webhook subscribes to all twelve event types.
    eventTypes: ['environment', 'project', 'parameter', 'value'].flatMap((noun) =>
      ['created', 'updated', 'deleted'].map((verb) => `${noun}_${verb}`),
    ),
  },
} as const satisfies SamplePlatform;
