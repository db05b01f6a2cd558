// The definitions of the commands that import files.
import { FILE_FORMATS, SEPARATORS } from '@strata/import';
import { type Command, Option } from 'commander';
import { collect, DRY_RUN, lazily, PLAN_HASH, withScope, withUrl, YES } from './common-options.ts';

/** Adds `strata import` and `strata import snapshot`. */
export function addImportCommands(strata: Command): void {
  const files = withScope(strata.command('import'))
    .usage('[options] <files...>')
    .description(
      'import files as one changeset, after a confirmation of the plan; those that name no environment require --environment',
    )
    .argument(
      '<files...>',
      'dotenv, JSON or YAML, or exports of Vault, Doppler or Infisical; folders with --format vault; - is standard input',
    )
    .addOption(
      new Option('--format <format>', 'format of the files (default: guessed from their names and contents)').choices(
        FILE_FORMATS.map((format) => format.toLowerCase()),
      ),
    )
    .addOption(new Option('--separator <text>', 'joins nested names').choices(SEPARATORS).default('_'))
    .option('--secret <name>', 'the created parameter is secret; repeatable', collect)
    .option('--plain <name>', 'the created parameter is not secret, although it looks like one; repeatable', collect)
    .option('--plain-all', 'only parameters of --secret are created as secret')
    .option('--resolve-references', 'evaluate references such as {{ HOST }} instead of storing them as text')
    .option('--create-project', 'create the project if it does not exist')
    .option('--skip-invalid', 'import the other lines if some are invalid')
    .option('-m, --message <text>', 'message of the changeset (default: the names of the files)')
    .option(...DRY_RUN)
    .option(...PLAN_HASH)
    .option(...YES)
    .action(lazily(async () => (await import('./import-files.ts')).importFiles));
  withUrl(files.command('snapshot'))
    .description('import the snapshot of an organization, after a confirmation; exits with 7 if a part is not imported')
    .argument('<file>', 'response of backup/snapshot/; - is standard input')
    .option('--overwrite', 'overwrite objects that exist and differ')
    .option('--overwrite-secrets', 'set secrets that exist again; they are not compared')
    .option(...DRY_RUN)
    .option('-y, --yes', 'import without a confirmation')
    .action(lazily(async () => (await import('./import-snapshot.ts')).importSnapshot));
}
