import { publicUrlWarning } from './public-url.ts';

const local = { publicUrl: null, host: '127.0.0.1', isBehindProxy: false } as const;

it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost', 'LOCALHOST'])('needs no public URL on %s', (host) => {
  expect(publicUrlWarning({ ...local, host })).toBeNull();
});

it.each(['0.0.0.0', '::', '10.0.0.1', 'fd00::1', 'core', 'localhost.example.com'])('names the address %s', (host) => {
  expect(publicUrlWarning({ ...local, host })).toContain(`STRATA_HOST is ${host}. `);
  expect(publicUrlWarning({ ...local, host, publicUrl: 'https://config.example.com' })).toBeNull();
});

it('names the proxy if other machines reach a local address through it', () => {
  expect(publicUrlWarning({ ...local, isBehindProxy: true })).toContain('STRATA_TRUST_PROXY is set');
  expect(publicUrlWarning({ ...local, isBehindProxy: true, publicUrl: 'https://config.example.com' })).toBeNull();
});
