// Makes what is missing and leaves alone what is there, so that a second run changes nothing.
import { randomBytes, randomInt } from 'node:crypto';
import * as platform from './data/organization.mjs';

// The service writes one change of an organization after the other; more requests at a time would only queue there.
const AT_A_TIME = 4;

async function each(items, work) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

const byName = (rows) => new Map(rows.map((row) => [row.name, row]));

/** Enough characters to be a secret, none that needs quoting in a shell or a file of settings. */
const randomSecret = () => randomBytes(24).toString('base64url');

/** Looks like a bot token and is none: the chat service will refuse it until a real one is put in. */
const pretendToken = () =>
  ['xoxb', randomInt(1e11, 1e12), randomInt(1e11, 1e12), randomBytes(12).toString('hex')].join('-');

async function loadEnvironments(api, environments, tell) {
  const present = byName(await api.all('/api/v1/environments/'));
  let created = 0;
  for (const { name, parent, description } of environments) {
    if (present.has(name)) continue;
    const body = { name, description, parent: present.get(parent).url };
    present.set(name, await api.post('/api/v1/environments/', body));
    created += 1;
  }
  tell('environments', `${environments.length} environments`, created);
  return { environmentIds: new Map([...present].map(([name, { id }]) => [name, id])), created };
}

async function loadTypes(api, types, tell) {
  const present = byName(await api.all('/api/v1/types/'));
  let created = 0;
  for (const { name, parent, description, rules } of types) {
    let type = present.get(name);
    if (type === undefined) {
      type = await api.post('/api/v1/types/', { name, description, parent: present.get(parent).url });
      present.set(name, type);
      created += 1;
    }
    const kinds = new Set(type.rules.map((rule) => rule.type));
    for (const [kind, constraint] of Object.entries(rules)) {
      if (kinds.has(kind)) continue;
      await api.post(`/api/v1/types/${type.id}/rules/`, { type: kind, constraint });
      created += 1;
    }
  }
  tell('types', `${types.length} types with their rules`, created);
  return created;
}

/** The values of one parameter that are set on it directly, by environment id. */
function explicitlySet(parameter) {
  const values = Object.values(parameter.values).filter((value) => value?.parameter_id === parameter.id);
  return new Set(values.map((value) => value.environment_id));
}

async function loadParameter(api, list, name, wanted, present, environmentIds) {
  let created = 0;
  let parameter = present;
  if (parameter === undefined) {
    const { description, secret, type, expires = null } = wanted;
    parameter = await api.post(list, { name, description, secret, type, expires });
    created += 1;
  }
  const set = explicitlySet(parameter);
  const texts = wanted.secret
    ? wanted.randomIn.map((environment) => [environment, randomSecret()])
    : Object.entries(wanted.values);
  for (const [environment, internal_value] of texts) {
    const id = environmentIds.get(environment);
    if (set.has(id)) continue;
    await api.post(`${list}${parameter.id}/values/`, { environment: id, internal_value });
    created += 1;
  }
  return created;
}

/** Texts made of the parameters, once those are there. */
async function loadTemplates(api, list, wanted) {
  const present = byName(await api.all(list));
  let created = 0;
  for (const [name, { description, body }] of Object.entries(wanted)) {
    if (present.has(name)) continue;
    await api.post(list, { name, description, body });
    created += 1;
  }
  return created;
}

async function loadProject(api, wanted, present, environmentIds, tell) {
  let created = 0;
  let project = present.get(wanted.name);
  if (project === undefined) {
    const { name, description } = wanted;
    const depends_on = wanted.dependsOn && present.get(wanted.dependsOn).url;
    project = await api.post('/api/v1/projects/', { name, description, depends_on });
    present.set(name, project);
    created += 1;
  }
  const list = `/api/v1/projects/${project.id}/parameters/`;
  const parameters = byName(await api.all(`${list}?immediate_parameters=true&mask_secrets=true`));
  const entries = Object.entries(wanted.parameters);
  await each(entries, async ([name, parameter]) => {
    const made = await loadParameter(api, list, name, parameter, parameters.get(name), environmentIds);
    created += made; // not `+= await`: others add to it meanwhile
  });
  if (wanted.templates) {
    created += await loadTemplates(api, `/api/v1/projects/${project.id}/templates/`, wanted.templates);
  }
  const values = entries.reduce(
    (sum, [, { values, randomIn = [] }]) => sum + Object.keys(values).length + randomIn.length,
    0,
  );
  const secrets = entries.filter(([, { secret }]) => secret).length;
  tell(wanted.name, `${entries.length} parameters (${secrets} secret), ${values} values`, created);
  return created;
}

async function loadWebhook(api, webhook, tell) {
  const present = byName(await api.all('/api/v1/webhooks/'));
  const created = present.has(webhook.name) ? 0 : 1;
  if (created === 1) {
    const { name, channel, username, eventTypes: event_types } = webhook;
    const configuration = { token: pretendToken(), channel, username };
    await api.post('/api/v1/webhooks/', { name, event_types, type: 'slack', configuration });
  }
  tell('webhook', `${webhook.name} to ${webhook.channel}`, created);
  return created;
}

/**
 * Loads an organization, by default the whole platform, and returns how many objects had to be made.
 * `tell(what, holds, created)` is called after each part. The webhook comes last: loading is not news for a chat channel.
 */
export async function load(api, tell, { environments, types, projects, examples = [], webhook } = platform) {
  const { environmentIds, created: createdEnvironments } = await loadEnvironments(api, environments, tell);
  const present = byName(await api.all('/api/v1/projects/'));
  let created = createdEnvironments + (await loadTypes(api, types, tell));
  for (const project of [...projects, ...examples])
    created += await loadProject(api, project, present, environmentIds, tell);
  return created + (await loadWebhook(api, webhook, tell));
}
