/** Where the text of an external value comes from. */
export interface ExternalSource {
  /** The location of the content. */
  readonly fqn: string;
  /** The JMESPath expression that selects the text in the content. Empty for the complete content. */
  readonly filter: string;
  /** The version of the value whose text was read from the location. Later versions have other sources. */
  readonly ledger_id: string;
  /** Why the text may be older than the content: it could not be read, or was rejected. Null while it is current. */
  readonly error: ExternalError | null;
}

export interface ExternalError {
  readonly code: string;
  /** A sentence without the content. */
  readonly detail: string;
}

/** Returns the source of a value; null if its text is set in Strata. */
export function externalSource(value: {
  readonly ledger_id: string;
  readonly source?: ExternalSource | null;
}): ExternalSource | null {
  return value.source?.ledger_id === value.ledger_id ? value.source : null;
}
