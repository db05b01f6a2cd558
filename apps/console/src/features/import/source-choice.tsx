import { FILE_FORMATS, type ImportSource } from '@strata/import';
import { X } from 'lucide-react';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './import-preview.module.css';

interface SourceChoiceProps {
  readonly source: ImportSource;
  readonly environments: readonly string[];
  /** Whether the file contains the names of its environments. */
  readonly saysItself: boolean;
  onSource(source: ImportSource): void;
  onRemove(): void;
}

/** Renders the choice of the format and the environment of a file. */
export function SourceChoice({ source, environments, saysItself, onSource, onRemove }: SourceChoiceProps) {
  return (
    <div className={styles.choice}>
      <h3>
        <UserText>{source.title}</UserText>
      </h3>
      <label>
        read as
        <select
          value={source.format}
          onChange={({ target }) => {
            const format = FILE_FORMATS.find((fileFormat) => fileFormat === target.value);
            if (format) onSource({ ...source, format });
          }}
        >
          {FILE_FORMATS.map((format) => (
            <option key={format}>{format}</option>
          ))}
        </select>
      </label>
      {saysItself ? (
        <span>into the environments it names</span>
      ) : (
        <label>
          into
          <select
            value={source.environment}
            onChange={({ target }) => onSource({ ...source, environment: target.value })}
          >
            {source.environment === '' && <option value="">Choose an environment</option>}
            {environments.map((name) => (
              <option key={name} value={name}>
                {withVisibleCharacters(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <button
        type="button"
        className={button.icon}
        aria-label={withVisibleCharacters(`Remove ${source.title}`)}
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}

/** Explains why a file is not imported by environment although some of its keys are environments. */
export function OtherKeys({ keys }: { readonly keys: readonly string[] }) {
  if (keys.length === 0) return null;
  return (
    <p className={page.note}>
      Some keys are environments, but not these: <UserText>{keys.slice(0, 10).join(', ')}</UserText>. All keys are
      imported into one environment.
    </p>
  );
}
