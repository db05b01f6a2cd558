import type { AccessExplanation, ExplainedAccessCandidate, ExplainedScopeAccess } from '@strata/contract';
import { readAllRows } from '@strata/rest-client';
import { pointInTimeQuery } from '../../api/effective.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, optionalArgument, textOption } from '../../core/define-command.ts';
import { toOneLine } from '../../core/one-line.ts';
import { MOMENT_OPTIONS, SCOPE_OPTIONS } from '../../core/options.ts';
import { paint, print, printJson, printNote } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

/** Prints who can read and change values, and through which role, group or grant. */
export const command = defineCommand({
  description: 'print who can read and change the values of a project in an environment, and why',
  arguments: {
    user: optionalArgument('name, e-mail address or id of a person or a service account (default: all with access)'),
  },
  options: {
    ...SCOPE_OPTIONS,
    ...MOMENT_OPTIONS,
    key: textOption('--key <prefix>', 'the access with an API key, by the prefix that `strata key list` prints'),
  },
  examples: ['strata access explain'],
  async run({ user: who }, options) {
    const { client, project, environment } = await loadContext(options);
    const { key } = options;
    const optional = { ...(who !== undefined && { who }), ...(key !== undefined && { key }) };
    const query = { project, environment, ...optional, ...pointInTimeQuery(options) };
    const explanations = await readAllRows(client, 'access_explain_list', { query });
    if (options.json) printJson(explanations);
    else if (who !== undefined || key !== undefined) print(explanations.flatMap(explanationLines).join('\n'));
    else if (explanations.length === 0) printNote('Nobody has access.');
    else printTable(['USER', 'READ', 'WRITE', 'SECRETS', 'THROUGH'], explanations.map(tableRow));
  },
});

const yesOrNo = (isAllowed: boolean): string => (isAllowed ? paint('green', 'yes') : 'no');

function tableRow({
  user_name: name,
  read,
  write,
  reveal,
  project,
  environment,
}: AccessExplanation): readonly string[] {
  const sources = [project, environment].flatMap(({ candidates }) => candidates.filter(({ wins }) => wins));
  return [toOneLine(name), yesOrNo(read), yesOrNo(write), yesOrNo(reveal), sources.map(describeCandidate).join('; ')];
}

function explanationLines(explanation: AccessExplanation): readonly string[] {
  const { user_name: name, membership_id: membership, read, write, reveal } = explanation;
  const { project, environment } = explanation;
  return [
    paint('bold', toOneLine(name)),
    ...(membership === null ? ['  was no member of the organization'] : []),
    `  read     ${yesOrNo(read)}`,
    `  write    ${yesOrNo(write)}`,
    `  secrets  ${yesOrNo(reveal)}`,
    ...explanation.denied_by_key.map((denial) => `  ${paint('bold', 'the key')} ${KEY_DENIALS[denial]}`),
    ...(membership === null ? [] : [...scopeLines('Project', project), ...scopeLines('Environment', environment)]),
  ];
}

const KEY_DENIALS: Readonly<Record<AccessExplanation['denied_by_key'][number], string>> = {
  write: 'does not have the scope write',
  reveal: 'does not have the scope reveal',
  project: 'is limited to other projects',
  environment: 'is limited to other environments',
};

function scopeLines(title: string, access: ExplainedScopeAccess): readonly string[] {
  const { controlled_by_name: controller, candidates } = access;
  const restriction = controller === null ? 'not restricted' : `restricted by the grants on ${toOneLine(controller)}`;
  return [
    '',
    `${paint('bold', title)} (${restriction})`,
    ...candidates.map((candidate) => {
      const result = candidate.wins ? paint('green', 'decides') : `(${REASONS[candidate.hidden_by ?? 'higher_grant']})`;
      return `  ${describeCandidate(candidate)} ${result}`;
    }),
  ];
}

const REASONS: Readonly<Record<NonNullable<ExplainedAccessCandidate['hidden_by']>, string>> = {
  organization_role: 'the role in the organization has access to everything',
  project_limit: 'the account is limited to other projects',
  higher_grant: 'another grant gives the same role or a higher one',
  access_control: 'only grants count here',
};

function describeCandidate({ kind, role, group_name: group }: ExplainedAccessCandidate): string {
  switch (kind) {
    case 'organization_role':
      return `role ${role}`;
    case 'project_limit':
      return 'limit to other projects';
    case 'grant':
      return `grant ${role}`;
    case 'group_grant':
      return `group ${toOneLine(group ?? '')}: ${role}`;
  }
}
