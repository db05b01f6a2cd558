import { promotionStep } from './promotion.ts';

describe('toSet', () => {
  const source = (states: readonly string[], text: string | null, isSecretSource = false) => ({
    states,
    text,
    isSecretSource,
  });
  const target = (
    states: readonly string[],
    text: string | null,
    {
      isSecretParameter = false,
      withoutOwn = 'nothing',
    }: { isSecretParameter?: boolean | null; withoutOwn?: string } = {},
  ) => ({ states, text, isSecretParameter, withoutOwn });
  it.each`
    when                                        | left                                             | right                                                           | action
    ${'a text against another'}                 | ${source(['own'], 'a')}                          | ${target(['own'], 'b')}                                         | ${'set'}
    ${'a text against nothing'}                 | ${source(['inherited'], 'a')}                    | ${target(['missing'], null)}                                    | ${'set'}
    ${'an explicit null against a text'}        | ${source(['own', 'null'], null)}                 | ${target(['own'], 'b')}                                         | ${'set'}
    ${'a text where the project has no name'}   | ${source(['own'], 'a')}                          | ${target(['missing'], null, { isSecretParameter: null })}       | ${'set'}
    ${'a dynamic text against another'}         | ${source(['own', 'dynamic'], '{{a}}')}           | ${target(['own', 'dynamic'], '{{b}}')}                          | ${'set'}
    ${'a dynamic text against a literal one'}   | ${source(['own', 'dynamic'], '{{a}}')}           | ${target(['own'], '{{a}}')}                                     | ${'set'}
    ${'one dynamic text with two results'}      | ${source(['own', 'dynamic'], '{{a}}')}           | ${target(['inherited', 'dynamic'], '{{a}}')}                    | ${'nothing'}
    ${'a secret'}                               | ${source(['own', 'secret'], null, true)}         | ${target(['own', 'secret'], null, { isSecretParameter: true })} | ${'copy_secret'}
    ${'a secret where the project has no name'} | ${source(['own', 'secret'], null, true)}         | ${target(['missing'], null, { isSecretParameter: null })}       | ${'copy_secret'}
    ${'a null of a secret'}                     | ${source(['own', 'null', 'secret'], null, true)} | ${target(['own', 'secret'], null, { isSecretParameter: true })} | ${'set'}
    ${'a secret against an ordinary parameter'} | ${source(['own', 'secret'], null, true)}         | ${target(['own'], 'b')}                                         | ${'impossible'}
    ${'a text against a secret parameter'}      | ${source(['own'], 'a')}                          | ${target(['own', 'secret'], null, { isSecretParameter: true })} | ${'impossible'}
    ${'nothing against an own value'}           | ${source(['missing'], null)}                     | ${target(['own'], 'b')}                                         | ${'unset'}
    ${'nothing against a value over another'}   | ${source(['missing'], null)}                     | ${target(['own'], 'b', { withoutOwn: 'something' })}            | ${'impossible'}
    ${'nothing, with forbidden ancestors'}      | ${source(['missing'], null)}                     | ${target(['own'], 'b', { withoutOwn: 'closed' })}               | ${'impossible'}
    ${'nothing against an inherited value'}     | ${source(['missing'], null)}                     | ${target(['inherited'], 'b', { withoutOwn: 'something' })}      | ${'impossible'}
  `('$when: $action', ({ left, right, action }) => {
    const step = promotionStep(left, right);

    expect(step.action).toBe(action);
    // Every impossible action states its reason.
    expect(step.reason !== undefined).toBe(action === 'nothing' || action === 'impossible');
  });
});
