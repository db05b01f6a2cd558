import fs from 'node:fs';
import path from 'node:path';
import { samplePlatform } from '../apps/console/src/features/first-run/sample-platform/platform.ts';
import {
  type RunningCore,
  type RunningGateway,
  sharedCore,
  sharedGateway,
  type TestOrganization,
} from '../libs/testkit/src/index.ts';
import { connect } from './seed/client.mjs';
import { load } from './seed/load.mjs';

const { environments, types, webhook, projects, examples } = samplePlatform;
const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

interface Example {
  readonly language: string;
  readonly code: string;
  /** The response, or the part of it that the page shows; null if it shows none. */
  readonly expected: unknown;
}

/** The examples of a page: shell blocks that are directly followed by a JSON block. */
function listExamples(page: string): Example[] {
  const blocks = [...read(page).matchAll(/^```(sh|graphql)\n(.*?)^```\n(?:```json\n(.*?)^```\n)?/gms)];
  return blocks.map(([, language = '', code = '', expected]) => ({
    language,
    code,
    expected: expected === undefined ? null : JSON.parse(expected),
  }));
}

/**
 * Returns the reads in a shell block: the path that `call` requests, and the part of the response that `pick` selects.
 */
function readsIn(code: string): { readonly path: string; readonly pick: string }[] {
  const lines = code.matchAll(/^call "([^"]+)" \| pick '?([\w[\].]+)'?$/gm);
  return [...lines].map(([, path = '', pick = '']) => ({ path, pick }));
}

function picked(body: unknown, pick: string): unknown {
  const keys = pick.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce<unknown>((inside, key) => (inside as Record<string, unknown>)?.[key], body);
}

let core: RunningCore;
let gateway: RunningGateway;
let organization: TestOrganization;
let projectId: string;
beforeAll(async () => {
  [core, gateway] = [await sharedCore(), await sharedGateway()];
  organization = await core.organization();
  const authorization = await organization.authorization('OWNER');
  const api = connect(core.origin, authorization.replace(/^Api-Key /, ''));
  // the base project that every program depends on, and the program of the examples
  await load(api, () => {}, { environments, types, webhook, projects: projects.slice(0, 2), examples });
  const { body } = await organization.owner.get<{ results: { id: string }[] }>('projects/?name=postgresql');
  projectId = body.results[0]?.id ?? '';
});

async function askedInGraphQL(query: string): Promise<unknown> {
  const response = await fetch(`${gateway.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: organization.ownerAuthorization },
    body: JSON.stringify({ query, variables: { project: projectId } }),
  });
  const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

async function askedInShell(code: string): Promise<unknown[]> {
  const responses: unknown[] = [];
  for (const { path: requestPath, pick } of readsIn(code)) {
    const { status, body, text } = await organization.owner.get(requestPath.replaceAll('$PROJECT', projectId));
    expect([requestPath, status, status === 200 ? '' : text]).toEqual([requestPath, 200, '']);
    responses.push(picked(body, pick));
  }
  return responses;
}

const shown = ['explain-a-value', 'compare-environments', 'search-and-lint'].flatMap((guide) =>
  listExamples(`docs/guides/${guide}.md`).flatMap((example) =>
    example.expected === null ? [] : [{ guide, ...example, title: example.code.trim().split('\n')[0] }],
  ),
);

it('the guides have examples', () => {
  expect(shown.length).toBeGreaterThan(12);
});

it.each(shown)('the guide $guide shows the response of $title', async ({ language, code, expected }) => {
  const responses = language === 'graphql' ? [await askedInGraphQL(code)] : await askedInShell(code);
  expect(responses).toHaveLength(1);
  expect(responses).toMatchObject([expected]);
});

it('the requests of the tutorial to explain return something', async () => {
  const reads = listExamples('docs/tutorial.md').filter(({ code }) => code.includes('explain/'));
  const explained = reads.flatMap(({ code }) => code.split('\n').filter((line) => line.includes('explain/')));
  expect(explained.length).toBeGreaterThan(0);
  for (const result of await askedInShell(explained.join('\n'))) expect(result).toBeTruthy();
});
