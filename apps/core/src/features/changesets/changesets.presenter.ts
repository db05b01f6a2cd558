import type {
  AppliedChangeset,
  AppliedOperation,
  ChangesetChange,
  ChangesetRequest,
  EffectiveChange,
  RecordedChangeset,
} from '@strata/contract';
import { type EffectiveCellChange, maskText } from '@strata/domain';
import type { Links } from '../../platform/http/links.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { WriteResult } from '../../platform/ledger/command.ts';
import type { AppliedSteps } from './changeset-run.ts';

/** A change as a row of the ledger. */
export type ChangeRow = Omit<ChangesetChange, 'url'>;

/** A changeset with the changes that the caller may read. */
export interface ChangesetRow extends Omit<RecordedChangeset, 'url' | 'changes'> {
  readonly changes: readonly ChangeRow[];
}

export function presentAppliedChangeset(
  { result: { isChanged, steps }, revision }: WriteResult<AppliedSteps>,
  { message, external_ref }: Pick<ChangesetRequest, 'message' | 'external_ref'>,
  links: Links,
): AppliedChangeset {
  const operations = steps.map(
    ({ name, as, id, changes }, index): AppliedOperation => ({
      index,
      operation: name,
      as,
      id,
      changes: changes.map((change) => presentChange(toChangeRow(change), links)),
    }),
  );
  return { url: isChanged ? links.changeset(revision) : null, revision, message, external_ref, operations };
}

export function presentChangeset({ changes, ...row }: ChangesetRow, links: Links): RecordedChangeset {
  return {
    url: links.changeset(row.revision),
    ...row,
    changes: changes.map((change) => presentChange(change, links)),
  };
}

export function presentEffectiveChange({
  project,
  environment,
  name,
  before,
  after,
}: EffectiveCellChange): EffectiveChange {
  const isMasked = (before?.secret ?? false) || (after?.secret ?? false);
  return {
    project_id: project.id,
    project_name: project.name,
    environment_id: environment.id,
    environment_name: environment.name,
    parameter_name: name,
    kind: before === null ? 'added' : after === null ? 'removed' : 'changed',
    before: before && maskText(before.text, isMasked),
    after: after && maskText(after.text, isMasked),
    masked: isMasked || (after?.isForbidden ?? false),
    ...presentProblem(after?.problem ?? before?.problem ?? null),
  };
}

const presentProblem = (problem: string | null) => (problem === null ? {} : { problem });

export function toChangeRow({ action, objectType, object, project, environment, parameter }: Change): ChangeRow {
  return {
    action,
    object_type: objectType,
    object_id: object.id,
    object_name: object.name,
    project_id: project?.id ?? null,
    project_name: project?.name ?? null,
    environment_id: environment?.id ?? null,
    environment_name: environment?.name ?? null,
    parameter_id: parameter?.id ?? null,
    parameter_name: parameter?.name ?? null,
  };
}

export function presentChange(row: ChangeRow, links: Links): ChangesetChange {
  return { url: objectLink(row, links), ...row };
}

/** Returns the link of an object, or null if the ledger does not contain the ids that the link consists of. */
function objectLink(row: ChangeRow, links: Links): string | null {
  const { object_id: id, project_id: project, environment_id: environment, parameter_id: parameter } = row;
  switch (row.object_type) {
    case 'Environment':
      return links.environment(id);
    case 'Project':
      return links.project(id);
    case 'Tag':
      return environment && links.tag(environment, id);
    case 'Parameter':
      return project && links.parameter(project, id);
    case 'Value':
      return project && parameter && links.value(project, parameter, id);
    case 'Template':
      return project && links.template(project, id);
    case 'ParameterType':
      return links.type(id);
    case 'Grant':
      return links.grant(id);
    case 'Group':
      return links.group(id);
    case 'Membership':
      return links.membership(id);
    case 'Webhook':
      return links.webhook(id);
    default:
      return null;
  }
}
