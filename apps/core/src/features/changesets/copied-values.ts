import { Injectable } from '@nestjs/common';
import type { CopiedFrom, ResolvedValue, SettableValue } from '@strata/contract';
import {
  asSentence,
  atInput,
  Failure,
  ForbiddenLookups,
  jsonPointer,
  type LookupRows,
  type Problem,
  sentence,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { lastSegment } from '../../platform/http/links.ts';
import type { WriteContext, Writer } from '../../platform/ledger/command.ts';
import { listIgnoredScopes } from '../../platform/ledger/forbidden-values.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { assertAccessNotWidened } from '../access/control.ts';
import { canSee, createSide, type MatrixSide, pickEnvironments } from '../matrix/matrix-sides.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { filterPossibleIds } from '../snapshot/snapshot-loader.ts';
import { Snapshots, type VersionedSnapshot } from '../snapshot/snapshots.ts';
import type { NamedLocation, NamedParameter } from './named-state.ts';
import { missingNamesError } from './set-steps.ts';

type Given = [name: string, wanted: SettableValue & { readonly from: CopiedFrom }];

/** A value to copy, with its parameters in the source. */
interface SourcedText {
  readonly value: ValueRecord;
  /** The parameter that the value is set on. It determines whether the text is secret. */
  readonly owner: ParameterRecord;
  /** The parameter that is visible under the name in the source. */
  readonly shown: ParameterRecord;
}

/**
 * Resolves values that are copied from another environment or project. A caller who may read them there may store them
 * elsewhere without seeing them.
 */
@Injectable()
export class CopiedValues {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly vault: Vault,
  ) {}

  /**
   * Returns the values with their texts. Throws 404 with a problem per name for values that do not exist in the source,
   * and 403 if the source is forbidden. Runs one statement per source. `state` contains the parameters of the target.
   */
  async readSources(
    context: WriteContext,
    location: NamedLocation,
    values: Readonly<Record<string, SettableValue>>,
    state: ReadonlyMap<string, NamedParameter>,
  ): Promise<Readonly<Record<string, ResolvedValue>>> {
    const copiedEntries = Object.entries(values).filter((entry): entry is Given => entry[1].from !== undefined);
    const resolvedValues = new Map<string, ResolvedValue>();
    for (const [from, sourceEntries] of Map.groupBy(copiedEntries, ([, source]) => JSON.stringify(source.from))) {
      const source: CopiedFrom = JSON.parse(from);
      const pointer = jsonPointer(['values', sourceEntries[0]?.[0] ?? '', 'from']);
      await atInput(pointer, async () => {
        const side = await this.readSide(context, location, source, sourceEntries);
        if (source.revision === undefined) await this.assertReadBefore(context, side, source, sourceEntries);
        for (const [name, source] of await this.copiedFrom(context.caller, side, sourceEntries)) {
          resolvedValues.set(name, knownValue(values[name] ?? {}, source, state.get(name)));
        }
      });
    }
    return Object.fromEntries(
      Object.entries(values).map(([name, settableValue]) => [
        name,
        resolvedValues.get(name) ?? { ...settableValue, value: settableValue.value ?? null },
      ]),
    );
  }

  private async readSide(
    { caller, em, revision }: WriteContext,
    { project: target }: NamedLocation,
    from: CopiedFrom,
    entries: readonly Given[],
  ): Promise<MatrixSide> {
    if (from.revision !== undefined && from.revision >= revision) {
      const message = sentence`Revision ${{ revision: from.revision }} does not exist; the latest is ${{ latest_revision: revision - 1 }}.`;
      throw new Failure({ kind: 'not_found', code: 'unknown_revision', message });
    }
    const project = nameOrIdIn(from.project ?? target.id);
    const snapshot = await this.readSnapshot(em, caller, project, from, entries, from.revision ?? 'now');
    const side = createSide(snapshot, project, caller);
    if (side.project.id !== target.id) await assertAccessNotWidened(em, caller, side.project.id, target);
    return side;
  }

  private readSnapshot(
    em: EntityManager,
    { organizationId }: Writer,
    project: string,
    { environment }: CopiedFrom,
    entries: readonly Given[],
    at: PointInTime,
  ): Promise<VersionedSnapshot> {
    const ids = filterPossibleIds([project]);
    return this.snapshots.of(
      {
        organizationId,
        at,
        projectIds: ids,
        projectNames: ids.length > 0 ? [] : [project],
        environments: [nameOrIdIn(environment)],
        names: entries.map(([name]) => name),
        parameters: 'complete',
        values: 'complete',
      },
      SnapshotReader.within(em),
    );
  }

  /**
   * Rejects a copy with 403 if its result depends on a forbidden environment that the copy did not depend on before the
   * changeset. An earlier operation can have caused this. The rejection does not depend on whether the environment has
   * such a value, because a plan must not reveal that.
   */
  private async assertReadBefore(
    { caller, em, revision }: WriteContext,
    { snapshot, project }: MatrixSide,
    from: CopiedFrom,
    entries: readonly Given[],
  ): Promise<void> {
    const ignored = new Set(listIgnoredScopes(caller));
    if (ignored.size === 0) return;
    const [environment] = pickEnvironments(snapshot, [nameOrIdIn(from.environment)]);
    const listLocations = (rows: LookupRows) => {
      const lookups = new ForbiddenLookups(rows, ignored);
      return entries.flatMap(([name]) => lookups.of(project.id, name, environment?.id ?? ''));
    };
    const decisive = listLocations(snapshot);
    if (decisive.length === 0) return;
    const read = new Set(listLocations(await this.readSnapshot(em, caller, project.id, from, entries, revision - 1)));
    if (!decisive.every((location) => read.has(location))) throw Failure.forbidden();
  }

  private async copiedFrom(
    caller: Writer,
    side: MatrixSide,
    entries: readonly Given[],
  ): Promise<ReadonlyMap<string, SourcedText & { readonly text: string | null }>> {
    const [first] = entries;
    const [environment] = first ? pickEnvironments(side.snapshot, [nameOrIdIn(first[1].from.environment)]) : [];
    if (!environment || !canSee(side, environment.id)) throw Failure.forbidden();
    const indexByName = new Map(side.names.visible.map(({ parameter }, index) => [parameter.name, index]));
    const owners = new Map(side.snapshot.parameters.map((parameter) => [parameter.id as string, parameter]));
    const sourceTexts = new Map<string, SourcedText>();
    for (const [name] of entries) {
      const at = indexByName.get(name);
      const value = at === undefined ? null : side.names.at(at, environment.id);
      const owner = value && owners.get(value.parameterId);
      const visibleParameter = at === undefined ? undefined : side.names.visible[at]?.parameter;
      if (value && owner && visibleParameter) sourceTexts.set(name, { value, owner, shown: visibleParameter });
      if (value) caller.planRecorder.objects.add(value.id);
      else caller.planRecorder.absent.add(`${side.project.name}/${environment.name}/${name}`);
    }
    assertAllFound(entries, sourceTexts, environment.name);
    assertCopiable(entries, sourceTexts, environment.name);
    const textOf = await this.vault.valueOpener(
      caller.organizationId,
      [...sourceTexts.values()].map(({ value }) => value),
    );
    return new Map([...sourceTexts].map(([name, source]) => [name, { ...source, text: textOf(source.value) }]));
  }
}

const nameOrIdIn = (nameIdOrLink: string): string =>
  nameIdOrLink.includes('/') ? lastSegment(nameIdOrLink) : nameIdOrLink;

/**
 * Returns the value to set. A parameter that the copy creates gets the type of the source; an existing one keeps its
 * type.
 */
function knownValue(
  settableValue: SettableValue,
  { owner, shown: visibleParameter, text }: SourcedText & { readonly text: string | null },
  target: NamedParameter | undefined,
): ResolvedValue {
  const { description = visibleParameter.description, type = target ? undefined : visibleParameter.type } =
    settableValue;
  return { ...settableValue, value: text, secret: owner.secret, description, ...(type !== undefined && { type }) };
}

function assertAllFound(
  entries: readonly Given[],
  sourceTexts: ReadonlyMap<string, SourcedText>,
  environment: string,
): void {
  const missingEntries = entries.filter(([name]) => !sourceTexts.has(name));
  if (missingEntries.length === 0) return;
  throw missingNamesError(
    missingEntries.map(([name]) => ({ field: name, ...sentence`${{ name }} has no value in ${{ environment }}.` })),
  );
}

/** Rejects dynamic values, because they may evaluate to another text in the target. */
function assertCopiable(
  entries: readonly Given[],
  sourceTexts: ReadonlyMap<string, SourcedText>,
  environment: string,
): void {
  const problems = entries.flatMap(([name, { secret }]): Problem[] => {
    const source = sourceTexts.get(name);
    if (source?.value.interpolated) {
      return [
        {
          field: name,
          ...sentence`${{ name }} is dynamic in ${{ environment }} and cannot be copied. Set its text instead.`,
        },
      ];
    }
    if (secret === undefined || secret === source?.owner.secret) return [];
    const status = asSentence(secret ? 'not secret' : 'secret');
    return [{ field: name, ...sentence`${{ name }} is ${status} in ${{ environment }}. Omit secret.` }];
  });
  if (problems.length > 0) throw Failure.fields('parameter_mismatch', problems);
}
