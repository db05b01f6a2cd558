import { getInput } from '@actions/core';
import { type Comment, context, type PullRequest, requestAllPages, requestGitHub } from './github.ts';
import { planOfComment } from './report.ts';
import { StepFailure } from './run-action.ts';

/** Returns the newest comment with a plan. Comments of other accounts count as text: anyone can write the same first line. */
async function planComment(pull: number, name: string) {
  const author = getInput('comment-author', { required: true });
  const comments = await requestAllPages<Comment>(`issues/${pull}/comments`);
  return comments.findLast(({ user, body }) => user?.login === author && planOfComment(body ?? '')?.name === name);
}

/** Creates the comment for a plan, or replaces its text. */
export async function postPlan(pull: number, name: string, body: string): Promise<void> {
  const existing = await planComment(pull, name);
  if (existing) {
    await requestGitHub(`issues/comments/${existing.id}`, { method: 'PATCH', body: { body } });
    return;
  }
  const { body: created } = await requestGitHub<Comment>(`issues/${pull}/comments`, { method: 'POST', body: { body } });
  if (!created.user || created.user.login === getInput('comment-author')) return;
  await requestGitHub(`issues/comments/${created.id}`, { method: 'DELETE' });
  throw new StepFailure(`Comments are written as ${created.user.login}. Give this name as comment-author.`);
}

/** Returns the hash of the plan on the pull request whose merge made this commit. */
export async function hashOfMergedPlan(name: string): Promise<string> {
  const { body: pulls } = await requestGitHub<readonly PullRequest[]>(`commits/${context.sha}/pulls`);
  const merged = pulls.find(
    ({ merged_at: mergedAt, merge_commit_sha: sha, base }) =>
      mergedAt !== null && sha === context.sha && `refs/heads/${base.ref}` === context.ref,
  );
  if (!merged)
    throw new StepFailure(
      `No pull request that was merged into ${context.ref} ends with commit ${context.sha}. Plan the changeset, and give plan-hash.`,
    );
  const comment = await planComment(merged.number, name);
  if (!comment)
    throw new StepFailure(
      `Pull request #${merged.number} has no comment with the plan "${name}". Plan the changeset, and give plan-hash.`,
    );
  const hash = planOfComment(comment.body ?? '')?.hash;
  if (!hash)
    throw new StepFailure(
      `Strata would have rejected the plan of pull request #${merged.number}. Nothing was changed.`,
    );
  return hash;
}
