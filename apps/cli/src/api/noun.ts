// The shape of the nouns that the commands for administration are generated from.

/** A member of a request body. */
export interface NounMember {
  readonly name: string;
  readonly description: string;
  readonly kind: 'text' | 'flag' | 'number' | 'list' | 'json';
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  /** Whether null is a value. */
  readonly isNullable?: boolean;
  /** Whether it contains a credential, which must not be an argument. */
  readonly isCredential?: boolean;
  /** The member that contains this one. */
  readonly inside?: string;
}

export interface Noun {
  /** The word of the command line. */
  readonly word: string;
  /** The prefix of the ids of its operations. */
  readonly prefix: string;
  /** One object, such as "service account". */
  readonly singular: string;
  /** One object with its article, such as "an environment". */
  readonly withArticle: string;
  readonly plural: string;
  /** The placeholders of the path of its list. */
  readonly parents: readonly string[];
  /** The paths to the members of a row that together identify an object. */
  readonly by: readonly string[];
  /** The members that contain links, with the prefixes of the nouns that they lead to. */
  readonly links: Readonly<Record<string, readonly string[]>>;
  /** Those of these members that can also contain any other text. */
  readonly freeLinks: readonly string[];
  /** The members of rows that no command shows: other links, and values, which can be secrets. */
  readonly hidden: readonly string[];
  /** The members of rows that tables show, besides those that identify an object. */
  readonly columns: readonly string[];
  /** Absent if objects cannot be created. */
  readonly create?: readonly NounMember[];
  readonly change?: readonly NounMember[];
  readonly canDelete?: boolean;
  /** Whether its writes can be part of a changeset, so that they can be planned. */
  readonly isPlanned?: boolean;
  /** Whether `force` deletes an object that programs read. */
  readonly isReadProtected?: boolean;
  /** The members that only the response to a creation contains. */
  readonly shownOnce: readonly string[];
}
