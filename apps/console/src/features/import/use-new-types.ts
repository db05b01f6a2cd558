import { type BaseType } from '@strata/domain';
import { type ImportLine, type InferredTypes, inferImportedTypes } from '@strata/import';
import { useMemo, useState } from 'react';

/** The lines of each part of the imported files. */
export type PartLines = readonly (readonly ImportLine[])[];

/** The types of the parameters that an import creates. */
export interface NewTypes {
  /** The types by name; `string` if absent. */
  readonly types: InferredTypes;
  /** The types that are inferred from texts and that the user has neither changed nor dismissed. */
  readonly inferred: InferredTypes;
  choose(name: string, type: BaseType): void;
  /** Chooses `string` for the parameters with inferred types. Parameters of files that are added later are inferred again. */
  dismiss(): void;
}

const NO_TYPES: InferredTypes = new Map();

export function useNewTypes(lines: PartLines | null): NewTypes {
  const [choices, setChoices] = useState(NO_TYPES);
  return useMemo(() => {
    const proposedTypes = lines ? inferImportedTypes(lines) : NO_TYPES;
    const inferredTypes = new Map([...proposedTypes].filter(([name]) => !choices.has(name)));
    return {
      types: new Map([...proposedTypes, ...choices]),
      inferred: inferredTypes,
      choose: (name, type) => setChoices(new Map([...choices, [name, type]])),
      dismiss: () =>
        setChoices(new Map([...choices, ...[...inferredTypes.keys()].map((name) => [name, 'string'] as const)])),
    };
  }, [lines, choices]);
}
