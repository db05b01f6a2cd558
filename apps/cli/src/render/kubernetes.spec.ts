import { parseAllDocuments } from 'yaml';
import { kubernetesManifests } from './kubernetes.ts';

const plain = (value: string | null) => ({ value, secret: false });
/** Reads as kubectl does, whose reader follows YAML 1.1. */
const documents = (text: string) => parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJSON());

test('writes every text exactly, leaves out explicit nulls, and omits the Secret if there are no secrets', () => {
  const long = `${'word '.repeat(40)}\n  indented\n\n`;
  const texts = { A: 'yes', B: '08', C: long, D: '---', E: '', F: '🔑: #', NO: '1_000', y: '1:30' };
  const values = {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, plain(text)])),
    G: plain(null),
  };
  expect(documents(kubernetesManifests(values, { name: 'shop' }))).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop' }, data: texts },
  ]);
});

test.each(['Shop', 'a b', '-a', 'a'.repeat(254), ''])('%j is no name of an object', (name) => {
  expect(() => kubernetesManifests({}, { name })).toThrow('is not a name for Kubernetes');
});

test('rejects a parameter whose name cannot be a key', () => {
  expect(() => kubernetesManifests({ 'a/b': plain('1') }, { name: 'shop' })).toThrow('"a/b" cannot be a key');
});
