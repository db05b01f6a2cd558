import { getInput } from '@actions/core';
import { context, getOctokit } from '@actions/github';
import { planOfComment } from './report.ts';
import { StepFailure } from './run-action.ts';

const octokit = () => getOctokit(getInput('github-token', { required: true }));

/** Returns the newest comment with a plan. Comments of other accounts count as text: anyone can write the same first line. */
async function planComment(pull: number, name: string) {
  const { paginate, rest } = octokit();
  const author = getInput('comment-author', { required: true });
  const comments = await paginate(rest.issues.listComments, { ...context.repo, issue_number: pull, per_page: 100 });
  return comments.findLast(({ user, body }) => user?.login === author && planOfComment(body ?? '')?.name === name);
}

/** Creates the comment for a plan, or replaces its text. */
export async function postPlan(pull: number, name: string, body: string): Promise<void> {
  const { issues } = octokit().rest;
  const existing = await planComment(pull, name);
  if (existing) {
    await issues.updateComment({ ...context.repo, comment_id: existing.id, body });
    return;
  }
  const { data } = await issues.createComment({ ...context.repo, issue_number: pull, body });
  if (!data.user || data.user.login === getInput('comment-author')) return;
  await issues.deleteComment({ ...context.repo, comment_id: data.id });
  throw new StepFailure(`Comments are written as ${data.user.login}. Give this name as comment-author.`);
}

/** Returns the hash of the plan on the pull request whose merge made this commit. */
export async function hashOfMergedPlan(name: string): Promise<string> {
  const request = { ...context.repo, commit_sha: context.sha };
  const { data: pulls } = await octokit().rest.repos.listPullRequestsAssociatedWithCommit(request);
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
