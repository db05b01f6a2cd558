import { EVENT_TYPES } from './events.mjs';
import { grafana } from './grafana.mjs';
import { housekeeping } from './housekeeping.mjs';
import { keycloak } from './keycloak.mjs';
import { platformBase } from './platform-base.mjs';
import { postgresql } from './postgresql.mjs';
import { traefik } from './traefik.mjs';
import { valkey } from './valkey.mjs';

/** Parents before children. A fresh organization has the first four already. */
export const environments = [
  { name: 'default', parent: null },
  { name: 'development', parent: 'default', description: 'On the machines of developers.' },
  { name: 'staging', parent: 'default', description: 'Rehearsal of production.' },
  { name: 'production', parent: 'default', description: 'What customers use.' },
  { name: 'canary', parent: 'production', description: 'A small part of production that gets changes first.' },
];

/** Parents before children. Rules are `kind: constraint`. */
export const types = [
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
    description: 'How much is logged.',
    rules: { regex: '[a-z]+$', max_len: '16' },
  },
];

/** What a project depends on comes before it. */
export const projects = [platformBase, postgresql, valkey, keycloak, grafana, traefik];

/** Beside the platform: what shows a feature rather than a program. */
export const examples = [housekeeping];

export const webhook = {
  name: 'config-changes',
  channel: '#config-changes',
  username: 'Strata',
  eventTypes: EVENT_TYPES,
};
