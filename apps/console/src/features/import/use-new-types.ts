import { type BaseType } from '@strata/domain';
import { type ImportLine, type InferredTypes, inferImportedTypes } from '@strata/import';
import { useMemo, useState } from 'react';

/** The lines of each part. */
export type PartLines = readonly (readonly ImportLine[])[];

/** The types of the parameters that an import creates. */
export interface NewTypes {
  /** The types other than `string`, by name. */
  readonly types: InferredTypes;
  /** Those of them that were inferred from texts, until the user chooses another one. */
  readonly inferred: InferredTypes;
  choose(name: string, type: BaseType): void;
  /** Makes strings of the inferred ones. */
  dismiss(): void;
}

const NO_TYPES: InferredTypes = new Map();

export function useNewTypes(lines: PartLines | null): NewTypes {
  const [choices, setChoices] = useState<InferredTypes>(NO_TYPES);
  const [isInferred, setInferred] = useState(true);
  return useMemo(() => {
    const proposed = lines && isInferred ? inferImportedTypes(lines) : NO_TYPES;
    return {
      types: new Map([...proposed, ...choices]),
      inferred: new Map([...proposed].filter(([name]) => !choices.has(name))),
      choose: (name, type) => setChoices(new Map([...choices, [name, type]])),
      dismiss: () => setInferred(false),
    };
  }, [lines, isInferred, choices]);
}
