import { type CopiedRequest, configurationRequests, fileRequests, quoteForShell } from './requests.ts';

/** The configuration that a program reads. */
export interface ProgramScope {
  readonly project: { readonly id: string; readonly name: string };
  /** The name of the environment. */
  readonly environment: string;
  /** The address of the REST API. */
  readonly apiUrl: string;
}

/** A way to read the configuration, as texts that run as they are. They contain no credential: the user sets `$KEY`. */
interface ProgramWords {
  readonly title: string;
  readonly about: string;
  texts(scope: ProgramScope): readonly CopiedRequest[];
}

const NOW = {};

export const PROGRAMS = {
  curl: {
    title: 'curl',
    about: 'Returns the effective value of each parameter as JSON. Any HTTP client can send this request.',
    texts: ({ project, environment }) => configurationRequests(project.id, environment, NOW).slice(0, 1),
  },
  cli: {
    title: 'Command line',
    about:
      'Runs a program (here env) with the configuration as environment variables, or writes a file. Requires Node.js 22.19 or newer.',
    texts: ({ project, environment, apiUrl }) => {
      const selection = `-p ${quoteForShell(project.name)} -e ${quoteForShell(environment)}`;
      return [
        { title: 'Sign in', text: `export STRATA_URL=${quoteForShell(new URL(apiUrl).origin)} STRATA_API_KEY="$KEY"` },
        { title: 'Run a program', text: `npx strata-config run ${selection} -- env` },
        { title: 'Write a file', text: `npx strata-config export ${selection} --reveal -o .env` },
      ];
    },
  },
  sdk: {
    title: 'TypeScript SDK',
    about: 'Reads the configuration at start and follows its changes. For Node.js 20 and newer.',
    texts: (scope) => [
      { title: 'Install', text: 'npm install strata-config-client' },
      { title: 'program.mjs', text: sdkProgram(scope) },
    ],
  },
  openfeature: {
    title: 'OpenFeature',
    about: 'Reads parameters as feature flags. Secret parameters are not flags.',
    texts: (scope) => [
      {
        title: 'Install',
        text: 'npm install @openfeature/server-sdk @openfeature/ofrep-provider @openfeature/ofrep-core@0.1.4',
      },
      { title: 'program.mjs', text: flagProgram(scope) },
    ],
  },
  kubernetes: {
    title: 'Kubernetes',
    about: 'Writes the configuration into a Secret, whose entries a pod gets as environment variables.',
    texts: ({ project, environment }) => {
      const name = resourceName(`${project.name}-${environment}`);
      return [
        {
          title: 'Shell',
          text: `${commandFor(project.id, environment, 'docker')} |
  kubectl create secret generic ${name} --from-env-file=/dev/stdin --dry-run=client -o yaml | kubectl apply -f -`,
        },
        { title: 'Container of the pod', text: `envFrom:\n  - secretRef:\n      name: ${name}` },
      ];
    },
  },
} as const satisfies Readonly<Record<string, ProgramWords>>;

export type ProgramKind = keyof typeof PROGRAMS;
export const PROGRAM_KINDS = Object.keys(PROGRAMS) as readonly ProgramKind[];

/** Returns the shell command that prints the configuration as a file. */
const commandFor = (projectId: string, environment: string, format: 'dotenv' | 'docker'): string =>
  fileRequests(projectId, environment, format, NOW).at(-1)?.text ?? '';

const sdkProgram = ({
  project,
  environment,
  apiUrl,
}: ProgramScope): string => `import { connect } from 'strata-config-client';

const config = await connect({
  url: ${JSON.stringify(new URL(apiUrl).origin)},
  credential: { apiKey: process.env.KEY },
  project: ${JSON.stringify(project.name)},
  environment: ${JSON.stringify(environment)},
});

console.log(config.all());
config.onChange((changes) => console.log(changes));`;

function flagProgram({ project, environment, apiUrl }: ProgramScope): string {
  const path = `projects/${encodeURIComponent(project.name)}/environments/${encodeURIComponent(environment)}`;
  return `import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

await OpenFeature.setProviderAndWait(
  new OFREPProvider({
    baseUrl: ${JSON.stringify(`${apiUrl}/${path}`)},
    headers: [['Authorization', \`Api-Key \${process.env.KEY}\`]],
  }),
);
const flags = OpenFeature.getClient();
console.log(await flags.getBooleanValue('new_checkout', false));`;
}

/** Returns a name that Kubernetes accepts: lower-case letters, digits and dashes. */
export const resourceName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-$/, '') || 'configuration';
