import { describeDestinationEvents, describeReceiver, describeStop, splitEntries } from './destination-descriptions.ts';

describe('the words of destinations', () => {
  it('group event types by their objects', () => {
    expect(describeDestinationEvents(['value_updated', 'value_created', 'tag_deleted', 'value_expires_soon'])).toBe(
      'values created, updated; tags deleted; reminders before values expire',
    );
  });

  it('name the receiver', () => {
    expect(describeReceiver({ address: 'https://hooks.example.com/…', recipients: [] })).toBe(
      'https://hooks.example.com/…',
    );
    expect(describeReceiver({ address: null, recipients: ['a@example.com'] })).toBe('a@example.com');
    expect(describeReceiver({ address: null, recipients: ['a@example.com', 'b@example.com', 'c@example.com'] })).toBe(
      'a@example.com and 2 others',
    );
  });

  it('say why nothing is sent', () => {
    expect(describeStop('failing: http_500')).toBe('Its messages could not be delivered (http_500).');
    expect(describeStop(null)).toBe('Its messages could not be delivered.');
  });

  it('accept one entry per line or commas', () => {
    expect(splitEntries(' a , b\n\nb\nc ')).toEqual(['a', 'b', 'c']);
  });
});
