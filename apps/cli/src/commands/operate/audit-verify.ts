import { defineCommand, flagOption, listOption, textOption } from '../../core/define-command.ts';
import { replaceWithOperatorCommand } from '../../start/replace-process.ts';

/** Verifies the ledgers of a database. */
export const command = defineCommand({
  description:
    'verify that no changeset, no change and no content in the database was manipulated, by links and checkpoints',
  options: {
    checkpoints: textOption('--checkpoints <file>', 'a file with checkpoints that you keep elsewhere'),
    key: listOption('--key <key>', 'a public key that has signed the checkpoints; repeatable'),
    witness: listOption('--witness <key>', 'a public key of a witness that must have cosigned them; repeatable'),
    quorum: textOption('--quorum <number>', 'how many of these witnesses must have cosigned them (default: all)'),
    state: textOption('--state <file>', 'verify only what was written since the last time with this file'),
    json: flagOption('--json', 'print the findings as JSON'),
  },
  async run(_, { checkpoints, key: keys = [], witness: witnesses = [], quorum, state, json }) {
    const args = [
      ...(checkpoints === undefined ? [] : ['--checkpoints', checkpoints]),
      ...(state === undefined ? [] : ['--state', state]),
      ...keys.flatMap((key) => ['--key', key]),
      ...witnesses.flatMap((key) => ['--witness', key]),
      ...(quorum === undefined ? [] : ['--quorum', quorum]),
      ...(json ? ['--json'] : []),
    ];
    await replaceWithOperatorCommand(['verify-ledgers', ...args]);
  },
});
