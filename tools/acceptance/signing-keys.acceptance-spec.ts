import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AuthToken } from '@strata/contract';
import { RawClient, sharedCore, testCredentials } from '@strata/testkit';
import { describeWith, installPythonProgram } from './tools.ts';

const PROGRAM = path.join(import.meta.dirname, 'programs', 'verify_token.py');
const PYTHON = await installPythonProgram('python', 'PyJWT[crypto]==2.15.1');

describeWith([PYTHON], 'PyJWT', () => {
  test('verifies a token of Strata with the published keys, and rejects a changed one', async () => {
    const core = await sharedCore();
    const { ownerEmail: email, ownerPassword: password } = testCredentials();
    const { body } = await new RawClient(core.origin, null).post<AuthToken>('auth/token/', { email, password });
    const verify = async (token: string) =>
      (await promisify(execFile)(PYTHON.program, [PROGRAM, `${core.origin}/.well-known/jwks.json`, token])).stdout;

    expect(JSON.parse(await verify(body.access_token))).toMatchObject({
      iss: 'strata',
      organization: body.organization,
    });
    const [header, , signature] = body.access_token.split('.');
    const claims = Buffer.from('{"iss":"strata","aud":"strata","sub":"attacker"}').toString('base64url');
    await expect(verify([header, claims, signature].join('.'))).rejects.toThrow('Signature verification failed');
  });
});
