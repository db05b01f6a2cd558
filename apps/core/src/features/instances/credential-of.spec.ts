import type { Caller, VerifiedCredential } from '../../platform/caller.ts';
import { describeCredential } from './describe-credential.ts';

const SESSION = '6f2c1a34-0000-4000-8000-000000000001';
const RULE = '6f2c1a34-0000-4000-8000-000000000002';

const caller = (credential: Partial<VerifiedCredential>): Pick<Caller, 'authorization'> => ({
  authorization: {
    credential: {
      keyPrefix: null,
      keyScopes: null,
      sessionId: null,
      trustRuleId: null,
      satisfiesSso: true,
      isWorkload: false,
      tokenVersion: null,
      expiresAt: 0,
      ...credential,
    },
    ability: 'read',
    scope: null,
  },
});

test.each`
  credential                                   | text
  ${{ keyPrefix: 'abc' }}                      | ${'key:abc'}
  ${{ keyPrefix: 'abc', sessionId: SESSION }}  | ${'key:abc'}
  ${{ trustRuleId: RULE, sessionId: SESSION }} | ${`workload:${RULE}`}
  ${{ sessionId: SESSION }}                    | ${`session:${SESSION}`}
  ${{ tokenVersion: 1 }}                       | ${'token'}
`('a program that signs in again keeps its instances: $credential is $text', ({ credential, text }) => {
  expect(describeCredential(caller(credential))).toBe(text);
});
