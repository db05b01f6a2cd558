import type { IntegrationTask, Page, Project, Pull, TaskStep, Value } from '@strata/contract';
import type { PushedShop } from './push-fixture.ts';
import { waitUntil } from './until.ts';

export const RESOURCE = '/{{ environment }}/{{ project }}/{{ parameter }}';

type Client = PushedShop['organization']['owner'];

export async function createPull({ organization, integration }: PushedShop, input: object = {}): Promise<Pull> {
  const { status, body, text } = await organization.owner.post<Pull>(`${integration.url}pulls/`, {
    name: 'import',
    region: 'eu-central-1',
    service: 'secretsmanager',
    resource: RESOURCE,
    ...input,
  });
  if (status !== 201) throw new Error(text);
  return body;
}

/** Runs a pull, and waits for its end. */
export async function runPull(client: Client, pull: Pull, input: object = {}) {
  const before = (await client.get<Pull>(pull.url)).body.latest_task?.id;
  const { status, text } = await client.post(`${pull.url}sync/`, input);
  if (status !== 202) throw new Error(text);
  const task = await waitUntil(
    async () => (await client.get<Pull>(pull.url)).body.latest_task as IntegrationTask,
    (latest) => latest.id !== before && latest.state !== 'queued' && latest.state !== 'running',
  );
  const steps = (await client.get<Page<TaskStep>>(`${task.url}steps/?page_size=100`)).body.results;
  return { task, steps };
}

/** Returns the text and the location of a value; null if it does not exist. */
export async function readPulledValue(
  { organization: { owner } }: PushedShop,
  environment: string,
  project: string,
  name: string,
) {
  const [storedProject] = (await owner.get<Page<Project>>(`projects/?name=${project}`)).body.results;
  if (!storedProject) return null;
  const parameters = await owner.get<Page<{ url: string; secret: boolean }>>(
    `${storedProject.url}parameters/?name=${name}`,
  );
  const [parameter] = parameters.body.results;
  if (!parameter) return null;
  const values = await owner.get<Page<Value>>(`${parameter.url}values/?environment=${environment}`);
  const [value] = values.body.results;
  return value ? { text: value.value, fqn: value.external_fqn, secret: parameter.secret, url: value.url } : null;
}
