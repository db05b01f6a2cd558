import type { OpenRotator } from './rotator.ts';

/** The systems whose credentials Strata rotates, by the name of the contract. Each is loaded when it is used. */
const ROTATORS: Readonly<Record<string, () => Promise<OpenRotator>>> = {
  aws_iam: async () => (await import('./aws-iam.ts')).openAwsIam,
  command: async () => (await import('./command.ts')).openCommand,
  postgresql: async () => (await import('./postgresql.ts')).openPostgresql,
};

export async function findRotator(name: string): Promise<OpenRotator> {
  const load = ROTATORS[name];
  if (!load) throw new Error(`No rotator is registered for ${name}.`);
  return load();
}
