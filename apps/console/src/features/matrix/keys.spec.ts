import { findCommand, type PressedKey } from './keys.ts';

const press = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe('keys have the same meaning as in a spreadsheet', () => {
  it.each`
    pressed                                            | command
    ${press('ArrowDown')}                              | ${{ kind: 'move', rows: 1, columns: 0 }}
    ${press('PageUp')}                                 | ${{ kind: 'move', rows: -20, columns: 0 }}
    ${press('Home')}                                   | ${{ kind: 'move', rows: 0, columns: -Number.MAX_SAFE_INTEGER }}
    ${press('ArrowUp', { shiftKey: true })}            | ${{ kind: 'extend', rows: -1, columns: 0 }}
    ${press('End', { shiftKey: true, ctrlKey: true })} | ${{ kind: 'extend', rows: Number.MAX_SAFE_INTEGER, columns: Number.MAX_SAFE_INTEGER }}
    ${press('a', { metaKey: true })}                   | ${{ kind: 'selectAll' }}
    ${press('d', { ctrlKey: true })}                   | ${{ kind: 'fillDown' }}
    ${press('R', { ctrlKey: true, shiftKey: true })}   | ${null}
    ${press('Enter')}                                  | ${{ kind: 'edit', typed: null }}
    ${press('x')}                                      | ${{ kind: 'edit', typed: 'x' }}
    ${press('Delete')}                                 | ${{ kind: 'unset' }}
    ${press(' ')}                                      | ${{ kind: 'explain' }}
    ${press(' ', { shiftKey: true })}                  | ${{ kind: 'selectRows' }}
    ${press('z', { ctrlKey: true })}                   | ${{ kind: 'undo' }}
    ${press('Z', { metaKey: true, shiftKey: true })}   | ${{ kind: 'redo' }}
    ${press('/')}                                      | ${null}
    ${press('?', { shiftKey: true })}                  | ${null}
    ${press('c', { ctrlKey: true })}                   | ${null}
    ${press('Escape')}                                 | ${{ kind: 'close' }}
    ${press('Tab')}                                    | ${null}
  `('$pressed.key', ({ pressed, command }) => {
    expect(findCommand(pressed, 20)).toEqual(command);
  });
});
