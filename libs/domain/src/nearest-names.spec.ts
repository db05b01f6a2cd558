import fc from 'fast-check';
import { nearestNames } from './nearest-names.ts';

const NAMES = ['HOST', 'http_port', 'PORT', 'POTR_RANGE', 'log_level', 'α_name'];

it.each`
  requested      | found
  ${'port'}      | ${['PORT', 'http_port']}
  ${'PROT'}      | ${['PORT']}
  ${'POR'}       | ${['PORT', 'http_port']}
  ${'PORTS'}     | ${['PORT']}
  ${'HOTS'}      | ${['HOST']}
  ${'loglevel'}  | ${['log_level']}
  ${'LOG-LEVLE'} | ${['log_level']}
  ${'level'}     | ${['log_level']}
  ${'β_name'}    | ${['α_name']}
  ${'x'}         | ${[]}
  ${'something'} | ${[]}
`('suggests $found for $requested', ({ requested, found }) => {
  expect(nearestNames(requested, NAMES, 5)).toEqual(found);
});

it('returns the nearest names first, up to the requested count', () => {
  expect(nearestNames('timeout', ['timeout_ms', 'timeouts', 'Timeout', 'imeout'], 3)).toEqual([
    'Timeout',
    'timeouts',
    'imeout',
  ]);
});

it('finds every name that is one typo away, wherever the typo is', () => {
  const name = fc.stringMatching(/^[a-z_]{3,40}$/);
  fc.assert(
    fc.property(name, fc.nat(), fc.constantFrom('add', 'drop', 'replace'), (original, where, slip) => {
      const at = where % original.length;
      const middle = slip === 'drop' ? '' : slip === 'add' ? `9${original[at]}` : '9';
      const wrong = original.slice(0, at) + middle + original.slice(at + 1);
      expect(nearestNames(wrong, [original], 1)).toEqual([original]);
    }),
  );
});

it('limits its work for any number of long names', () => {
  // The texts differ at both ends, so the whole table must be computed.
  const names = Array.from({ length: 20_000 }, (_, index) => `${index % 10}${'n'.repeat(240)}${index % 10}`);
  const began = process.cpuUsage();
  expect(nearestNames(`x${'n'.repeat(240)}x`, names, 5)).toHaveLength(5);
  const { user, system } = process.cpuUsage(began);
  // Measures the microseconds of processor time, because a busy machine may take far longer. Unbounded work would take
  // hours.
  expect(user + system).toBeLessThan(30_000_000);
});
