import fc from 'fast-check';
import { EventParser } from './sse-parser.ts';

const EVENTS = [
  { event: 'snapshot', data: '{"a":"é\\n"}' },
  { event: 'delta', data: 'first\nsecond' },
];
const TEXT = `retry: 2000\n\n: a comment\nid: 1\nevent: snapshot\ndata: ${EVENTS[0]?.data}\n\nevent: delta\ndata:first\ndata: second\n\nevent: ignored\n\n`;

test.each(['\n', '\r\n', '\r'])(
  'a stream with line breaks %j that is cut anywhere has the same events',
  (lineBreak) => {
    const text = TEXT.replaceAll('\n', lineBreak);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const parser = new EventParser();
        const ends = [...new Set([...cuts, text.length])].sort((a, b) => a - b);
        const pieces = ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end));
        expect([...pieces, ''].flatMap((piece) => parser.push(piece))).toEqual(EVENTS);
      }),
    );
  },
);
