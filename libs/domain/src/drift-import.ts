/** The value that a key of a push is written from, as it is now. */
export interface DriftTarget {
  /** Whether the parameter belongs to the project that is pushed. */
  readonly isOwnParameter: boolean;
  readonly isSecret: boolean;
  /** Null if the environment inherits its value. */
  readonly value: {
    /** The hash of the text at the key of the push; null for an explicit null. */
    readonly hash: string | null;
    readonly isExternal: boolean;
    readonly isDynamic: boolean;
    /** Whether a rotation writes the value. */
    readonly isRotated: boolean;
  } | null;
}

/** A text that another program wrote to a key of a push. */
export interface DriftedText {
  readonly hash: string;
  /** The hash of the text that the push wrote. */
  readonly writtenHash: string;
  /** Whether the store encrypts the text; null if it encrypts all texts. */
  readonly isEncrypted: boolean | null;
}

export type ImportObstacle =
  | 'other_project'
  | 'inherited'
  | 'external'
  | 'dynamic'
  | 'rotated'
  | 'encrypted_elsewhere'
  | 'changed_in_strata';

/**
 * Returns why a text is not written to its value; null if it may be. Only an explicit text of the pushed project and
 * environment is replaced, because another value can also apply elsewhere. The value must have the text that the push
 * wrote, so that no change in Strata is lost, or the text of the store, which is the result of an earlier import.
 */
export function findImportObstacle(target: DriftTarget, text: DriftedText): ImportObstacle | null {
  const { isOwnParameter, isSecret, value } = target;
  if (!isOwnParameter) return 'other_project';
  if (value === null) return 'inherited';
  if (value.isExternal) return 'external';
  if (value.isDynamic) return 'dynamic';
  if (value.isRotated) return 'rotated';
  if (text.isEncrypted && !isSecret) return 'encrypted_elsewhere';
  return value.hash === text.writtenHash || value.hash === text.hash ? null : 'changed_in_strata';
}
