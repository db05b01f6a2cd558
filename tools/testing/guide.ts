import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const GUIDES = path.resolve(import.meta.dirname, '../../docs/guides');

/** A guide whose code runs in a directory of its own, as if a reader pasted it. */
export class Guide {
  readonly directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-guide-'));
  private readonly source: string;

  constructor(name: string) {
    this.source = fs.readFileSync(path.join(GUIDES, `${name}.md`), 'utf8');
  }

  /** Returns the code blocks of a section. Throws if there are none, so that no test passes without running code. */
  blocks(heading: string, language = 'sh'): string[] {
    const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
    const blocks = [...this.section(heading).matchAll(fence)].map(([, code = '']) => code);
    if (blocks.length === 0) throw new Error(`The guide has no ${language} code in the section ${heading}.`);
    return blocks;
  }

  /** Returns the first cells of each row of the table in a section, without the heading. */
  cells(heading: string, count: number): string[][] {
    const rows = [...this.section(heading).matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) => row.split('|'));
    return rows.slice(2).map((row) => row.slice(0, count).map((cell) => cell.replaceAll('`', '').trim()));
  }

  /** Returns the first shell code of a section. */
  code(heading: string): string {
    const [code = ''] = this.blocks(heading);
    return code;
  }

  /** Starts code as if it were pasted into a shell. */
  start(
    code: string,
    variables: Readonly<Record<string, string>>,
    program = 'bash',
    args: readonly string[] = [],
  ): ChildProcess & { readonly stdout: Readable } {
    const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, ...variables };
    const childProcess = spawn(program, args, { cwd: this.directory, env, stdio: ['pipe', 'pipe', 'inherit'] });
    childProcess.stdin.end(code);
    return childProcess;
  }

  /** Runs code as if it were pasted into a shell, and returns the output. */
  run(...start: Parameters<Guide['start']>): Promise<string> {
    return text(this.start(...start).stdout);
  }

  remove(): void {
    fs.rmSync(this.directory, { recursive: true, force: true });
  }

  private section(heading: string): string {
    return (this.source.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0] ?? '';
  }
}

/** Returns the key of an authorization header. */
export const parseApiKey = (authorization: string): string => authorization.replace(/^Api-Key /, '');
