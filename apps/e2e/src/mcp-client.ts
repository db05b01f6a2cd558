import fs from 'node:fs';
import path from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ServiceAccountCreated } from '@strata/contract';
import type { RunningCore, TestOrganization } from '@strata/testkit';
import { CommandLine, PROGRAM } from './command-line.ts';

/** The members of the data of tools that tests read one by one. */
interface ToolData {
  readonly total: number;
  readonly values: readonly { readonly name: string; readonly value: string }[];
  readonly projects: readonly { readonly name: string }[];
  readonly plan: object;
}

interface ToolContent {
  readonly untrusted_data: ToolData;
  readonly next_cursor: string | null;
  readonly left_out: readonly string[];
  readonly error: { readonly message: string };
}

/** The result of a tool, as a model reads it. */
interface ToolResult {
  readonly isError: boolean;
  /** The whole text. */
  readonly text: string;
  /** The JSON in the text. */
  readonly content: ToolContent;
  readonly data: ToolData;
}

/** Creates a service account that can only read masked configuration, and returns its key and its links. */
export async function agentAccount({ owner }: TestOrganization, input: object = {}): Promise<ServiceAccountCreated> {
  const account = { name: `agent-${crypto.randomUUID()}`, role: 'VIEWER', reveals_secrets: false, ...input };
  const { status, body, text } = await owner.post<ServiceAccountCreated>('serviceaccounts/', account);
  if (status !== 201) throw new Error(text);
  return body;
}

/** An agent: the client of the official SDK, with `strata mcp` as its server. It records every byte that the server writes. */
export class Agent {
  private readonly client: Client;

  private constructor(
    private readonly home: string,
    era: 'legacy' | 'auto',
  ) {
    this.client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: era } });
  }

  static async connect(url: string, key: string, era: 'legacy' | 'auto' = 'legacy'): Promise<Agent> {
    const { home } = await CommandLine.create({});
    const transport = new StdioClientTransport({
      command: 'sh',
      args: ['-c', `"${process.execPath}" "${PROGRAM}" mcp 2>> errors | tee -a output`],
      env: { PATH: process.env.PATH ?? '', HOME: home, STRATA_KEYRING: 'off', STRATA_URL: url, STRATA_API_KEY: key },
      cwd: home,
    });
    const agent = new Agent(home, era);
    await agent.client.connect(transport);
    return agent;
  }

  /** Starts the agent of an account of its own, which can only read. */
  static async of(core: RunningCore, organization: TestOrganization): Promise<Agent> {
    return Agent.connect(core.origin, (await agentAccount(organization)).apikey);
  }

  get instructions(): string {
    return this.client.getInstructions() ?? '';
  }

  async tools() {
    return (await this.client.listTools()).tools;
  }

  /** Calls a tool. The client rejects a result that does not match the shape of the tool. */
  async call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolResult> {
    const result = (await this.client.callTool({ name, arguments: input })) as CallToolResult;
    const [part] = result.content;
    const text = part?.type === 'text' ? part.text : '';
    const json = text.split('\n').find((line) => line.startsWith('{'));
    const content: ToolContent = JSON.parse(json ?? '{}');
    return { isError: result.isError === true, text, content, data: content.untrusted_data };
  }

  /** Returns everything that the server has written to standard output and standard error. */
  written(): string {
    return `${this.read('output')}\n${this.read('errors')}`;
  }

  read(file: 'output' | 'errors'): string {
    return fs.readFileSync(path.join(this.home, file), 'utf8');
  }

  async close(): Promise<void> {
    await this.client.close();
    fs.rmSync(this.home, { recursive: true, force: true });
  }
}
