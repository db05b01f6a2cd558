import type { KeyState, PlannedKeyReason } from '@strata/domain';

interface StateWords {
  readonly label: string;
  readonly about: string;
  readonly isBad?: true;
}

/** The states of keys. */
export const KEY_STATES: Readonly<Record<KeyState, StateWords>> = {
  in_sync: { label: 'In sync', about: 'The store has the value of Strata.' },
  pending: { label: 'Pending', about: 'The next run changes the key.' },
  drifted: { label: 'Drifted', about: 'Another program changed the text that Strata wrote.', isBad: true },
  foreign: { label: 'Foreign', about: 'Another program or another push wrote the key.', isBad: true },
  missing: { label: 'Missing', about: 'The store no longer has the key.' },
  failed: { label: 'Failed', about: 'The key could not be written.', isBad: true },
};

/** Why keys have their states. */
export const KEY_REASONS: Readonly<Record<PlannedKeyReason, string>> = {
  equal: 'The texts are equal',
  new: 'The store does not have the key yet',
  changed: 'The value changed in Strata',
  unused: 'The push no longer contains the key',
  deleted_elsewhere: 'Another program deleted the key',
  changed_elsewhere: 'Another program changed the text',
  write_unconfirmed: 'The last write had no response, so the text can be that of another program',
  not_written_by_strata: 'This push did not write the key',
  mark_removed: 'The key no longer has the mark of this push',
  cannot_write: 'The value cannot be written to this store',
  must_encrypt: 'The text is secret, and the store has it unencrypted',
  removal_undecided: 'The push no longer has the value, which may still exist',
  decided: 'You decided about the key',
  imported: 'Strata imported the text, and the value at the tag is older',
  not_importable: 'Another program changed the text, and it cannot be imported',
  changed_on_both_sides: 'Another program changed the text, and the value changed in Strata',
};
