import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildMissingApps } from '@strata/testkit';
import { parse } from 'yaml';
import { writeAction } from '../../../../tools/release/github-action.mjs';
import { type FakeGitHub, REPOSITORY } from './fake-github.ts';

interface Metadata {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs?: Readonly<Record<string, object>>;
  readonly runs: { readonly using: string; readonly main: string };
}

interface Event {
  readonly name: string;
  readonly payload: object;
}

/** The result of a step. */
interface Step {
  readonly code: number | null;
  /** The log as GitHub shows it, masked. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

export const push = (sha = 'a'.repeat(40), ref = 'refs/heads/main') => ({ name: 'push', payload: {}, sha, ref });

/** Returns the event of a pull request. */
export const pullRequest = (number: number, from = REPOSITORY) => ({
  name: 'pull_request',
  payload: { pull_request: { number, head: { repo: { full_name: from } } } },
});

/** Writes the action as a release contains it, and returns its folder. */
export async function releasedAction(): Promise<string> {
  await buildMissingApps('cli', 'github-action');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-action-'));
  writeAction(folder);
  return folder;
}

/** Runs steps with the action like the runner of GitHub: with its files, its commands and its masks. */
export class Job {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-job-'));
  /** The variables that steps have set for the next ones. */
  readonly variables: Record<string, string> = {};
  private readonly masks: string[] = [];

  constructor(
    private readonly action: string,
    private readonly github: FakeGitHub,
    private readonly event: Event & { readonly sha?: string; readonly ref?: string },
    private readonly permissions: { readonly idToken: boolean } = { idToken: false },
  ) {}

  write(file: string, content: string): void {
    fs.writeFileSync(path.join(this.folder, file), content);
  }

  async step(name: 'plan' | 'apply' | 'export', inputs: Readonly<Record<string, string>>): Promise<Step> {
    const folder = path.join(this.action, name);
    const metadata = parse(fs.readFileSync(path.join(folder, 'action.yml'), 'utf8')) as Metadata;
    const unknown = Object.keys(inputs).find((input) => !(input in metadata.inputs));
    if (unknown) throw new Error(`action.yml has no input "${unknown}".`);
    if (metadata.runs.using !== 'node24') throw new Error(`The runner has no ${metadata.runs.using}.`);
    const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-step-'));
    const file = (basename: string) => path.join(temporary, basename);
    for (const fileName of ['env', 'output', 'summary']) fs.writeFileSync(file(fileName), '');
    const { repository, ...payload } = { repository: { full_name: REPOSITORY }, ...this.event.payload };
    fs.writeFileSync(file('event.json'), JSON.stringify({ repository, ...payload }));
    try {
      const env = { ...this.settings(file), ...this.variables, ...this.inputs(metadata, inputs) };
      const child = spawn(process.execPath, [path.join(folder, metadata.runs.main)], { cwd: this.folder, env });
      const log = this.readLog(child);
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      Object.assign(this.variables, assignments(fs.readFileSync(file('env'), 'utf8')));
      const outputs = assignments(fs.readFileSync(file('output'), 'utf8'));
      const undeclared = Object.keys(outputs).find((output) => !(output in (metadata.outputs ?? {})));
      if (undeclared) throw new Error(`action.yml has no output "${undeclared}".`);
      return { code, log: log(), outputs, summary: fs.readFileSync(file('summary'), 'utf8') };
    } finally {
      fs.rmSync(temporary, { recursive: true });
    }
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private settings(file: (basename: string) => string): Readonly<Record<string, string>> {
    const { name, sha = 'f'.repeat(40), ref = 'refs/pull/12/merge' } = this.event;
    return {
      ...{ PATH: process.env.PATH ?? '', HOME: this.folder, CI: 'true', FORCE_COLOR: '1' },
      ...{ GITHUB_ENV: file('env'), GITHUB_OUTPUT: file('output'), GITHUB_STEP_SUMMARY: file('summary') },
      ...{ GITHUB_EVENT_PATH: file('event.json'), GITHUB_EVENT_NAME: name, GITHUB_SHA: sha, GITHUB_RUN_ID: '7' },
      ...{ GITHUB_REF: ref },
      ...{ GITHUB_REPOSITORY: REPOSITORY, GITHUB_WORKSPACE: this.folder },
      ...{ GITHUB_API_URL: this.github.url, GITHUB_SERVER_URL: 'https://github.example' },
      ...(this.permissions.idToken && {
        ACTIONS_ID_TOKEN_REQUEST_URL: `${this.github.url}/id-token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: this.github.requestToken,
      }),
    };
  }

  private inputs(metadata: Metadata, values: Readonly<Record<string, string>>) {
    const defaults = Object.entries(metadata.inputs).map(([name, input]) => [name, input.default ?? '']);
    const all = Object.entries({ ...Object.fromEntries(defaults), ...values }) as [string, string][];
    return Object.fromEntries(
      all.map(([name, text]) => [
        `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
        text.replace(/\$\{\{ github\.token \}\}/, this.github.token),
      ]),
    );
  }

  /** Executes the commands in the output of a step, and returns the other lines. */
  private readLog({ stdout, stderr }: ReturnType<typeof spawn>): () => string {
    const lines: string[] = [];
    let end: string | null = null;
    const add = (line: string): void => {
      const [, command = '', text = ''] = /^\s*::([^ :]+)(?: [^:]*)?::(.*)$/.exec(line) ?? [];
      if (end !== null) {
        if (command === end) end = null;
        else lines.push(this.masked(line));
      } else if (command === 'stop-commands') end = text;
      else if (command === 'add-mask') this.masks.push(unescaped(text));
      else lines.push(this.masked(command ? `${command}: ${unescaped(text)}` : line));
    };
    for (const stream of [stdout, stderr]) {
      let rest = '';
      stream?.on('data', (part) => {
        const parts = `${rest}${part}`.split('\n');
        rest = parts.pop() ?? '';
        parts.forEach(add);
      });
      stream?.on('end', () => rest && add(rest));
    }
    return () => lines.join('\n');
  }

  /** Returns a line as the log shows it. Unlike the runner, it masks only exactly the texts that the step has named. */
  masked(line: string): string {
    return this.masks
      .toSorted((a, b) => b.length - a.length)
      .reduce((shown, mask) => shown.replaceAll(mask, '***'), line);
  }
}

const unescaped = (text: string): string => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');

/** Parses a file of `name=text` and `name<<delimiter` lines. */
function assignments(content: string): Record<string, string> {
  const variables: Record<string, string> = {};
  const lines = content.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, name = '', operator, rest = ''] = /^(.*?)(=|<<)(.*)$/.exec(lines[at] ?? '') ?? [];
    if (operator === '=') variables[name] = rest;
    if (operator !== '<<') continue;
    const end = lines.indexOf(rest, at + 1);
    if (end < 0) throw new Error(`The text of ${name} has no end.`);
    variables[name] = lines.slice(at + 1, end).join('\n');
    at = end;
  }
  return variables;
}
