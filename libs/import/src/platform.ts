import type { RuleKind } from '@strata/domain';

/** The description of a configuration by names, independent of any organization: what an import creates. */
export interface Platform {
  readonly environments: readonly PlatformEnvironment[];
  readonly types: readonly PlatformType[];
  readonly projects: readonly PlatformProject[];
  readonly webhook?: PlatformWebhook;
  readonly tags?: readonly PlatformTag[];
  readonly groups?: readonly PlatformGroup[];
  readonly grants?: readonly PlatformGrant[];
  /** The objects of the source that an import cannot create. */
  readonly skipped?: readonly SkippedObject[];
}

export interface PlatformEnvironment {
  readonly name: string;
  /** Null for the root, which every organization has. */
  readonly parent: string | null;
  readonly description: string;
}

export type PlatformRules = Readonly<Partial<Record<RuleKind, string>>>;

export interface PlatformType {
  readonly name: string;
  readonly parent: string;
  readonly description: string;
  readonly rules: PlatformRules;
}

export interface PlatformProject {
  readonly name: string;
  readonly description: string;
  readonly dependsOn: string | null;
  readonly parameters: readonly PlatformParameter[];
  readonly templates: readonly { readonly name: string; readonly description: string; readonly body: string }[];
}

export interface PlatformParameter {
  readonly name: string;
  /** The name of a built-in type or of a type of the organization. */
  readonly type: string;
  readonly secret: boolean;
  readonly description: string;
  readonly rules: PlatformRules;
  /** The duration after which its values expire. */
  readonly expires?: string | undefined;
  readonly values: readonly PlatformValue[];
}

export interface PlatformValue {
  readonly environment: string;
  /** If the text is null, the value hides an inherited one. */
  readonly text: string | null;
  /** Whether the text refers to other parameters. */
  readonly isDynamic: boolean;
  /** How the value differs from that of the source; undefined if it does not. */
  readonly difference?: string | undefined;
}

/** A value or a rule that an import leaves out. */
export interface SkippedObject {
  readonly kind: 'value' | 'rule';
  readonly name: string;
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly reason: string;
}

export interface PlatformWebhook {
  readonly name: string;
  readonly channel: string;
  readonly username: string;
  readonly eventTypes: readonly string[];
  /** The token of the chat service, created when the webhook is. */
  readonly token: () => string;
}

export interface PlatformTag {
  readonly environment: string;
  readonly name: string;
  readonly description: string;
  readonly timestamp: string;
  readonly immutable: boolean;
}

/** A person, a service account or a group. One member is set. */
export interface PlatformPrincipal {
  readonly email?: string | null | undefined;
  readonly service_account?: string | null | undefined;
  readonly group?: string | null | undefined;
}

export interface PlatformGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly PlatformPrincipal[];
}

/** A role in one project or one environment. */
export interface PlatformGrant {
  readonly principal: PlatformPrincipal;
  readonly project?: string | null | undefined;
  readonly environment?: string | null | undefined;
  readonly role: string;
}

/** Sorts rows so that each one comes after its parent. Rows of a cycle come last. */
export function parentsFirst<Row extends { readonly name: string }>(
  rows: readonly Row[],
  parentOf: (row: Row) => string | null,
): readonly Row[] {
  const waitingRows = new Map(rows.map((row) => [row.name, row]));
  const sortedRows: Row[] = [];
  for (let before = -1; before !== sortedRows.length; ) {
    before = sortedRows.length;
    for (const row of [...waitingRows.values()]) {
      const parent = parentOf(row);
      if (parent !== null && parent !== row.name && waitingRows.has(parent)) continue;
      waitingRows.delete(row.name);
      sortedRows.push(row);
    }
  }
  return [...sortedRows, ...waitingRows.values()];
}
