import { getInput, info, setOutput } from '@actions/core';
import {
  changesetArguments,
  changesetDigest,
  hashOfSamePlan,
  planName,
  plannedChangeset,
  printText,
} from './changeset.ts';
import { isEffectsHash } from './effects-hash.ts';
import { context } from './github.ts';
import { hashOfMergedPlan } from './pull-request.ts';
import { addToSummary } from './report.ts';
import { StepFailure } from './run-action.ts';
import { parseFailure, Strata } from './strata.ts';

const PLAN_OUTDATED = 8;

/** Applies a changeset exactly as it was planned. If it cannot, it changes nothing and shows the present plan. */
export async function applyChangeset(): Promise<void> {
  if (context.payload.pull_request !== undefined)
    throw new StepFailure(
      'Nothing was changed: this step applies what is merged. Run it on push to the default branch.',
    );
  const name = planName();
  const shown = getInput('plan-hash') || (await hashOfMergedPlan(name));
  const strata = await Strata.connect();
  const reference = buildReference();
  const applied = await appliedChangeset(strata, shown, reference);
  if (applied !== null) return report(applied);
  const revision = await earlierRevision(strata, reference);
  if (revision === null) throw await outdatedPlanError(strata, name);
  report({ revision, changed: false });
}

/** Applies the changeset; null if its effects differ from the plan that was shown. */
async function appliedChangeset(strata: Strata, shown: string, reference: string): Promise<Applied | null> {
  const hash = isEffectsHash(shown) ? await hashOfSamePlan(strata, shown) : shown;
  if (hash === null) return null;
  const options = [`--plan=${hash}`, `--external-ref=${reference}`, '--json'];
  const output = await strata.run(['apply', ...changesetArguments(), ...options]);
  if (output.code === PLAN_OUTDATED) return null;
  if (output.code !== 0) throw parseFailure(output);
  return JSON.parse(output.stdout) as Applied;
}

interface Applied {
  readonly revision: number;
  readonly changed: boolean;
}

function report({ revision, changed }: Applied): void {
  setOutput('revision', revision);
  setOutput('changed', changed);
  info(changed ? `Applied as revision ${revision}.` : `Nothing has changed since revision ${revision}.`);
}

/** Returns the text that identifies this commit and its changeset in the history of Strata. */
function buildReference(): string {
  return `${context.repositoryUrl}/commit/${context.sha}#${changesetDigest()}`;
}

/** Returns the revision of an earlier run of this step, by the same account, that has applied the changeset. */
async function earlierRevision(strata: Strata, reference: string): Promise<number | null> {
  const { account, type } = await strata.json<Account>(['whoami', '--json']);
  const recorded = await strata.json<readonly Recorded[]>(['history', '--all', `--query=${reference}`, '--json']);
  const earlier = recorded.find(
    (record) => record.external_ref === reference && record.actor_name === account && record.actor_type === type,
  );
  return earlier?.revision ?? null;
}

interface Account {
  readonly account: string;
  readonly type: string;
}

interface Recorded {
  readonly revision: number;
  readonly external_ref: string | null;
  readonly actor_name: string | null;
  readonly actor_type: string | null;
}

async function outdatedPlanError(strata: Strata, name: string): Promise<StepFailure> {
  const planned = await plannedChangeset(strata);
  printText(planned.text);
  await addToSummary(name, planned);
  return new StepFailure(
    'Nothing was changed: the effects have changed since the plan. The log shows the present plan. Open a pull request that plans again.',
    PLAN_OUTDATED,
  );
}
