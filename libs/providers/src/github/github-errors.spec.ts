import { ProviderError } from '../provider-error.ts';
import { PUT, provider, startGitHubTests, TENANT, thrownBy, write } from '../testing/github-tests.ts';

const { stand, environment, newInstallation, open, operations } = await startGitHubTests();

describe('errors of GitHub', () => {
  it.each`
    code           | status | kind           | pause
    ${'forbidden'} | ${403} | ${'denied'}    | ${null}
    ${'secondary'} | ${403} | ${'rate'}      | ${60}
    ${'primary'}   | ${403} | ${'rate'}      | ${120}
    ${'many'}      | ${429} | ${'rate'}      | ${0}
    ${'invalid'}   | ${422} | ${'invalid'}   | ${null}
    ${'conflict'}  | ${409} | ${'conflict'}  | ${null}
    ${'broken'}    | ${502} | ${'retryable'} | ${null}
  `('with $status $code are $kind, without the text or the token', async ({ code, status, kind, pause }) => {
    const { settings } = newInstallation();
    const store = await open(settings);
    stand.interfere(({ operation }) => (operation === PUT ? { kind: 'error', code, status } : null));

    const error = await thrownBy(store.create(write('shop/KEY', 'CANARY')));

    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind });
    const { retryAfterSeconds } = error as ProviderError;
    if (pause === null) expect(retryAfterSeconds).toBeNull();
    else expect(Math.abs((retryAfterSeconds ?? Number.NaN) - pause)).toBeLessThanOrEqual(2);
    for (const secret of ['CANARY', ...stand.tokens()])
      expect(JSON.stringify(error) + String(error)).not.toContain(secret);
    store.close();
  });

  it('of a write are not repeated, because the secret can change meanwhile', async () => {
    const { settings } = newInstallation();
    const store = await open(settings);
    stand.interfere(({ operation }) => (operation === PUT ? { kind: 'error', code: 'many', status: 429 } : null));
    stand.clear();

    await expect(store.create(write('shop/KEY', 'ours'))).rejects.toMatchObject({ kind: 'rate' });

    expect(operations().filter((operation) => operation === PUT)).toHaveLength(1);
    store.close();
  });

  it('that lose a response are temporary', async () => {
    const { settings } = newInstallation();
    const store = await open(settings);
    stand.interfere(() => ({ kind: 'lost_response' }));

    await expect(store.read('shop/KEY')).rejects.toMatchObject({ kind: 'retryable' });
    store.close();
  });

  it('keep requests from private addresses unless the operator allows them, and from a closed fence', async () => {
    const { settings } = newInstallation();
    stand.clear();

    const rejected = provider.test(settings, environment({}, [], false), TENANT);
    await expect(rejected).rejects.toMatchObject({ kind: 'invalid', code: 'PRIVATE_ADDRESS' });
    const fence = { isOpen: () => false, signal: new AbortController().signal };
    const { guard, ...rest } = environment();
    const fenced = provider.test(settings, { ...rest, guard: { ...guard, fence } }, TENANT);
    await expect(fenced).rejects.toMatchObject({ kind: 'retryable', code: 'FENCE_CLOSED' });

    expect(stand.calls()).toEqual([]);
  });
});
