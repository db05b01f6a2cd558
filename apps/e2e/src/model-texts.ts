import type { ParameterExport } from '@strata/contract';
import { type ConfigurationModel, effective, visibleNames } from '@strata/testkit';

/** Every name is one that an environment variable may have, once it is upper case. */
export function exportOf(model: ConfigurationModel, project: string, environment: string): ParameterExport {
  const expectedValues = visibleNames(model, project).flatMap((name) => {
    const expectedValue = effective(model, project, environment, name);
    if (!expectedValue) return [];
    // A value is as secret as the parameter that it is set on.
    return [{ name: name.toUpperCase(), text: expectedValue.text ?? '', isSecret: expectedValue.secret }];
  });
  expectedValues.sort((left, right) => (left.name < right.name ? -1 : 1));
  return {
    body: expectedValues.map(({ name, text }) => `${name}=${text}\n`).join(''),
    has_secret: expectedValues.some(({ isSecret }) => isSecret),
  };
}

/** A template that mentions every name, as it reads in one place. */
export function previewOf(
  model: ConfigurationModel,
  project: string,
  environment: string,
): { source: string; body: string } {
  const names = visibleNames(model, project);
  return {
    source: names.map((name) => `${name}={{ ${name} }};`).join(''),
    body: names.map((name) => `${name}=${effective(model, project, environment, name)?.text ?? ''};`).join(''),
  };
}
