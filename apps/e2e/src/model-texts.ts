import type { ParameterExport } from '@strata/contract';
import { type ConfigurationModel, evaluateEffective, listVisibleNames } from '@strata/testkit';

/** Returns the expected export. In upper case, every name of the model is a valid variable name. */
export function modelExport(model: ConfigurationModel, project: string, environment: string): ParameterExport {
  const expectedValues = listVisibleNames(model, project).flatMap((name) => {
    const expectedValue = evaluateEffective(model, project, environment, name);
    if (!expectedValue) return [];
    // A value is secret if the parameter on which it is set is secret.
    return [{ name: name.toUpperCase(), text: expectedValue.text ?? '', isSecret: expectedValue.secret }];
  });
  expectedValues.sort((left, right) => (left.name < right.name ? -1 : 1));
  return {
    body: expectedValues.map(({ name, text }) => `${name}=${text}\n`).join(''),
    has_secret: expectedValues.some(({ isSecret }) => isSecret),
  };
}

/** Returns a template that references every name, and its expected text. */
export function modelPreview(
  model: ConfigurationModel,
  project: string,
  environment: string,
): { source: string; body: string } {
  const names = listVisibleNames(model, project);
  return {
    source: names.map((name) => `${name}={{ ${name} }};`).join(''),
    body: names.map((name) => `${name}=${evaluateEffective(model, project, environment, name)?.text ?? ''};`).join(''),
  };
}
