import type { Environment, Parameter, Project, Tag, Value } from '@strata/contract';
import type { RunningCore, TestOrganization } from '@strata/testkit';

export const instantBefore = (instant: string) => microsecondsFrom(instant, -1n);
export const after = (instant: string) => microsecondsFrom(instant, 1n);

function microsecondsFrom(instant: string, distance: bigint): string {
  const [, seconds = '', fraction = ''] = /^(.*)\.(\d{6})Z$/.exec(instant) ?? [];
  const micros = BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction) + distance;
  const instantToSecond = new Date(Number(micros / 1_000_000n) * 1000).toISOString().slice(0, 19);
  return `${instantToSecond}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
}

export interface PastValue {
  readonly organization: TestOrganization;
  readonly environment: Environment;
  readonly project: Project;
  readonly parameter: Parameter;
  readonly first: Value;
  readonly second: Value;
}

/** Creates a value `a` that becomes `b`; all tags in the tests are at an instant between the two writes. */
export async function createPastValue(core: RunningCore): Promise<PastValue> {
  const organization = await core.organization();
  const environment = await organization.environment({ name: 'e' });
  const project = await organization.project();
  const parameter = await organization.parameter({ project, name: 'x' });
  const first = await organization.value({ parameter, environment, internal_value: 'a' });
  const { body: secondValue } = await organization.owner.patch<Value>(first.url, { internal_value: 'b' });
  return { organization, environment, project, parameter, first, second: secondValue };
}

export async function createTagAt(
  { organization, environment }: PastValue,
  name: string,
  timestamp: string,
): Promise<Tag> {
  return (await organization.owner.post<Tag>(`${environment.url}tags/`, { name, timestamp })).body;
}
