import { createProblemAt, type Problem } from './failure.ts';
import { type Sentence, sentence } from './sentence.ts';
import { matchesWildcards } from './wildcards.ts';

/** A rule by which tokens of an issuer are accepted from workloads. */
export interface WorkloadTrust {
  /** The exact `iss` claim. */
  readonly issuer: string;
  /** One of the texts in the `aud` claim. */
  readonly audience: string;
  /** A pattern of the whole `sub` claim, in which `*` matches any characters except `/` and `:`. */
  readonly subject: string;
  /** Further claims, with their exact texts. */
  readonly claims: Readonly<Record<string, string>>;
}

/** The claims of a token whose signature is verified. */
export type WorkloadClaims = Readonly<Record<string, unknown>>;

export const TRUST_RULES_MAX = 20;
/** A rule is compared with every token of its issuer, so the length limits the time for a comparison. */
const SUBJECT_LENGTH_MAX = 1_024;

const SEPARATOR = /([/:])/;

/**
 * Returns whether a subject matches a pattern from its first to its last character. `*` crosses neither `/` nor `:`,
 * because issuers separate the parts of a subject with them: `repo:octo/*` would otherwise accept every branch and pull
 * request, too.
 */
export function matchesSubject(pattern: string, subject: string): boolean {
  const expected = pattern.split(SEPARATOR);
  const actualParts = subject.split(SEPARATOR);
  return (
    expected.length === actualParts.length &&
    expected.every((part, index) => matchesWildcards(part, actualParts[index] ?? ''))
  );
}

/** Returns whether a rule accepts a token with these claims. */
export function acceptsWorkload(
  { issuer, audience, subject, claims: requiredClaims }: WorkloadTrust,
  token: WorkloadClaims,
) {
  const { iss, aud, sub } = token;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return (
    iss === issuer &&
    audiences.includes(audience) &&
    typeof sub === 'string' &&
    sub.length <= SUBJECT_LENGTH_MAX &&
    matchesSubject(subject, sub) &&
    Object.entries(requiredClaims).every(([name, text]) => claimText(token[name]) === text)
  );
}

/** Some issuers write ids as numbers, others as texts. Any other value equals no text. */
function claimText(claim: unknown): string | null {
  if (typeof claim === 'string') return claim;
  return Number.isSafeInteger(claim) ? String(claim) : null;
}

/** Claims of GitHub that never belong to another repository or owner. */
const GITHUB_IDS = ['repository_id', 'repository_owner_id'];
/** Claims of GitLab that never belong to another project or group. */
const GITLAB_IDS = ['project_id', 'namespace_id'];

/** Returns everything that is wrong with a new rule. `issuers` are those that the operator allows. */
export function validateTrustRule(rule: WorkloadTrust, issuers: readonly string[]): readonly Problem[] {
  const messages = {
    issuer: issuerProblem(rule, issuers),
    audience: audienceProblem(rule),
    subject: subjectProblem(rule.subject),
    claims: claimsProblem(rule),
  };
  return Object.entries(messages).flatMap(([field, text]) => (text === null ? [] : [createProblemAt([field], text)]));
}

function issuerProblem({ issuer }: WorkloadTrust, issuers: readonly string[]): string | Sentence<'choices'> | null {
  if (issuers.includes(issuer)) return null;
  return issuers.length === 0
    ? 'This installation accepts no tokens of workloads. Ask its operator to add the issuer to STRATA_WORKLOAD_ISSUERS.'
    : sentence`Enter the exact URL of an issuer that the operator of this installation allows: ${{ choices: issuers }}.`;
}

function audienceProblem({ audience }: WorkloadTrust): string | null {
  if (!audience.includes('*')) return null;
  return 'Enter the exact audience. Patterns are not allowed, because a token for another service could be used here.';
}

/** Returns what is wrong with the pattern of a subject, or null. */
export function subjectProblem(pattern: string): string | null {
  if (/\p{Control}/u.test(pattern) || pattern !== pattern.trim()) {
    return 'Enter a pattern without control characters, and without blanks around it.';
  }
  if (pattern.includes('**')) return 'Use a single `*`. It matches any characters except `/` and `:`.';
  if (/^[*/:]*$/.test(pattern)) return 'Enter more than `*`. This pattern would accept any workload of the issuer.';
  return null;
}

function claimsProblem({ issuer, subject, claims }: WorkloadTrust): string | null {
  if (isGitHub(issuer) && !hasAny(claims, GITHUB_IDS)) {
    return 'Require the claim `repository_id` or `repository_owner_id`, because GitHub can give the name of a repository or owner to another one.';
  }
  if (/^project_path:[^/:]*\*/.test(subject) && !hasAny(claims, GITLAB_IDS)) {
    return 'Require the claim `project_id` or `namespace_id`, because the subject accepts projects of other groups.';
  }
  return null;
}

const hasAny = (claims: WorkloadTrust['claims'], names: readonly string[]) =>
  names.some((name) => claims[name] !== undefined);

/** GitHub, GitHub Enterprise Cloud with its own domain, and GitHub Enterprise Server. */
function isGitHub(issuer: string): boolean {
  return (
    /^https:\/\/token\.actions\.(githubusercontent\.com|[a-z0-9-]+\.ghe\.com)(\/|$)/.test(issuer) ||
    /^https?:\/\/[^/]+\/_services\/token\/?$/.test(issuer)
  );
}

/** Returns what would make a valid rule safer, or null. */
export function trustRuleAdvice({ subject, claims }: Pick<WorkloadTrust, 'subject' | 'claims'>): string | null {
  if (subject.startsWith('project_path:') && !hasAny(claims, GITLAB_IDS)) {
    return 'Require the claim project_id or namespace_id as well, because GitLab can give the path of a project to another one.';
  }
  if (subject.startsWith('system:') && !/^system:serviceaccount:[^/:]+:[^/:]+$/.test(subject)) {
    return 'Subjects of pods have the form system:serviceaccount:NAMESPACE:NAME.';
  }
  return subject.startsWith('system:serviceaccount:*:') ? 'This accepts service accounts of every namespace.' : null;
}
