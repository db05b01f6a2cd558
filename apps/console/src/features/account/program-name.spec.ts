import { programName } from './program-name.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

test.each([
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['Firefox on iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT} FxiOS/145.0 Mobile/15E148`],
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/142.0.0.0`],
  ['Opera on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36 OPR/124.0.0.0`],
  ['Samsung Internet on Android', `Mozilla/5.0 (Linux; Android 10; K) SamsungBrowser/28.0 ${CHROME} Safari/537.36`],
  ['Safari on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.6 Safari/605.1.15`],
  [
    'Safari on iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${WEBKIT} Version/18.6 Mobile/15E148 Safari/604.1`,
  ],
  ['Safari on iPad', `Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${WEBKIT} Version/18.6 Mobile/15E148 Safari/604.1`],
  ['Chrome', `Mozilla/5.0 (Unknown) ${CHROME} Safari/537.36`],
  ['curl 8.5.0', 'curl/8.5.0'],
  ['python-requests 2.32.3', 'python-requests/2.32.3'],
  ['deploy script', 'deploy script'],
  [`Mozilla/5.0 ${'x'.repeat(48)} …`, `Mozilla/5.0 ${'x'.repeat(200)}`],
  ['Unknown program', ' '],
])('shows "%s"', (expected, userAgent) => {
  expect(programName(userAgent)).toBe(expected);
});
