import type { ImportItem, ImportOperation } from './import-item.ts';
import type { ImportClient } from './present.ts';

/** The limits of one changeset: other writers wait for it, and gateways accept bodies of at most 1 MiB. */
const OPERATIONS_MAX = 500;
const BYTES_MAX = 700_000;

const MISSING = 'It needs an object that was not imported.';
const OPEN =
  'Its project or environment is restricted in the source and not here, so every member could read it. Restrict that first, then import again.';

/** The operations that create an object, which others can refer to. */
const MAKES = /(?<!_add)_create$/;

export interface AppliedPart {
  readonly part: string;
  /** The keys of the items that this changeset applied. */
  readonly keys: readonly string[];
  readonly revision: number;
}

export interface RejectedItem {
  readonly item: ImportItem;
  /** Why the core rejected it. It never contains a value. */
  readonly message: string;
}

export interface ImportResult {
  readonly applied: readonly string[];
  readonly revisions: readonly number[];
  readonly rejected: readonly RejectedItem[];
}

interface ApplyOptions {
  /** Returns the message of the changeset of a part. */
  message(part: string): string;
  /** Called after each changeset. */
  onApplied?(applied: AppliedPart): void;
  /** Called when the items of a part were sent, also if some were rejected. */
  onPart?(part: string): void;
}

/**
 * Applies items as changesets, one or more for each part. If the core rejects some operations, the others are applied without them. Items
 * that were rejected run once more after all others, because a text can refer to an object of a later part. Everything that was applied
 * stays if a request fails; a new plan then contains the rest.
 */
export async function applyImport(
  client: Pick<ImportClient, 'apply'>,
  items: readonly ImportItem[],
  options: ApplyOptions,
): Promise<ImportResult> {
  const run = new ImportRun(client, options);
  const plannedItems = items.filter(({ operation }) => operation !== undefined);
  for (const [part, partItems] of Map.groupBy(plannedItems, ({ part }) => part)) {
    await run.apply(partItems);
    options.onPart?.(part);
  }
  for (let before = -1; run.rejected.size > 0 && run.applied.size > Math.max(before, 0); ) {
    before = run.applied.size;
    await run.applyRejected();
  }
  return { applied: [...run.applied], revisions: run.revisions, rejected: [...run.rejected.values()] };
}

class ImportRun {
  readonly applied = new Set<string>();
  readonly revisions: number[] = [];
  readonly rejected = new Map<string, RejectedItem>();
  /** The ids of applied items by key. */
  private readonly ids = new Map<string, string>();

  constructor(
    private readonly client: Pick<ImportClient, 'apply'>,
    private readonly options: ApplyOptions,
  ) {}

  async applyRejected(): Promise<void> {
    const itemsToRetry = [...this.rejected.values()].map(({ item }) => item);
    this.rejected.clear();
    for (const part of Map.groupBy(itemsToRetry, ({ part }) => part).values()) await this.apply(part);
  }

  async apply(items: readonly ImportItem[]): Promise<void> {
    for (let waitingItems = items; waitingItems.length > 0; ) {
      const { operations, chunk, rest } = this.nextChunk(waitingItems);
      waitingItems = rest;
      if (chunk.length === 0) continue;
      const part = chunk[0]?.part ?? '';
      const outcome = await this.client.apply(this.options.message(part), operations);
      if (outcome.rejected === undefined) {
        this.keep(part, chunk, outcome);
        continue;
      }
      const messages = new Map(outcome.rejected.map(({ index, message }) => [index, message]));
      const acceptedItems = chunk.filter((_, index) => !messages.has(index));
      if (acceptedItems.length === chunk.length) throw new Error('The changeset was rejected without a reason.');
      for (const [index, message] of messages) {
        const item = chunk[index];
        if (item) this.rejected.set(item.key, { item, message });
      }
      waitingItems = [...acceptedItems, ...rest];
    }
  }

  private keep(
    part: string,
    chunk: readonly ImportItem[],
    { ids, revision }: { readonly ids: readonly (string | null)[]; readonly revision: number },
  ): void {
    for (const [index, { key }] of chunk.entries()) {
      this.applied.add(key);
      const id = ids[index];
      if (id) this.ids.set(key, id);
    }
    if (this.revisions.at(-1) !== revision) this.revisions.push(revision);
    this.options.onApplied?.({ part, keys: chunk.map(({ key }) => key), revision });
  }

  /** Takes the items of the next changeset. Items that need a rejected one are rejected, too. */
  private nextChunk(waitingItems: readonly ImportItem[]) {
    const chunk: ImportItem[] = [];
    const operations: ImportOperation[] = [];
    const names = new Map<string, string>();
    let bytes = 0;
    let at = 0;
    for (; at < waitingItems.length && chunk.length < OPERATIONS_MAX; at += 1) {
      const item = waitingItems[at];
      if (!item?.operation) continue;
      const { operation, missing } = resolved(item.operation, this.ids, names);
      const isApplied = (key: string) => names.has(key) || this.applied.has(key);
      const isReady = missing === undefined && (item.needs?.every(isApplied) ?? true);
      const isProtected = item.restrictions?.every(isApplied) ?? true;
      if (!isReady || !isProtected) {
        const message = isProtected ? MISSING : OPEN;
        this.rejected.set(item.key, { item, message });
        continue;
      }
      const alias = `item-${chunk.length}`;
      const size = new TextEncoder().encode(JSON.stringify(operation)).length;
      if (chunk.length > 0 && bytes + size > BYTES_MAX) break;
      bytes += size;
      names.set(item.key, alias);
      chunk.push(item);
      operations.push(MAKES.test(operation.operation) ? { ...operation, as: alias } : operation);
    }
    return { chunk, operations, rest: waitingItems.slice(at) };
  }
}

/** Replaces references to items by ids, or by references to operations of the same changeset. */
function resolved(
  { path, body, ...operation }: ImportOperation,
  ids: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): { readonly operation: ImportOperation; readonly missing?: string } {
  let missingName: string | undefined;
  const link = (member: unknown): unknown => {
    if (typeof member !== 'object' || member === null || !('$ref' in member)) return member;
    const key = String(member.$ref);
    const id = ids.get(key);
    if (id !== undefined) return id;
    const name = names.get(key);
    if (name === undefined) missingName ??= key;
    return { $ref: name };
  };
  const linkMembers = (members: Readonly<Record<string, unknown>> = {}) =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, link(member)]));
  const linkedOperation = {
    ...operation,
    ...(path && { path: linkMembers(path) as NonNullable<ImportOperation['path']> }),
    ...(body && { body: linkMembers(body) }),
  };
  return missingName === undefined
    ? { operation: linkedOperation }
    : { operation: linkedOperation, missing: missingName };
}
