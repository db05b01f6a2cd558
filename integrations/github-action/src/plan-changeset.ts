import { getBooleanInput, setOutput } from '@actions/core';
import { PLAN_REJECTED, planName, plannedChangeset, printText } from './changeset.ts';
import { context } from './github.ts';
import { postPlan } from './pull-request.ts';
import { addToSummary, renderComment } from './report.ts';
import { StepFailure } from './run-action.ts';
import { Strata } from './strata.ts';

/** Shows what a changeset would do: in the log, in the summary of the job, and on the pull request. */
export async function planChangeset(): Promise<void> {
  const name = planName();
  const planned = await plannedChangeset(await Strata.connect(), getBooleanInput('assume-write'));
  setOutput('hash', planned.hash ?? '');
  setOutput('changed', planned.isChanged);
  printText(planned.text);
  await addToSummary(name, planned);
  const pull = context.payload.pull_request?.number;
  if (pull !== undefined && getBooleanInput('comment'))
    await postPlan(pull, name, renderComment(name, planned, runUrl()));
  if (planned.hash === null)
    throw new StepFailure('Strata would reject this changeset. The plan contains the reasons.', PLAN_REJECTED);
}

function runUrl(): string {
  return `${context.repositoryUrl}/actions/runs/${context.runId}`;
}
