import fc from 'fast-check';
import { parseInstant } from './point-in-time.ts';

describe('parseInstant', () => {
  it.each`
    text                                | instant
    ${'2023-03-15T09:38:48.368-04:00'}  | ${'2023-03-15T13:38:48.368000Z'}
    ${'2024-05-01T10:00:05.500000Z'}    | ${'2024-05-01T10:00:05.500000Z'}
    ${'2024-05-01T10:00:05Z'}           | ${'2024-05-01T10:00:05.000000Z'}
    ${'2024-05-01T10:00:05.1Z'}         | ${'2024-05-01T10:00:05.100000Z'}
    ${'2024-05-01T10:00:05.000001Z'}    | ${'2024-05-01T10:00:05.000001Z'}
    ${'2024-05-01T10:00:05.499999999Z'} | ${'2024-05-01T10:00:05.499999Z'}
    ${'2024-05-01T10:00:05'}            | ${'2024-05-01T10:00:05.000000Z'}
    ${'2024-05-01t10:00:05z'}           | ${'2024-05-01T10:00:05.000000Z'}
    ${'2024-05-01 10:00:05+00:00'}      | ${'2024-05-01T10:00:05.000000Z'}
    ${'2024-05-01T10:00:05-00:00'}      | ${'2024-05-01T10:00:05.000000Z'}
    ${'2000-01-01'}                     | ${'2000-01-01T00:00:00.000000Z'}
    ${'1970-01-01T00:00:00Z'}           | ${'1970-01-01T00:00:00.000000Z'}
    ${'2024-01-01T00:30:00+01:00'}      | ${'2023-12-31T23:30:00.000000Z'}
    ${'2024-02-28T23:30:00-01:00'}      | ${'2024-02-29T00:30:00.000000Z'}
    ${'2024-05-01T10:00:05+23:59'}      | ${'2024-04-30T10:01:05.000000Z'}
    ${'2024-02-29'}                     | ${'2024-02-29T00:00:00.000000Z'}
    ${'2000-02-29'}                     | ${'2000-02-29T00:00:00.000000Z'}
    ${'0099-12-31T00:00:00Z'}           | ${'0099-12-31T00:00:00.000000Z'}
    ${'0001-01-01'}                     | ${'0001-01-01T00:00:00.000000Z'}
    ${'9999-12-31T23:59:59.999999Z'}    | ${'9999-12-31T23:59:59.999999Z'}
    ${'2016-12-31T23:59:60Z'}           | ${'2017-01-01T00:00:00.000000Z'}
    ${'1990-12-31T15:59:60.25-08:00'}   | ${'1991-01-01T00:00:00.250000Z'}
  `('parses $text as $instant', ({ text, instant }) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each`
    text                                 | because
    ${''}                                | ${'there is nothing'}
    ${'now'}                             | ${'a word is no instant'}
    ${'1714557605'}                      | ${'a number of seconds is no instant'}
    ${'2023-02-29'}                      | ${'2023 has no leap day'}
    ${'1900-02-29'}                      | ${'1900 had none either'}
    ${'2024-04-31'}                      | ${'April has 30 days'}
    ${'2024-00-10'}                      | ${'months begin with 1'}
    ${'2024-13-01'}                      | ${'and end with 12'}
    ${'2024-01-00'}                      | ${'days begin with 1'}
    ${'2024-05-01T24:00:00Z'}            | ${'hours end with 23'}
    ${'2024-05-01T10:60:00Z'}            | ${'minutes end with 59'}
    ${'2024-05-01T10:00:61Z'}            | ${'no minute has 62 seconds'}
    ${'2024-05-01T10:00:60Z'}            | ${'leap seconds end a day'}
    ${'2024-05-15T23:59:60Z'}            | ${'and a month'}
    ${'2016-12-31T23:59:60+01:00'}       | ${'in UTC'}
    ${'2024-05-01T10:00:05+24:00'}       | ${'offsets end with 23:59'}
    ${'2024-05-01T10:00:05+01:60'}       | ${'also in their minutes'}
    ${'2024-05-01T10:00:05+0100'}        | ${'offsets have a colon'}
    ${'2024-05-01T10:00:05+01'}          | ${'and minutes'}
    ${'2024-05-01T10:00:05 CET'}         | ${'zones have no names'}
    ${'2024-05-01T10:00:05.Z'}           | ${'a point needs digits'}
    ${'2024-05-01T10:00:05.0123456789Z'} | ${'ten fraction digits are too many'}
    ${'2024-05-01T10:00Z'}               | ${'seconds are needed'}
    ${'2024-05-01T'}                     | ${'a time is needed after T'}
    ${'2024-05-01Z'}                     | ${'a bare date has no zone'}
    ${'24-05-01'}                        | ${'years have four digits'}
    ${'02024-05-01'}                     | ${'not five'}
    ${'2024-5-1'}                        | ${'months and days have two'}
    ${' 2024-05-01'}                     | ${'blanks are not trimmed'}
    ${'2024-05-01\n'}                    | ${'line breaks neither'}
    ${'２０２４-05-01'}                  | ${'digits are ASCII'}
    ${'0000-01-01'}                      | ${'there is no year 0'}
    ${'0001-01-01T00:00:00+00:01'}       | ${'nor by way of an offset'}
    ${'9999-12-31T23:59:59-00:01'}       | ${'nor a year 10000'}
  `('rejects "$text": $because', ({ text }) => {
    expect(parseInstant(text)).toBeNull();
  });

  const dates = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });

  it('agrees with the calendar of the language for every instant and offset', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -1439, max: 1439 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const [hour, minute] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((n) =>
          `${n}`.padStart(2, '0'),
        );
        const text = `${local}${offset < 0 ? '-' : '+'}${hour}:${minute}`;
        expect(parseInstant(text)).toBe(date.toISOString().replace('Z', '000Z'));
      }),
    );
  });

  it('parses its own output, and texts sort as instants', () => {
    const instants = fc.tuple(dates, fc.nat({ max: 999 })).map(([date, micros]) => ({
      text: date.toISOString().replace('Z', `${`${micros}`.padStart(3, '0')}Z`),
      micros: BigInt(date.getTime()) * 1000n + BigInt(micros),
    }));
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        expect(parseInstant(a.text)).toBe(a.text);
        expect(a.text < b.text).toBe(a.micros < b.micros);
      }),
    );
  });

  it('accepts a day exactly if the calendar has it', () => {
    const two = (n: number) => `${n}`.padStart(2, '0');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat({ max: 15 }), fc.nat({ max: 35 }), (year, month, day) => {
        const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
        const lengths = [0, 31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        const exists = day >= 1 && day <= (lengths[month] ?? 0);
        const text = `${`${year}`.padStart(4, '0')}-${two(month)}-${two(day)}`;
        expect(parseInstant(text)).toBe(exists ? `${text}T00:00:00.000000Z` : null);
      }),
      { numRuns: 1000 },
    );
  });

  it('returns an instant in the fixed format or null for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-:.TZ+ ') }), (text) => {
        expect(parseInstant(text) ?? '2000-01-01T00:00:00.000000Z').toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      }),
    );
  });
});
