import fc from 'fast-check';
import { type SseMessage, SseParser } from './sse.ts';

function read(...pieces: string[]): SseMessage[] {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

describe('SseParser', () => {
  it('parses a message with its name and id', () => {
    expect(read('event: change\nid: c1\ndata: {"a":1}\n\n')).toEqual([{ event: 'change', id: 'c1', data: '{"a":1}' }]);
  });

  it('joins several data lines and removes a single leading blank', () => {
    expect(read('data:  a\ndata:b\ndata\n\n')).toEqual([{ event: 'message', id: null, data: ' a\nb\n' }]);
  });

  it.each([['\n'], ['\r\n'], ['\r']])('ends lines with %j', (end) => {
    expect(read(['data: a', 'data: b', '', 'data: c', '', ''].join(end))).toMatchObject([
      { data: 'a\nb' },
      { data: 'c' },
    ]);
  });

  it('skips comments, unknown fields, a byte order mark and messages without data', () => {
    expect(read('\ufeff: hello\nretry: 2000\nfoo: bar\n\nevent: empty\n\ndata: x\n\n')).toEqual([
      { event: 'message', id: null, data: 'x' },
    ]);
  });

  it('keeps the id until another one arrives, and resets the name', () => {
    expect(read('event: a\nid: 1\ndata: x\n\ndata: y\n\nid: 2\0\ndata: z\n\n')).toEqual([
      { event: 'a', id: '1', data: 'x' },
      { event: 'message', id: '1', data: 'y' },
      { event: 'message', id: '1', data: 'z' },
    ]);
  });

  it('does not yield an incomplete message', () => {
    expect(read('data: x\n')).toEqual([]);
  });

  it('parses the same messages wherever the stream is cut', () => {
    const text = 'id: 1\r\nevent: change\r\ndata: {"a":"ü"}\r\n\r\n: idle\r\rdata: b\ndata: c\n\n\r\ndata: d\r\n\r\n';
    const expected = read(text);
    expect(expected).toHaveLength(3);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const positions = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = positions.slice(1).map((position, index) => text.slice(positions[index], position));
        expect(read(...pieces)).toEqual(expected);
      }),
    );
  });

  it('rejects a message without an end', () => {
    const parser = new SseParser();
    expect(() => {
      for (let line = 0; line < 20; line += 1) parser.push(`data: ${'x'.repeat(100_000)}\n`);
    }).toThrow('too long');
  });
});
