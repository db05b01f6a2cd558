import { isLinkLocalHost, isLoopbackHost } from './service-host.ts';

/** Normalizes the host like the URL parser, which `env.ts` also uses. */
const parseHost = (url: string) => new URL(url).hostname;

describe('a service host', () => {
  it.each([
    'http://169.254.169.254/latest/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://169.254.1/',
    'http://[fe80::1]/',
    'http://[FEBF::1]:80/',
    'http://[::ffff:169.254.169.254]/',
  ])('is link-local: %s', (url) => {
    expect([isLinkLocalHost(parseHost(url)), isLoopbackHost(parseHost(url))]).toEqual([true, false]);
  });

  it.each(['http://127.0.0.1:9/', 'http://127.1/', 'http://localhost/', 'http://[::1]/'])(
    'is this machine: %s',
    (url) => {
      expect([isLinkLocalHost(parseHost(url)), isLoopbackHost(parseHost(url))]).toEqual([false, true]);
    },
  );

  it.each([
    'https://169.253.0.1/',
    'https://login.example/',
    'http://core:3000/',
    'http://[fec0::1]/',
    'http://10.0.0.1/',
  ])('is another host: %s', (url) => {
    expect([isLinkLocalHost(parseHost(url)), isLoopbackHost(parseHost(url))]).toEqual([false, false]);
  });
});
