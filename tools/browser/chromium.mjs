// A Chromium for tests and pictures, wherever they run: nothing has to be installed by hand, and nothing but packages is
// downloaded. The one that came with the packages goes first, since the lockfile says which it is; it runs on Linux on x64.
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

/** A language, since Chromium without one takes the machine's, which need not be one that it can spell numbers in. */
const WORDS = { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' };
/** Text that looks the same on every machine. */
const SAME_LOOK = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];

/**
 * A running browser, or a sentence that says why there is none here. Only pages of this machine are opened in it, so it needs
 * no sandbox, which it could not have as root.
 */
export async function startBrowser() {
  const found = findChromium();
  if (!found) {
    return { missing: 'No Chromium for this machine: set CHROMIUM_PATH to one, or install Chromium or Chrome.' };
  }
  try {
    const browser = await chromium.launch({
      executablePath: found.executable,
      chromiumSandbox: false,
      args: SAME_LOOK,
      env: { ...process.env, ...WORDS, ...found.env },
    });
    return { browser };
  } catch (error) {
    return { missing: `${found.executable} does not start: ${error.message.split('\n')[0]}` };
  }
}

/** Where a Chromium is, and what it needs in its environment; undefined when there is none. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return { executable: given, env: {} };
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

/** Unpacks into a temporary folder and renames it at the end, so that two runs at once do not disturb each other. */
function unpack(bin, home) {
  fs.mkdirSync(path.dirname(home), { recursive: true });
  const draft = fs.mkdtempSync(`${home}-`);
  const files = JSON.stringify(PARTS.map((part) => path.join(bin, part)));
  // The package unpacks into the directory for temporary files, which only a process of its own can have elsewhere.
  const code = `import { inflate } from '${PACKAGE}'; await Promise.all(${files}.map((file) => inflate(file)));`;
  execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: path.dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: draft, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  fs.chmodSync(path.join(draft, 'chromium'), 0o755);
  fs.writeFileSync(path.join(draft, 'fonts.conf'), fontsOf(home));
  try {
    fs.renameSync(draft, home);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(home)) throw error;
  }
}

/** The font configuration. Without a system font, the browser shows no text, even while the page's own fonts load. */
const fontsOf = (home) => `<?xml version="1.0"?>
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
