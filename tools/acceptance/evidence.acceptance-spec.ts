import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AuditCheckpoint, AuditProof } from '@strata/contract';
import { CheckpointKey, ledgerOrigin, readCheckpoints, readWitnessKey } from '@strata/evidence';
import { type OwnCore, sharedCore, startCore } from '@strata/testkit';
import { describeWith, installDebianProgram, installGoProgram, installGoSource } from './tools.ts';
import { Witness } from './witness.ts';

const readProgram = (name: string) => fs.readFileSync(path.join(import.meta.dirname, 'programs', name), 'utf8');
const GO = installGoSource(readProgram('verify-evidence.go'), [
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

/** Of the two versions that the module proxy has, the one that Go 1.26 compiles. */
const TORCHWOOD = 'filippo.io/torchwood';
const FOLLOW = installGoSource(readProgram('follow-log.go'), [`${TORCHWOOD}@v0.6.1`]);
const LITEWITNESS = installGoProgram(`${TORCHWOOD}/cmd/litewitness@v0.6.1`);
const AGENT = installDebianProgram('ssh-agent', 'openssh-client');

describeWith([FOLLOW], 'the log client of torchwood', () => {
  test('follows the log of an organization with several tiles, and verifies each entry', async () => {
    const core = await sharedCore();
    const { owner, ownerAuthorization } = await core.organization();
    for (let at = 0; at < 300; at += 1)
      await owner.post('environments/', { name: `environment ${Math.floor(at / 3)} ${at}` });
    const { body } = await owner.get<AuditCheckpoint>('audit/checkpoints/');
    const follow = () => {
      const input = { base: `${core.origin}/api/v1/audit/log`, authorization: ownerAuthorization, key: body.key };
      return execFileSync(FOLLOW.program, { input: JSON.stringify(input), encoding: 'utf8' }).trim();
    };
    expect(body.revision).toBeGreaterThan(256);
    expect(follow()).toBe(`${body.origin} ${body.revision} ${body.revision}`);
  });
});

describeWith([LITEWITNESS, AGENT], 'two witnesses of litewitness', () => {
  const seed = Buffer.alloc(32, 2);
  const witnesses: Witness[] = [];
  let folder: string;
  let core: OwnCore;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'witness-'));
    for (const name of ['one.example', 'two.example'])
      witnesses.push(await Witness.start(LITEWITNESS.program, folder, name));
    core = await startCore({
      STRATA_CHECKPOINT_KEY: seed.toString('base64'),
      STRATA_WITNESSES: witnesses.map(({ key, url }) => `${key} ${url}`).join(', '),
      STRATA_CHECKPOINT_MINUTES: '1',
    });
  });
  afterAll(async () => {
    await core?.close();
    for (const witness of witnesses) witness.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test('cosign what the core publishes, and continue their earlier cosignatures', async () => {
    const { id, owner, ownerAuthorization } = await core.organization();
    const key = new CheckpointKey(seed).verifierKey(ledgerOrigin(id));
    for (const witness of witnesses) await witness.addLog(ledgerOrigin(id), key);
    const readNote = async () => {
      const headers = { authorization: ownerAuthorization };
      return (await fetch(`${core.origin}/api/v1/audit/log/checkpoint`, { headers })).text();
    };
    const untilCosigned = async (after: number) => {
      for (;;) {
        const note = await readNote();
        const size = readCheckpoints(note, [key])[0]?.size ?? 0;
        const isCosigned = witnesses.every((witness) => readWitnessKey(witness.key).verify(note) !== null);
        if (size > after && isCosigned) return size;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    };
    const first = await untilCosigned(0);
    await owner.post('environments/', { name: 'another' });
    expect(await untilCosigned(first)).toBe(first + 1);
  }, 300_000);
});
