import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS as CORE } from '../../apps/core/src/platform/env.ts';
import { SETTINGS as GATEWAY } from '../../apps/gateway/src/env.ts';
import { packChart } from '../release/chart.mjs';
import { describeWith, installDebianProgram, installGoProgram, installPythonProgram } from './tools.ts';

const root = path.resolve(import.meta.dirname, '../..');
const HELM = installGoProgram('helm.sh/helm/v3/cmd/helm@v3.22.0');
const VALIDATE = await installPythonProgram('kubernetes-validate', 'kubernetes-validate==1.37.0');
const ANALYZE = installDebianProgram('systemd-analyze', 'systemd');
/** The oldest version that Chart.yaml allows, and the newest. */
const VERSIONS = ['1.29.0', '1.37.0'];

const compose = parse(fs.readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, { readonly command: readonly string[]; readonly environment: object }>>;
};
/** The command of a service in docker-compose.yml, which the test of the image runs. */
const commandOf = (name: string): readonly string[] => compose.services[name]?.command ?? [];

interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly securityContext: object;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [Container];
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
      };
    };
    readonly rules: readonly { readonly http: { readonly paths: readonly { readonly path: string }[] } }[];
  };
}

const REQUIRED = ['image.repository=registry/strata', 'publicUrl=https://config.example.com', 'existingSecret=strata'];
const ALL = [
  ...REQUIRED,
  'bootstrapSecret=first',
  'identityProvidersSecret=providers',
  'ingress.tlsSecret=tls',
  'ingress.className=web',
];

function template(
  settings: readonly string[],
  version = VERSIONS.at(-1) ?? '',
  numbers: readonly string[] = [],
): string {
  const set = [
    ...settings.flatMap((setting) => ['--set-string', setting]),
    ...numbers.flatMap((setting) => ['--set', setting]),
  ];
  return execFileSync(HELM.program, ['template', 'config', 'deploy/helm', '--kube-version', version, ...set], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describeWith([HELM], 'the Helm chart', () => {
  let manifests: readonly Manifest[];
  beforeAll(() => {
    manifests = parseAllDocuments(template(ALL)).map((document) => document.toJS() as Manifest);
  });
  const find = (kind: string, name: string): Manifest =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === `config-${name}`) as Manifest;
  const findContainer = (kind: string, name: string): Container => find(kind, name).spec.template.spec.containers[0];
  const PROCESSES = [
    ['core', 'Deployment', 'core', CORE],
    ['gateway', 'Deployment', 'gateway', GATEWAY],
    ['migrate', 'Job', 'migration', CORE],
  ] as const;

  test('is valid in strict mode', () => {
    const set = ALL.flatMap((setting) => ['--set', setting]);
    const lint = ['lint', '--strict', 'deploy/helm', ...set];
    expect(execFileSync(HELM.program, lint, { cwd: root, encoding: 'utf8' })).toContain('0 chart(s) failed');
  });

  test('is packed with the version of the release', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-chart-'));
    try {
      const shown = execFileSync(HELM.program, ['show', 'chart', packChart(folder, '1.2.3')], { encoding: 'utf8' });
      expect(parse(shown)).toMatchObject({ name: 'strata', version: '1.2.3', appVersion: '1.2.3' });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  test('cannot be installed without an image, a Secret and an address', () => {
    const { status, stderr } = spawnSync(
      HELM.program,
      ['template', 'config', 'deploy/helm', '--kube-version', '1.37.0'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect(status).toBe(1);
    for (const name of ['/image/repository', '/existingSecret', '/publicUrl']) expect(stderr).toContain(name);
  });

  test('rejects values that it does not know', () => {
    expect(() => template([...REQUIRED, 'core.replica=3'])).toThrow(/replica/);
  });

  test.each(PROCESSES)('runs %s with the command of docker-compose.yml', (service, kind, name) => {
    expect(findContainer(kind, name).args).toEqual(commandOf(service));
  });

  test.each(PROCESSES)(
    'gives %s only settings that it reads, and secrets only from Secrets',
    (service, kind, name, settings) => {
      const { env } = findContainer(kind, name);
      const knownSettings = new Set(settings.map((setting) => setting.name));
      expect(env.filter((variable) => !knownSettings.has(variable.name))).toEqual([]);
      expect(
        env.filter((variable) => /DATABASE_URL|KEY|PASSWORD|PROVIDERS/.test(variable.name) && !variable.valueFrom),
      ).toEqual([]);
      const names = env.map((variable) => variable.name);
      const required =
        service === 'gateway' ? ['STRATA_SESSION_KEY', 'STRATA_CORE_URL'] : ['DATABASE_URL', 'STRATA_ROOT_KEY'];
      expect(names).toEqual(expect.arrayContaining([...required, 'STRATA_PUBLIC_URL']));
      expect(names.includes('STRATA_IDENTITY_PROVIDERS')).toBe(service !== 'migrate');
    },
  );

  test.each([
    ['core', CORE, 'STRATA_PORT'],
    ['gateway', GATEWAY, 'STRATA_GATEWAY_PORT'],
  ] as const)('probes %s at its port', (name, settings, port) => {
    const container = findContainer('Deployment', name);
    const expected = Number(settings.find((setting) => setting.name === port)?.default);
    expect(container.ports?.map(({ containerPort }) => containerPort)).toEqual([expected]);
    expect(container.env).toContainEqual({ name: port, value: String(expected) });
    const paths = Object.entries({ startup: '/healthz', liveness: '/healthz', readiness: '/readyz' });
    for (const [probe, at] of paths) expect(container[`${probe}Probe`]?.httpGet).toEqual({ path: at, port: 'http' });
  });

  test.each([
    ['core', CORE, 'STRATA_METRICS_PORT'],
    ['gateway', GATEWAY, 'STRATA_GATEWAY_METRICS_PORT'],
  ] as const)('serves the metrics of %s only if their port is set', (name, _, setting) => {
    const text = template(ALL, undefined, ['metrics.port=9464', 'networkPolicy.telemetryTo[0].ports[0].port=4318']);
    const documents = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    const findManifest = (kind: string) =>
      documents.find((manifest) => manifest.kind === kind && manifest.metadata.name === `config-${name}`) as Manifest;
    const container = findManifest('Deployment').spec.template.spec.containers[0];
    expect(container.ports?.at(-1)).toEqual({ name: 'metrics', containerPort: 9464 });
    expect(container.env).toContainEqual({ name: setting, value: '9464' });
    const policy = JSON.stringify(findManifest('NetworkPolicy').spec);
    expect([policy.includes('"port":"metrics"'), policy.includes('4318')]).toEqual([true, true]);
    expect(findContainer('Deployment', name).env.filter((variable) => variable.name.includes('METRICS'))).toEqual([]);
    expect(JSON.stringify(find('NetworkPolicy', name).spec)).not.toContain('metrics');
  });

  test('waits until a pod has stopped by itself before it is killed', () => {
    const { terminationGracePeriodSeconds, containers } = find('Deployment', 'core').spec.template.spec;
    const grace = containers[0].env.find(({ name }) => name === 'STRATA_GRACE_SECONDS')?.value;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(grace) + 20);
  });

  test.each(PROCESSES)('runs %s without root and on a read-only file system', (_, kind, name) => {
    expect(find(kind, name).spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(findContainer(kind, name).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('migrates before an installation and before an upgrade', () => {
    expect(find('Job', 'migration').metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  });

  test('has a disruption budget and a network policy for each service, and one address for both', () => {
    for (const name of ['core', 'gateway'])
      for (const kind of ['Service', 'PodDisruptionBudget', 'NetworkPolicy']) expect(find(kind, name)).toBeDefined();
    const ingress = manifests.find(({ kind }) => kind === 'Ingress');
    expect(ingress?.spec.rules[0]?.http.paths.map((route) => route.path)).toEqual(['/api', '/']);
  });
});

describeWith([HELM, VALIDATE], 'the manifests of the chart', () => {
  test.each(VERSIONS)('follow the schemas of Kubernetes %s', (version) => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'strata-manifests-')), 'manifests.yaml');
    try {
      fs.writeFileSync(file, template(ALL, version));
      const kubernetes = version.split('.').slice(0, 2).join('.');
      const { status, stdout, stderr } = spawnSync(
        VALIDATE.program,
        ['--strict', '--kubernetes-version', kubernetes, file],
        {
          encoding: 'utf8',
        },
      );
      expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining(`against version ${kubernetes}`)]);
    } finally {
      fs.rmSync(path.dirname(file), { recursive: true });
    }
  });
});

describeWith([ANALYZE], 'the systemd units', () => {
  const folder = path.join(root, 'deploy/systemd');
  const units = fs.readdirSync(folder);

  test('are valid', () => {
    const copies = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-units-'));
    try {
      // The program has to exist, and this test does not install it. The path of a checkout may contain a blank.
      const program = path.join(copies, 'strata');
      fs.symlinkSync(process.execPath, program);
      for (const unit of units) {
        const text = fs.readFileSync(path.join(folder, unit), 'utf8');
        fs.writeFileSync(path.join(copies, unit), text.replace('/usr/local/bin/strata', program));
      }
      const files = units.map((unit) => path.join(copies, unit));
      const { status, stderr } = spawnSync(ANALYZE.program, ['verify', '--man=no', ...files], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    } finally {
      fs.rmSync(copies, { recursive: true });
    }
  });

  test.each([
    ['core', 'core'],
    ['gateway', 'gateway'],
    ['migrate', 'migrate'],
  ])('strata-%s.service has the command of docker-compose.yml', (name, service) => {
    const text = fs.readFileSync(path.join(folder, `strata-${name}.service`), 'utf8');
    expect(/^ExecStart=\S*\/strata (.*)$/m.exec(text)?.[1]?.split(' ')).toEqual(commandOf(service));
  });

  test('give the gateway neither the root key nor the database', () => {
    const text = fs.readFileSync(path.join(folder, 'strata-gateway.service'), 'utf8');
    expect(text.match(/^EnvironmentFile=.*$/gm)).toEqual(['EnvironmentFile=/etc/strata/gateway.env']);
  });
});
