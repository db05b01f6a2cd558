// The words that the data files are written in. `elsewhere` maps the name of an environment to the value set there;
// every other environment inherits; null there hides what it would inherit.

const parameter =
  (type) =>
  (value, description, elsewhere = {}) => ({
    type,
    secret: false,
    description,
    values: Object.fromEntries(
      Object.entries({ default: value, ...elsewhere }).map(([environment, given]) => [
        environment,
        given === null ? null : String(given),
      ]),
    ),
  });

export const text = parameter('string');
export const integer = parameter('integer');
export const boolean = parameter('boolean');

/** A parameter of one of the organization's own types (see organization.mjs). */
export const typed = parameter;

/** A text that is made of other parameters, wherever it is looked at. */
export const dynamic = (text, description) => ({ ...parameter('string')(text, description), interpolated: true });

/** A secret has no value in this repository: `run.mjs` makes a random one for each of these environments. */
export const secret = (description, environments = ['default', 'staging', 'production']) => ({
  type: 'string',
  secret: true,
  description,
  randomIn: environments,
  values: {},
});
