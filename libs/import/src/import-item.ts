/** A reference to the object that another item creates, by the key of that item. */
export interface ItemReference {
  readonly $ref: string;
}

/** The id of an object, or a reference to the item that creates it. */
export type ObjectLink = string | ItemReference;

/** An operation of a changeset in the format of the REST API. */
export interface ImportOperation {
  readonly operation: string;
  readonly as?: string;
  readonly path?: Readonly<Record<string, ObjectLink>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export const ITEM_KINDS = [
  'environment',
  'type',
  'project',
  'parameter',
  'rule',
  'value',
  'template',
  'tag',
  'group',
  'grant',
  'webhook',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/**
 * The effect of an import on an object. `changed` overwrites something that exists. `secret` sets the text of a secret that exists, without
 * a comparison. Both need confirmation. `conflict` and `skipped` are not imported.
 */
export type ItemEffect = 'created' | 'changed' | 'secret' | 'unchanged' | 'conflict' | 'skipped';

/** One object of an import. It never contains the text of a secret outside `operation`. */
export interface ImportItem {
  /** Identifies the item within the plan. */
  readonly key: string;
  /** The items of a part are applied together. */
  readonly part: string;
  readonly kind: ItemKind;
  readonly name: string;
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly effect: ItemEffect;
  /** Why the item is not imported, and what to do. */
  readonly reason?: string | undefined;
  /** How the imported object differs from that of the source; undefined if it does not. */
  readonly difference?: string | undefined;
  /** The texts before and after, only of what is changed. */
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
  /** The keys of items that must be applied first. */
  readonly needs?: readonly string[] | undefined;
  /** The keys of the items that restrict its project or environment, which must be applied first so that it is never open to others. */
  readonly restrictions?: readonly string[] | undefined;
  readonly operation?: ImportOperation | undefined;
}

/** The effects that overwrite something and need confirmation. */
export const needsConfirmation = ({ effect }: ImportItem): boolean => effect === 'changed' || effect === 'secret';
