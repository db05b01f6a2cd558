import { setFailed } from '@actions/core';
import { context } from './github.ts';

/** An error with the exit code of the command line. */
export class StepFailure extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Events whose jobs have secrets while they can handle files of any author. */
const UNTRUSTED_EVENTS = ['pull_request_target', 'workflow_run', 'issue_comment'];

/** Runs the code of a step. An error ends the step with its message, without a stack. */
export async function runAction(action: () => Promise<void>): Promise<void> {
  try {
    if (UNTRUSTED_EVENTS.includes(context.eventName))
      throw new StepFailure(
        `This action does not run on ${context.eventName}, whose jobs have secrets while they can handle files of any author. Use pull_request or push.`,
      );
    await action();
  } catch (error) {
    const { message, status } = error as Error & { readonly status?: number };
    setFailed(
      status === 403 ? `${message}\nCompare the permissions of the job with the description of github-token.` : message,
    );
    if (error instanceof StepFailure) process.exitCode = error.exitCode;
  }
}

/** Whether the job runs for a pull request from another repository, whose jobs have neither secrets nor id tokens. */
export function isFromFork(): boolean {
  const { pull_request: pull, repository } = context.payload;
  return pull !== undefined && pull.head?.repo?.full_name !== repository?.full_name;
}
