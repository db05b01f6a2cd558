import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { Guide, parseApiKey } from '../testing/guide.ts';
import { waitUntil } from '../testing/start-folder.ts';
import {
  describeWith,
  installDebianProgram,
  installGoSource,
  installMavenJars,
  installPythonProgram,
  type Tool,
} from './tools.ts';

const guide = new Guide('use-from-other-languages');
const block = (heading: string, language: string, at = 0): string => guide.blocks(heading, language)[at] ?? '';

const GO = installGoSource(block('Go', 'go'), []);
const GO_FLAGS = installGoSource(
  block('Go', 'go', 1),
  (/^go get (.*)$/m.exec(block('Go', 'sh'))?.[1] ?? '').split(' '),
);
const PYTHON = await installPythonProgram(
  'python',
  ...(/^pip install (.*)$/m.exec(block('Python', 'sh'))?.[1] ?? '').split(' '),
);
const JAVA = installDebianProgram('java', 'default-jdk-headless');
const LIBRARIES = installMavenJars(block('Java', 'xml'));

/** An address of the core that can be switched off. */
class Outage {
  private isOff = false;
  private readonly server = http.createServer((request, response) => {
    if (this.isOff) return void response.writeHead(503).end();
    const { method, url, headers } = request;
    const forwarded = http.request(new URL(url ?? '', this.core), { method, headers }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      upstreamResponse.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });

  constructor(private readonly core: string) {}

  async start(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  switch(isOff: boolean): void {
    this.isOff = isOff;
    if (isOff) this.server.closeAllConnections();
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

let core: RunningCore;
let outage: Outage;
let organization: TestOrganization;
let value: Value;
let variables: Readonly<Record<string, string>>;
let program: ChildProcess | null = null;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  outage = new Outage(core.origin);
  const API = `${await outage.start()}/api/v1`;
  organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  value = await organization.value({
    ...{ parameter: await organization.parameter({ project, name: 'PORT' }), internal_value: '8080' },
  });
  await organization.owner.post(`${project.url}parameters/`, { name: 'new_checkout', type: 'boolean' });
  await organization.owner.post(`${project.url}parameters/`, { name: 'page_size', type: 'integer' });
  const values = { new_checkout: 'true', page_size: '25' };
  await organization.owner.put(`${project.url}values/?environment=production`, { values });
  const KEY = parseApiKey(await organization.authorization('VIEWER'));
  variables = { API, KEY, FLAGS_KEY: KEY, PROJECT_ID: project.id };
});
afterEach(() => {
  program?.kill('SIGKILL');
  outage.close();
});
afterAll(() => guide.remove());

/** Starts a program, and returns a function that returns its output up to now. */
function start(command: string, args: readonly string[] = []): () => string {
  let output = '';
  const child = spawn(command, args, { env: { PATH: process.env.PATH, ...variables }, cwd: guide.directory });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  program = child;
  return () => {
    if (child.exitCode !== null) throw new Error(`The program has ended: ${output}`);
    return output;
  };
}

/** Writes an example into a file, and returns its path. */
function written(name: string, text: string): string {
  const file = path.join(guide.directory, name);
  fs.writeFileSync(file, text);
  return file;
}

describe.each<[string, readonly Tool[], () => [string, readonly string[]]]>([
  ['Python', [PYTHON], () => [PYTHON.program, [written('shop.py', block('Python', 'python'))]]],
  ['Go', [GO], () => [GO.program, []]],
  [
    'Java',
    [JAVA, LIBRARIES],
    () => [JAVA.program, ['-cp', LIBRARIES.program, written('Shop.java', block('Java', 'java'))]],
  ],
])('%s', (_, tools, command) => {
  describeWith(tools, 'the example', () => {
    test('reads the values, keeps them while Strata is unavailable, and receives changes', async () => {
      const output = start(...command());
      await waitUntil(() => output().includes('PORT is 8080'));
      outage.switch(true);
      await waitUntil(() => output().includes('Strata is not available'));
      await organization.owner.patch(value.url, { internal_value: '8081' });
      outage.switch(false);
      await waitUntil(() => output().includes('PORT is 8081'));
      // This change arrives while a request waits for it.
      await organization.owner.patch(value.url, { internal_value: '8082' });
      await waitUntil(() => output().includes('PORT is 8082'));
    });

    test('ends with an error if Strata is unavailable at the start', async () => {
      outage.switch(true);
      start(...command());
      const [code] = await once(program as ChildProcess, 'close');
      expect(code).toBeGreaterThan(0);
    });
  });
});

describeWith([PYTHON], 'the flags of Python', () => {
  test('are read with OpenFeature', async () => {
    const file = written('flags.py', block('Python', 'python', 1));
    expect(await guide.run('', variables, PYTHON.program, [file])).toBe('True 25\n');
  });
});

describeWith([GO_FLAGS], 'the flags of Go', () => {
  test('are read with OpenFeature', async () => {
    expect(await guide.run('', variables, GO_FLAGS.program)).toBe('true 25\n');
  });
});

describeWith([JAVA, LIBRARIES], 'the flags of Java', () => {
  test('are read with OpenFeature', async () => {
    const file = written('Flags.java', block('Java', 'java', 1));
    expect(await guide.run('', variables, JAVA.program, ['-cp', LIBRARIES.program, file])).toBe('true 25\n');
  });
});
