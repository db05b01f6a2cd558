import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { AuditCheckpoint, AuditProof } from '@strata/contract';
import { sharedCore } from '@strata/testkit';
import { describeWith, installGoSource } from './tools.ts';

const SOURCE = path.join(import.meta.dirname, 'programs', 'verify-evidence.go');
const GO = installGoSource(fs.readFileSync(SOURCE, 'utf8'), [
  'github.com/transparency-dev/merkle@v0.0.2',
  'golang.org/x/mod@v0.43.0',
]);

describeWith([GO], 'the libraries of the checksum database of Go, and of transparency.dev', () => {
  const verify = (input: object): string => {
    try {
      return execFileSync(GO.program, { input: JSON.stringify(input), encoding: 'utf8' }).trim();
    } catch (error) {
      return String((error as { readonly stdout: string }).stdout).trim();
    }
  };

  test('verify checkpoints and proofs of each changeset, and reject another changeset', async () => {
    const { owner } = await (await sharedCore()).organization();
    const checkpoints: AuditCheckpoint[] = [];
    for (let at = 0; at < 9; at += 1) {
      await owner.post('environments/', { name: `environment ${at}` });
      checkpoints.push((await owner.get<AuditCheckpoint>('audit/checkpoints/')).body);
    }
    const size = checkpoints.at(-1)?.revision ?? 0;
    for (const [at, earlier] of checkpoints.entries())
      for (let revision = 1; revision <= size; revision += 1) {
        const query = `audit/proof/?revision=${revision}&since=${earlier.revision}&checkpoint=${size}`;
        const { body } = await owner.get<AuditProof>(query);
        expect(verify({ ...body, earlier })).toBe('verified');
        const next = (revision % size) + 1;
        if (at === 0) expect(verify({ ...body, revision: next, earlier })).not.toBe('verified');
      }
  });
});
