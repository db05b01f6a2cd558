const CONTACT = 'If it happens again, contact your administrator.';

/** The sentences for the codes with which the gateway and the core reject a sign-in with an identity provider. */
const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['provider_unknown', 'This identity provider is no longer available. Choose another way to sign in.'],
  ['provider_unavailable', `The identity provider does not respond. Try again in a moment. ${CONTACT}`],
  ['issuer_unavailable', `The identity provider does not respond. Try again in a moment. ${CONTACT}`],
  [
    'provider_misconfigured',
    'The settings of Strata and of the identity provider do not match. Contact your administrator: the log of the gateway contains the reason.',
  ],
  ['provider_denied', 'The sign-in was canceled or denied at the identity provider. Try again.'],
  ['provider_failed', `The identity provider reported an error. Try again. ${CONTACT}`],
  ['sign_in_expired', 'The sign-in took more than ten minutes, or was started in another browser. Start again.'],
  [
    'sign_in_mismatch',
    'The response of the identity provider does not belong to the last sign-in of this browser. Start again, in one tab only.',
  ],
  ['other_address', 'The identity provider works only at this address. Start again here.'],
  ['other_origin', 'Another site opened the sign-in. Start again here.'],
  ['bad_credential', `Strata rejected the response of the identity provider. Try again. ${CONTACT}`],
  [
    'no_organization',
    'Strata could not match this account to a member of an organization. Contact your administrator.',
  ],
  [
    'sso_required',
    'Your organization requires single sign-on with its own identity provider. Sign in with that provider.',
  ],
  [
    'known_otherwise',
    'Your e-mail address belongs to another account of the identity provider. Sign in with that account, or contact your administrator.',
  ],
]);

/** Returns what happened, and what the user can do. */
export const providerSignInProblem = (code: string): string =>
  PROBLEMS.get(code) ?? `You could not be signed in. Try again. ${CONTACT}`;
