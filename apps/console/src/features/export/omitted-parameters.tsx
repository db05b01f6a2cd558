import type { OmittedNames } from '@strata/domain';
import { Fragment } from 'react';
import type { ExportKind } from '../../data/exports.ts';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';

interface OmittedParametersProps {
  readonly kind: ExportKind;
  readonly omitted: OmittedNames;
}

/** Lists the parameters that a file does not contain, with the reason and the format that contains them. */
export function OmittedParameters({ kind, omitted }: OmittedParametersProps) {
  const { invalid, colliding, unwritable } = omitted;
  const isDocker = kind.kind === 'file' && kind.output === 'docker';
  return (
    <>
      {invalid.length > 0 && (
        <p className={page.note}>
          Skipped (not valid variable names): <NameList names={invalid} />. JSON includes them.
        </p>
      )}
      {colliding.length > 0 && (
        <p className={page.note}>
          Skipped (their names differ only in case, and variables are written in capitals):{' '}
          <NameList names={colliding} />. JSON includes them.
        </p>
      )}
      {unwritable.length > 0 && (
        <p className={page.note}>
          Skipped ({isDocker ? 'docker cannot read line breaks' : 'programs disagree on how to read these values'}):{' '}
          <NameList names={unwritable} />. The shell format and JSON include them.
        </p>
      )}
    </>
  );
}

const NAMES_MAX = 20;

/** Shows the first names of a list, and the number of the others. */
export function NameList({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.slice(0, NAMES_MAX).map((name, at) => (
        <Fragment key={name}>
          {at > 0 && ', '}
          <UserText>{name}</UserText>
        </Fragment>
      ))}
      {names.length > NAMES_MAX && ` and ${(names.length - NAMES_MAX).toLocaleString()} more`}
    </>
  );
}
