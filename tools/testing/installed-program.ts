import fs from 'node:fs';
import path from 'node:path';
import { PROGRAM } from '../../apps/e2e/src/command-line.ts';
import type { RunningCore } from '../../libs/testkit/src/index.ts';
import type { Guide } from './guide.ts';

/** Installs the program `strata` in the folder of a guide, and returns the variables of a shell that finds it. */
export function installedProgramVariables(guide: Guide, core: RunningCore): Readonly<Record<string, string>> {
  const bin = path.join(guide.directory, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'strata'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
    mode: 0o755,
  });
  const PATH = `${bin}:${path.dirname(process.execPath)}:${process.env.PATH}`;
  return { PATH, HOME: guide.directory, STRATA_KEYRING: 'off', STRATA_URL: core.origin };
}
