// The job that runs the action, and GitHub's REST API.
import fs from 'node:fs';
import { getInput } from '@actions/core';
import { HttpClient } from '@actions/http-client';
import { decodeText } from '@strata/domain';

/** The part of an event that the action reads. */
interface EventPayload {
  readonly pull_request?: {
    readonly number: number;
    readonly head?: { readonly repo?: { readonly full_name?: string } | null };
  };
  readonly repository?: { readonly full_name?: string };
}

export interface Comment {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  readonly body?: string;
}

export interface PullRequest {
  readonly number: number;
  readonly merged_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly base: { readonly ref: string };
}

interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: object;
}

interface ApiResponse<Body> {
  readonly body: Body;
  /** The URL of the next page; null after the last one. */
  readonly next: string | null;
}

const TIMEOUT_MS = 60_000;
const { env } = process;

/** Facts about the job, which the runner passes in variables. */
export const context = {
  payload: readEvent(env.GITHUB_EVENT_PATH),
  eventName: env.GITHUB_EVENT_NAME ?? '',
  sha: env.GITHUB_SHA ?? '',
  ref: env.GITHUB_REF ?? '',
  runId: env.GITHUB_RUN_ID ?? '',
  repositoryUrl: `${env.GITHUB_SERVER_URL ?? 'https://github.com'}/${env.GITHUB_REPOSITORY}`,
};

function readEvent(file: string | undefined): EventPayload {
  return file ? JSON.parse(decodeText(fs.readFileSync(file)).text ?? '{}') : {};
}

/** Sends one request about the repository of the job. `path` is below the repository, or a whole URL. */
export async function requestGitHub<Body>(path: string, request: ApiRequest = {}): Promise<ApiResponse<Body>> {
  const { method = 'GET', body } = request;
  const client = new HttpClient('strata-action', [], { socketTimeout: TIMEOUT_MS });
  const api = `${env.GITHUB_API_URL ?? 'https://api.github.com'}/repos/${env.GITHUB_REPOSITORY}/`;
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${getInput('github-token', { required: true })}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const response = await client.request(method, new URL(path, api).href, body ? JSON.stringify(body) : null, headers);
  const { statusCode: status = 0, headers: answered } = response.message;
  const text = await response.readBody();
  if (status < 200 || status >= 300) throw Object.assign(new Error(describeError(status, text)), { status });
  return { body: text === '' ? null : JSON.parse(text), next: nextPage(String(answered.link ?? '')) };
}

/** Returns the items of all pages. */
export async function requestAllPages<Item>(path: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let next: string | null = `${path}?per_page=100`; next !== null; ) {
    const page: ApiResponse<readonly Item[]> = await requestGitHub(next);
    items.push(...page.body);
    next = page.next;
  }
  return items;
}

function nextPage(link: string): string | null {
  return /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? null;
}

function describeError(status: number, text: string): string {
  try {
    return `GitHub: ${JSON.parse(text).message}`;
  } catch {
    return `GitHub answered with status ${status}.`;
  }
}
