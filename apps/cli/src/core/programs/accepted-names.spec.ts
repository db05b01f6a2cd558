import { describeRejectedNames, readAcceptedNames } from './accepted-names.ts';

const file = { acceptNames: ['JAVA_OPTS', 'GIT_*'] };

test('names that can run code are accepted by strata.json and by options, one by one or by a pattern', () => {
  expect(describeRejectedNames(['PORT', 'JAVA_OPTS', 'GIT_SSH', 'PATH'], readAcceptedNames(file, ['PATH']))).toBeNull();
  expect(describeRejectedNames(['LD_PRELOAD', 'LD_AUDIT'], readAcceptedNames(null, ['LD_*']))).toBeNull();
});

test('the error names what is rejected, and how to accept it', () => {
  expect(describeRejectedNames(['PORT', 'PATH', 'TAR_OPTIONS', 'JAVA_OPTS'], readAcceptedNames(file))).toBe(
    'The configuration sets PATH, TAR_OPTIONS, which can make programs run other code or read other settings. To accept a name, list it as "acceptNames": ["PATH","TAR_OPTIONS"] in strata.json, or add --allow-name PATH --allow-name TAR_OPTIONS.',
  );
});

test('with acceptOnly, every other name is rejected', () => {
  const accepted = readAcceptedNames({ ...file, acceptOnly: true }, ['PORT']);
  expect(describeRejectedNames(['PORT', 'JAVA_OPTS'], accepted)).toBeNull();
  expect(describeRejectedNames(['HOST', 'PATH'], accepted)).toMatch(
    /sets HOST, PATH, which strata.json does not accept/,
  );
});

test('an option for every name is rejected', () => {
  expect(() => readAcceptedNames(null, ['PATH', '*'])).toThrow('"*" would permit every name.');
});
