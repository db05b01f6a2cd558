import { readFileSync } from 'node:fs';
import type { ProblemDetails } from '@strata/contract';
import { type Reply, type RunningCore, requestHeaders, sharedCore } from '@strata/testkit';
import { type ErrorCase, ErrorCaseSetup, type ErrorCases, type MessageLocation } from './testing/error-case.ts';
import { SCOPES } from './testing/error-cases-of-scopes.ts';
import { TEXTS } from './testing/error-cases-of-texts.ts';
import { VALUES } from './testing/error-cases-of-values.ts';

/**
 * An entry of docs/spec/errors.md. The errors of behaviour.md for content that is binary, too large or does not match
 * its filter cannot occur here, because no provider has such content: ADR 0015.
 */
interface CatalogueEntry {
  readonly status: number;
  readonly shape: string;
  readonly codes: readonly string[];
}

const catalogue: ReadonlyMap<string, CatalogueEntry> = new Map(
  readFileSync(new URL('../../../docs/spec/errors.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^\| E\d/.test(line))
    .map((line) => {
      const [code = '', , status, shape = '', codes = ''] = line.slice(2).split(' | ');
      const named = [...codes.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
      return [code, { status: Number(status), shape: shape.replaceAll('`', ''), codes: named }];
    }),
);

/** The cases in the order of their codes. Each case must return its status and its shape. */
const ERROR_CASES: ErrorCases = { ...SCOPES, ...VALUES, ...TEXTS };

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

function readMessages(body: unknown, shape: MessageLocation): unknown {
  if (shape === 'array') return body;
  if (shape === 'detail') return [(body as { detail?: unknown }).detail];
  return (body as Record<string, unknown>)[shape.field];
}

/** Returns the body that a client without problem details gets. */
function plainBody({ errors, detail }: ProblemDetails): unknown {
  if (errors === undefined) return { detail };
  if (errors.every(({ field }) => field === undefined)) return errors.map((error) => error.detail);
  const byField = Map.groupBy(errors, ({ field }) => field ?? '');
  return Object.fromEntries(
    [...byField].map(([field, fieldErrors]) => [field, fieldErrors.map((error) => error.detail)]),
  );
}

/** The cases without a pointer, and the reason. All other errors have one. */
const WITHOUT_POINTER: Readonly<Record<string, string>> = {
  E1: 'it is about the credential',
  E2: 'it is about the role of the caller',
  E4: 'it is about the API key of the caller',
};

/** Parts of sentences that do not depend on the request. */
const FIXED = [
  ...['Incorrect authentication credentials.', 'You do not have permission to perform this action.'],
  ...['No ParameterType matches the given query.', 'mask_secrets=true', 'force=true', 'create_missing', 'must be true'],
  ...['include_parameters', 'include_secrets', 'include_templates'],
];

/** Returns the numbers, the quoted names and the expected words of a sentence that depend on the request. */
function namesAndNumbers(detail: string, expectedTexts: readonly string[]): readonly string[] {
  const matches = [...detail.matchAll(/`([^`]+)`|"([^"]+)"|(?<![\w.[{-])(\d+)(?![\w\]])/g)];
  const quoted = matches.map(([, first, second, number]) => first ?? second ?? number ?? '');
  return [
    ...quoted,
    ...expectedTexts.filter((text) => detail.includes(text)).map((text) => text.replaceAll('`', '')),
  ].filter((word) => !FIXED.includes(word));
}

describe('the error catalogue', () => {
  it('has a case here for every error', () => {
    const caseNames = Object.keys(ERROR_CASES).map((name) => name.replace(/,.*/, ''));
    expect(catalogue.size).toBeGreaterThan(40);
    expect([...new Set(caseNames)]).toEqual([...catalogue.keys()]);
  });

  it.each(Object.entries(ERROR_CASES).map(([code, [what]]) => [code, what]))(
    'describes %s correctly: %s',
    async (code) => {
      const [, errorCase, status, shape, ...expectedParts] = ERROR_CASES[code] as ErrorCase;
      const response = await errorCase(new ErrorCaseSetup(core, await core.organization()));

      expect([code, [status].flat()]).toEqual([code, expect.arrayContaining([response.status])]);
      const messages = readMessages(response.body, shape);
      expect([code, response.text, messages]).toEqual([code, response.text, expect.any(Array)]);
      for (const message of messages as unknown[]) {
        expect([code, message]).toEqual([code, expect.stringMatching(/\S{2,}.*[.!`']?$/s)]);
      }
      for (const word of expectedParts)
        expect([code, (messages as string[]).join(' ')]).toEqual([code, expect.stringContaining(word)]);
      expect(response.headers['x-error-code']).toMatch(/^[a-z_]+$/);

      const entry = catalogue.get(code.replace(/,.*/, ''));
      expect([code, entry?.status]).toEqual([code, response.status]);
      expect([code, entry?.codes]).toEqual([code, expect.arrayContaining([response.headers['x-error-code']])]);
      expect([code, entry?.shape]).toEqual([code, typeof shape === 'string' ? shape : shape.field]);
    },
  );

  it.each(Object.keys(ERROR_CASES))('has %s as data too, with the same sentences', async (code) => {
    const [, errorCase, , , ...expectedTexts] = ERROR_CASES[code] as ErrorCase;
    const arrange = async () => new ErrorCaseSetup(core, await core.organization());
    const plain = await errorCase(await arrange());
    const accept = { accept: 'application/json, application/problem+json' };
    const setup = await arrange();
    const response = (await requestHeaders.run(accept, () => errorCase(setup))) as Reply<ProblemDetails>;

    expect([code, response.headers['content-type']]).toEqual([code, 'application/problem+json']);
    expect(plain.headers['content-type']).toBe('application/json');
    expect(plainBody(response.body)).toEqual(plain.body);
    const { status, headers } = plain;
    expect([response.status, response.body.code]).toEqual([status, headers['x-error-code']]);
    const isWithoutPointer = Object.hasOwn(WITHOUT_POINTER, code);
    expect([code, response.body.pointer]).toEqual([code, isWithoutPointer ? '' : expect.stringMatching(/^\/./)]);
    for (const { detail, params } of response.body.errors ?? [response.body]) {
      const shownParams = Object.values(params).flat().join(', ');
      for (const name of namesAndNumbers(detail, expectedTexts as string[])) {
        expect([code, detail, shownParams]).toEqual([code, detail, expect.stringContaining(name)]);
      }
    }
  });

  it('sends problem details only to clients that name their type', async () => {
    const { owner } = await core.organization();
    for (const accept of ['*/*', 'application/*', 'application/json', 'application/problem+json;q=0', 'text/html']) {
      const response = await owner.get('projects/?page=x', { accept });
      expect([accept, response.headers['content-type'], response.text]).toEqual([
        accept,
        'application/json',
        '{"detail":"Invalid page."}',
      ]);
    }
  });
});
