// The commands for builds: their arguments, options and descriptions.
import { type Command, Option } from 'commander';
import { collect, lazily, withAllowName, withProject, withScope } from './common-options.ts';

/** Adds the commands that connect the code of a program with its configuration. */
export function addBuildCommands(strata: Command): void {
  const generate = strata.command('generate').description('generate code from the parameters of a project');
  withProject(generate.command('types'))
    .description('generate the types of the parameters of a project, in an order that does not change')
    .addOption(
      new Option('--language <language>', 'language of the types')
        .choices(['typescript', 'json-schema'])
        .default('typescript'),
    )
    .option(
      '-e, --environment <name>',
      'only this environment decides which parameters are optional; repeatable (default: all)',
      collect,
    )
    .option('-o, --output <file>', 'write a file')
    .option('--check', 'write nothing, and exit with 7 if the file differs')
    .action(lazily(async () => (await import('./generate-types.ts')).generateTypes));
  withProject(strata.command('check'))
    .description('list the names that the code needs and that are missing or invalid; exits with 7 if there are any')
    .argument('[names...]', 'names that must have a value')
    .option('--from <file>', 'a dotenv file, or a JSON Schema of `strata generate types`; repeatable', collect)
    .option(
      '-e, --environment <name>',
      'only this environment; repeatable (default: STRATA_ENVIRONMENT, strata.json)',
      collect,
    )
    .addOption(new Option('--all-environments', 'all environments that you may read').conflicts('environment'))
    .option('--reveal', 'validate the texts of secrets too; the access log of Strata records it')
    .action(lazily(async () => (await import('./check.ts')).check));
  withAllowName(withScope(strata.command('bisect')))
    .description('find the changeset that makes a check fail, by running it with the values of earlier revisions')
    .usage('[options] -- <check> [arguments...]')
    .argument('<check>', 'a program that exits with 0 for good, 125 to skip, and another code for bad')
    .argument('[arguments...]', 'its arguments')
    .requiredOption('--good <revision>', 'a revision, a time or a tag at which the check succeeds')
    .option('--bad <revision>', 'a revision, a time or a tag at which it fails (default: now)')
    .passThroughOptions()
    .action(lazily(async () => (await import('./bisect.ts')).bisectValues));
}
