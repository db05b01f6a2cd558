import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import type { AuditProof } from '@strata/contract';
import { decodeText } from '@strata/domain';
import {
  assertCosigned,
  type Checkpoint,
  CheckpointError,
  isConsistent,
  readCheckpoints,
  readWitnessKey,
} from '@strata/evidence';
import { type Context, loadContext } from '../../core/context.ts';
import { defineCommand, listOption, requiredText, textOption } from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError, unwritableFileError } from '../../core/errors.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { print } from '../../core/output.ts';

/** Keeps checkpoints outside of Strata. */
export const command = defineCommand({
  description: 'add the latest checkpoint to a file, if it continues the one before; run it regularly',
  options: {
    ...URL_OPTIONS,
    file: requiredText('--file <file>', 'the file with the checkpoints'),
    key: requiredText('--key <key>', 'the public key of the checkpoints of your organization'),
    witness: listOption(
      '--witness <key>',
      'a public key of a witness that must have cosigned the checkpoint; repeatable',
    ),
    run: textOption('--run <command>', 'a command that stores a new checkpoint elsewhere; it gets the note as input'),
  },
  examples: ['strata audit keep --file checkpoints.txt --key "$CHECKPOINT_KEY"'],
  async run(_, options) {
    const context = await loadContext(options);
    try {
      print(await keepLatest(context, options));
    } catch (error) {
      if (error instanceof CheckpointError) throw new CommandError(EXIT.checkFailed, error.message);
      throw error;
    }
  },
});

interface KeepOptions {
  readonly file: string;
  readonly key: string;
  readonly witness?: readonly string[] | undefined;
  readonly run?: string | undefined;
}

async function keepLatest(
  { client }: Context,
  { file, key, witness: witnesses = [], run }: KeepOptions,
): Promise<string> {
  const text = readFile(file);
  const earlier = readCheckpoints(text, [key])
    .toSorted((a, b) => a.size - b.size)
    .at(-1);
  const response = await client.reply('audit_log_checkpoint_retrieve', {}, { accept: 'text/plain' });
  if (response.status !== 200) throw await client.rejection(response, {});
  const note = response.text;
  const [latest] = readCheckpoints(note, [key]);
  if (!latest) throw invalidInputError('Strata has returned no checkpoint.');
  assertCosigned(note, witnesses.map(readWitnessKey), witnesses.length);
  if (earlier) await requireContinuation(client, earlier, latest);
  if (earlier?.size === latest.size) return `Revision ${latest.size} is the latest, and its checkpoint is in the file.`;
  if (run !== undefined) store(run, note);
  append(file, text === '' ? note : `\n${note}`);
  return `Added the checkpoint of revision ${latest.size}.`;
}

/** Throws `CheckpointError` unless the history of the latest checkpoint begins with that of the earlier one. */
async function requireContinuation(client: Context['client'], earlier: Checkpoint, latest: Checkpoint): Promise<void> {
  const { size } = latest;
  if (size < earlier.size)
    throw new CheckpointError(`The file has a checkpoint of revision ${earlier.size}, and Strata has only ${size}.`);
  const query = { revision: size, checkpoint: size, since: earlier.size };
  const { consistency } = await client.call('audit_proof_retrieve', { query });
  const proof = (consistency ?? []).map((hash: AuditProof['changeset_hash']) => Buffer.from(hash, 'base64'));
  const isSameRevision = size === earlier.size;
  const hasOtherContents =
    isSameRevision && latest.contents && earlier.contents && !latest.contents.equals(earlier.contents);
  if (!isConsistent(earlier, latest, proof) || hasOtherContents)
    throw new CheckpointError(
      `The checkpoint of revision ${size} does not continue the one of revision ${earlier.size} in the file: Strata shows another history.`,
    );
}

function readFile(file: string): string {
  const { text, problem } = decodeText(readBytes(file));
  if (text === undefined) throw invalidInputError(`${file} cannot be read: ${problem}`);
  return text;
}

function readBytes(file: string): Buffer {
  try {
    return fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
  } catch (error) {
    throw invalidInputError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function append(file: string, text: string): void {
  try {
    fs.appendFileSync(file, text);
  } catch (error) {
    throw unwritableFileError(file, error);
  }
}

/** The checkpoint is added to the file only after the command has stored it, so the next call repeats a failed one. */
function store(run: string, note: string): void {
  const { status } = spawnSync(run, { shell: true, input: note, stdio: ['pipe', 'inherit', 'inherit'] });
  if (status !== 0) throw new CommandError(EXIT.failed, `The command of --run has failed with ${status}.`);
}
