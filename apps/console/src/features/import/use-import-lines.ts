import { filterResolvable, findProposedSecrets, type ImportPart, importLines, lineReferences } from '@strata/import';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { importTargetsQuery } from '../../data/import-targets.ts';
import { useNewTypes } from './use-new-types.ts';

/** Compares the files with the stored values. Lines that look like secrets are marked as secret unless the user decides otherwise. */
export function useImportLines(projectId: string, parts: readonly ImportPart[]) {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const environments = [...new Set(parts.map(({ environment }) => environment))];
  const targets = useQuery(importTargetsQuery(projectId, environments));
  const [resolves, setResolves] = useState<boolean | null>(null);
  const references = useMemo(
    () => lineReferences(parts, { targets: targets.data ?? NO_TARGETS, secretChoices: choices }),
    [parts, targets.data, choices],
  );
  const lines = useMemo(() => {
    if (!targets.data) return null;
    const resolvedReferences = resolves ? filterResolvable(references) : NO_REFERENCES;
    const secrets = findProposedSecrets(parts, resolvedReferences, choices);
    return importLines(parts, { targets: targets.data, secrets, resolved: resolvedReferences });
  }, [parts, targets.data, choices, references, resolves]);
  const newTypes = useNewTypes(lines);
  const lacksChoice = resolves === null && filterResolvable(references).size > 0;
  const question = { references: lines ? references : NO_REFERENCES, resolves, onChoice: setResolves };
  const markSecret = (name: string, isSecret: boolean) => setChoices(new Map([...choices, [name, isSecret]]));
  return {
    lines,
    newTypes,
    markSecret,
    question,
    lacksChoice,
    error: targets.error,
    retry: () => void targets.refetch(),
  };
}

const NO_TARGETS: ReadonlyMap<string, { readonly secret: boolean }> = new Map();
const NO_REFERENCES: ReturnType<typeof lineReferences> = new Map();
