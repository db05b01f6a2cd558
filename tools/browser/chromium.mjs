// Provides a Chromium for tests and pictures. Nothing has to be installed by hand, and only packages are downloaded.
// The Chromium from the packages is preferred, because the lockfile determines its version; it runs on Linux on x64.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { root } from '../ensure.mjs';

const PACKAGE = '@sparticuz/chromium';
const PARTS = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * The locale of the browser. Without one, Chromium uses the machine's locale, which it may not be able to format
 * numbers in.
 */
const WORDS = { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' };
/** Options that make text look the same on every machine. */
const SAME_LOOK = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];

/**
 * Returns a running browser, or a sentence that says why this machine has none. The browser opens only local pages, so
 * it runs without its sandbox, which would not work as root.
 */
export async function startBrowser() {
  const browserFile = findChromium();
  if (!browserFile) {
    return { missing: 'No Chromium for this machine: set CHROMIUM_PATH to one, or install Chromium or Chrome.' };
  }
  try {
    const browser = await chromium.launch({
      executablePath: browserFile.executable,
      chromiumSandbox: false,
      args: SAME_LOOK,
      env: { ...process.env, ...WORDS, ...browserFile.env },
    });
    return { browser };
  } catch (error) {
    return { missing: `${browserFile.executable} does not start: ${error.message.split('\n')[0]}` };
  }
}

/** Returns the path of a Chromium and the environment that it needs; undefined if there is none. */
export function findChromium() {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath) return { executable: configuredPath, env: {} };
  return packaged() ?? installed();
}

function packaged() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const bin = path.join(root, 'node_modules', PACKAGE, 'bin');
  if (!fs.existsSync(path.join(bin, PARTS[0]))) return undefined;
  const { version } = JSON.parse(fs.readFileSync(path.join(bin, '..', 'package.json'), 'utf8'));
  const home = path.join(root, 'node_modules', '.cache', 'strata', `chromium-${version}`);
  if (!fs.existsSync(home)) unpack(bin, home);
  const executable = path.join(home, 'chromium');
  const env = { FONTCONFIG_FILE: path.join(home, 'fonts.conf') };
  if (!lacksLibraries(executable)) return { executable, env };
  const libraries = [path.join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean);
  return { executable, env: { ...env, LD_LIBRARY_PATH: libraries.join(':') } };
}

/**
 * Unpacks into a temporary folder that is renamed at the end, so that two concurrent runs do not disturb each other.
 */
function unpack(bin, home) {
  fs.mkdirSync(path.dirname(home), { recursive: true });
  const draft = fs.mkdtempSync(`${home}-`);
  const files = JSON.stringify(PARTS.map((part) => path.join(bin, part)));
  // The package unpacks into the directory for temporary files. Only a separate process can use a different one.
  const code = `import { inflate } from '${PACKAGE}'; await Promise.all(${files}.map((file) => inflate(file)));`;
  execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: path.dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: draft, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  fs.chmodSync(path.join(draft, 'chromium'), 0o755);
  fs.writeFileSync(path.join(draft, 'fonts.conf'), fontConfiguration(home));
  try {
    fs.renameSync(draft, home);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(home)) throw error;
  }
}

/**
 * Returns the font configuration. Without a system font, the browser shows no text, even while the page's own fonts
 * load.
 */
const fontConfiguration = (home) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${home}/fonts/fonts</dir>
  <cachedir>${home}/font-cache</cachedir>
</fontconfig>
`;

/** Returns whether the system lacks libraries that the browser needs. A bare Debian has no NSS and NSPR; the package contains them. */
function lacksLibraries(executable) {
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  return !stdout || stdout.includes('not found');
}

function installed() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const places = [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...MAC];
  const executable = places.find((place) => fs.existsSync(place));
  return executable && { executable, env: {} };
}
