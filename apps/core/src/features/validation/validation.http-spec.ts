import { type RunningCore, sharedCore } from '@strata/testkit';
import { createTypeBelow, fetchType, rule, statusAndCode } from '../../testing/types.ts';

/** Tests the order and the messages of validation on all interfaces. Each rule is tested in the feature of its noun. */
let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('an error', () => {
  it('of a text lists all violations: those of its own rules before those of the type and its ancestors', async () => {
    const organization = await core.organization();
    const word = await createTypeBelow(organization, 'string', 'word');
    const name = await createTypeBelow(organization, 'word', 'name');
    const parameter = await organization.parameter({ name: 'nick', type: 'name' });
    await rule(organization, word, 'regex', '[a-z]+$');
    await rule(organization, name, 'max_len', 3);
    await rule(organization, parameter, 'max_len', 2);
    const environment = (await organization.environmentNamed('default')).url;

    const response = await organization.owner.post(`${parameter.url}values/`, { environment, internal_value: 'ABCD' });

    expect(statusAndCode(response)).toBe('400 rule_violation');
    expect(response.body).toEqual({
      internal_value: [
        'The value must have at most 2 characters (rule max_len of parameter nick).',
        'The value must have at most 3 characters (rule max_len of type name).',
        'The value must match the pattern [a-z]+$ from its start (rule regex of type word).',
      ],
    });
  });

  it('of many texts contains the parameter of each text', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'shop' });
    await organization.parameter({ project, name: 'port', type: 'integer' });
    await organization.parameter({ project, name: 'debug', type: 'boolean' });
    const body = {
      project: 'shop',
      environment: 'default',
      secrets: [],
      ignore: [],
      body: 'debug=perhaps\nport=http\n',
    };

    const response = await organization.owner.post('import/', body);

    expect(statusAndCode(response)).toBe('400 type_violation');
    expect(response.body).toEqual({
      internal_value: [
        'debug: The value is not of type boolean: it must be true or false, or yes or no.',
        'port: The value is not of type integer: it must be an optional sign and decimal digits.',
      ],
    });
  });

  it('about dependents of a change contains ten names and the number of the others', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'shop' });
    const port = await organization.parameter({ project, name: 'port' });
    const environment = await organization.environmentNamed('production');
    const value = await organization.value({ parameter: port, environment, internal_value: '80' });
    for (const name of 'abcdefghijkl') {
      const parameter = await organization.parameter({ project, name, type: 'integer' });
      await organization.value({ parameter, environment, internal_value: '{{ port }}', interpolated: true });
    }

    const response = await organization.owner.patch(value.url, { internal_value: 'http' });

    expect(statusAndCode(response)).toBe('400 dependent_values');
    const because = 'The value is not of type integer: it must be an optional sign and decimal digits.';
    expect(response.body).toEqual({
      internal_value: [
        ...[...'abcdefghij'].map(
          (name) => `${name} of shop in production depends on this and would become invalid. ${because}`,
        ),
        'And 2 more.',
      ],
    });
  });
});

describe('a rule is validated before the stored values', () => {
  it('of a built-in type: first its kind, then the type, which accepts no rules', async () => {
    const organization = await core.organization();
    const integer = await fetchType(organization, 'integer');

    expect(statusAndCode(await rule(organization, integer, 'regex', '['))).toBe('400 rule_kind_illegal');
    expect(statusAndCode(await rule(organization, integer, 'min', 'x'))).toBe('403 type_is_built_in');
  });

  it('of a parameter: its kind, its constraint, its uniqueness, contradictions, and then values', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ name: 'nick' });
    const environment = await organization.environmentNamed('production');
    await rule(organization, parameter, 'min_len', 3);
    await organization.value({ parameter, environment, internal_value: 'abcdef' });
    await organization.owner.patch(environment.url, { access_controlled: true });
    const contributor = organization.as('CONTRIB');
    const statusOfRule = async (type: string, constraint: string) =>
      statusAndCode(await contributor.post(`${parameter.url}rules/`, { type, constraint }));

    expect(await statusOfRule('min', 'x')).toBe('400 rule_kind_illegal');
    expect(await statusOfRule('min_len', 'x')).toBe('400 invalid_constraint');
    expect(await statusOfRule('min_len', '9')).toBe('400 duplicate_rule');
    expect(await statusOfRule('max_len', '2')).toBe('400 rules_cross');
    // The response is the same whether the hidden value is valid or not.
    expect(await statusOfRule('max_len', '5')).toBe('403 judges_hidden_values');
    expect(await statusOfRule('max_len', '9')).toBe('403 judges_hidden_values');
    expect(statusAndCode(await rule(organization, parameter, 'max_len', 5))).toBe('400 existing_values');
  });
});
