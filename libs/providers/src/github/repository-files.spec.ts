import { provider, startGitHubTests, write } from '../testing/github-tests.ts';

const { newInstallation, open } = await startGitHubTests();

describe('files of GitHub repositories', () => {
  it('are read at a branch, also if its name or the path has special characters', async () => {
    const { repositories, organization, settings } = newInstallation();
    repositories.writeFile('shop', 'feature/1', 'config/a b.json', '{"a": 1}');
    repositories.writeFile('shop', 'main', 'logo.png', Buffer.from([0xff, 0xfe]));
    const location = provider.locate('shop/feature%2F1/config/a%20b.json');
    if (!location) throw new Error('The location is valid.');
    const store = await open(settings, location.location);

    expect(organization).toMatch(/^Acme-/);
    expect(await store.read(location.key)).toMatchObject({ text: '{"a": 1}' });
    expect(await store.read('shop/main/logo.png')).toMatchObject({ text: null });
    for (const key of [
      'shop/main/none',
      'shop/feature%2F1/config',
      'none/main/a',
      'shop/main/../a',
      'shop/main/%E0%A4',
    ])
      expect(await store.read(key)).toBeNull();
    await expect(store.create(write('shop/main/a', 'x'))).rejects.toMatchObject({ code: 'read_only' });
    store.close();
  });

  it('are not read beyond a mebibyte', async () => {
    const { repositories, settings } = newInstallation();
    repositories.writeFile('shop', 'main', 'large', 'x'.repeat(1_048_577));
    const store = await open(settings, { region: null, service: 'contents' });

    await expect(store.read('shop/main/large')).rejects.toMatchObject({ kind: 'invalid', code: 'content_too_large' });
    store.close();
  });

  it.each(['', 'shop', 'shop/main', 'shop/main/', '/main/a'])('have no location %s', (text) => {
    expect(provider.locate(text)).toBeNull();
  });
});
