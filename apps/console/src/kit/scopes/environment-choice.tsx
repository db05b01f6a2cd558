import type { ListedEnvironment } from '../../lib/environment-tree.ts';
import page from '../../ui/page.module.css';
import { SelectField } from '../../ui/select-field.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';

type Environments = readonly ListedEnvironment[];

/** Returns the environment that the URL names, or the first one if it names none. */
export function chosenEnvironment(
  environments: Environments | undefined,
  name: string | undefined,
): ListedEnvironment | undefined {
  return name === undefined ? environments?.[0] : environments?.find((environment) => environment.name === name);
}

interface EnvironmentChoiceProps {
  /** Undefined while they are loading. */
  readonly environments: Environments | undefined;
  /** The name in the URL. */
  readonly name: string | undefined;
  onChoose(name: string): void;
}

/** Renders the choice of the environment of a page. */
export function EnvironmentChoice({ environments, name, onChoose }: EnvironmentChoiceProps) {
  const chosenName = chosenEnvironment(environments, name);
  return (
    <SelectField
      label="Environment"
      chosen={chosenName?.name ?? null}
      whenNone="Choose an environment"
      onChoose={onChoose}
    >
      {environments?.map((environment) => (
        <option key={environment.id} value={environment.name}>
          {withVisibleCharacters(environment.name)}
        </option>
      ))}
    </SelectField>
  );
}

/** Explains that the environment in the URL does not exist or is forbidden. */
export function UnknownEnvironment({ environments, name }: Pick<EnvironmentChoiceProps, 'environments' | 'name'>) {
  if (!environments || name === undefined || chosenEnvironment(environments, name)) return null;
  return (
    <p className={page.note} role="alert">
      There is no environment named{' '}
      <strong>
        <UserText>{name}</UserText>
      </strong>{' '}
      here, or you don’t have access to it. Choose one.
    </p>
  );
}
