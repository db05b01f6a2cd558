import type { ListId, OperationId } from '@strata/contract';
import { type AnyRequest, readRows } from '@strata/rest-client';
import type { Client, SendOptions } from '../core/client.ts';
import { CommandError, EXIT, invalidInputError } from '../core/errors.ts';
import { unknownNameError } from '../core/not-found.ts';
import type { Noun, NounMember } from './noun.ts';
import { NOUNS } from './nouns.ts';

export type NounRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly url: string };
type Body = Readonly<Record<string, unknown>>;

/** Responses to reads and writes of parameters could otherwise contain secrets. Other nouns ignore it. */
const WITHOUT_SECRETS = { mask_secrets: true };
const WITHOUT_VALUES = { ...WITHOUT_SECRETS, values: false };

type Action = 'create' | 'partial_update' | 'destroy';

/** The objects of one noun, addressed by the names that people use. */
export class NounObjects {
  private readonly lists = new Map<string, Promise<readonly NounRow[]>>();

  constructor(
    private readonly client: Client,
    private readonly noun: Noun,
    /** The ids for the placeholders of the path. */
    private readonly parents: Readonly<Record<string, string>>,
  ) {}

  /** Returns the objects of the noun that the command line calls by a word. */
  static called(word: string, client: Client): NounObjects {
    const noun = NOUNS.find((candidate) => candidate.word === word);
    if (noun === undefined) throw new Error(`The contract has no noun ${word}.`);
    return new NounObjects(client, noun, {});
  }

  /** Returns rows with names in place of links, and whether these are all. */
  async list(limit?: number) {
    const { results, isComplete } = await this.read(this.noun.prefix, this.ownRequest, limit);
    return { rows: await Promise.all(results.map((row) => this.withNames(row))), isComplete };
  }

  /** Returns the row that the names identify. A single name can also be the id of the row. */
  async find(names: readonly string[]): Promise<NounRow> {
    const { by, word, plural, prefix } = this.noun;
    const { results: rows } = await this.read(prefix, this.ownRequest);
    const acceptedTexts = await Promise.all(by.map((path, at) => this.acceptedTexts(path, names[at] ?? '')));
    const withId = names.length === 1 ? rows.filter(({ id }) => id === names[0]) : [];
    const withNames = rows.filter((row) =>
      by.every((path, at) => acceptedTexts[at]?.includes(readMemberAt(row, path))),
    );
    const matches = withId.length > 0 ? withId : withNames;
    const [match, ...otherMatches] = matches;
    if (match === undefined) {
      const namedRows = await Promise.all(rows.map((row) => this.withNames(row)));
      const titles = namedRows.map((row) => by.map((path) => String(readMemberAt(row, path))).join(' '));
      throw unknownNameError(word, names.join(' '), titles);
    }
    if (otherMatches.length === 0) return this.withNames(match);
    throw invalidInputError(
      `Several ${plural} are called "${names.join(' ')}".`,
      by.length > 1
        ? 'Use the ids of the account or group and of the scope, which the lists of these objects print with --json.'
        : 'Use the id, which `list --json` prints.',
    );
  }

  /** Returns the texts of a member that a name means: the name itself, or the links to the objects with this name. */
  private async acceptedTexts(member: string, name: string): Promise<readonly unknown[]> {
    const prefixes = this.noun.links[member];
    return prefixes === undefined ? [name] : (await this.identifiedBy(name, prefixes)).map(({ url }) => url);
  }

  async create(values: Body): Promise<NounRow> {
    const body = await this.body(values, this.noun.create ?? []);
    return this.withNames(await this.write('create', { query: WITHOUT_SECRETS, body }));
  }

  async change({ id }: NounRow, values: Body): Promise<NounRow> {
    const body = await this.body(values, this.noun.change ?? []);
    return this.withNames(await this.write('partial_update', { path: { id }, query: WITHOUT_SECRETS, body }));
  }

  /** Deletes an object whose deletion cannot be planned. */
  async delete({ id }: NounRow): Promise<void> {
    await this.write('destroy', { path: { id } });
  }

  /** Returns the operation of a changeset that deletes an object. */
  deletion({ id }: NounRow) {
    return { operation: `${this.noun.prefix}_destroy`, path: { ...this.parents, id } };
  }

  /** Returns the operation of a changeset that creates an object. */
  async creation(values: Body) {
    const body = await this.body(values, this.noun.create ?? []);
    return { operation: `${this.noun.prefix}_create`, path: this.parents, body };
  }

  /** Returns the operation of a changeset that changes an object. */
  async modification({ id }: NounRow, values: Body) {
    const body = await this.body(values, this.noun.change ?? []);
    return { operation: `${this.noun.prefix}_partial_update`, path: { ...this.parents, id }, body };
  }

  /** Returns the body of a write: with ids in place of names. */
  private async body(values: Body, members: readonly NounMember[]): Promise<Body> {
    const body: Record<string, unknown> = {};
    for (const { name, inside, isNullable = false } of members) {
      if (values[name] === undefined) continue;
      const value = isEmpty(values[name])
        ? emptyValue(values[name], isNullable)
        : await this.withIds(name, values[name]);
      if (inside === undefined) body[name] = value;
      else body[inside] = { ...(body[inside] as Body), [name]: value };
    }
    return body;
  }

  private async withIds(member: string, value: unknown): Promise<unknown> {
    const prefixes = this.noun.links[member];
    if (prefixes === undefined) return value;
    if (Array.isArray(value)) return Promise.all(value.map((name: string) => this.findId(name, prefixes)));
    return this.findId(String(value), prefixes, this.noun.freeLinks.includes(member));
  }

  /** Returns the id of an object of one of several lists. */
  private async findId(name: string, prefixes: readonly string[], isFree = false): Promise<string> {
    const matches = await this.identifiedBy(name, prefixes);
    const [match, ...otherMatches] = matches;
    if (match === undefined && isFree) return name;
    if (match === undefined) {
      const kind = prefixes.map((prefix) => prefix.replace(/s$/, '')).join(' or ');
      throw unknownNameError(kind, name, (await this.rowsIn(prefixes)).map(describeRow));
    }
    if (otherMatches.length > 0)
      throw invalidInputError(
        `Several objects are called "${name}": ${matches.map(({ id }) => id).join(', ')}.`,
        'Use the id.',
      );
    return match.id;
  }

  /** Returns a row with names in place of links, and without members that no command shows. */
  private async withNames(row: NounRow): Promise<NounRow> {
    const shownEntries = Object.entries(row).filter(([name]) => !this.noun.hidden.includes(name));
    const namedObject: Record<string, unknown> = Object.fromEntries(shownEntries);
    for (const [member, prefixes] of Object.entries(this.noun.links)) {
      const value = row[member];
      if (Array.isArray(value))
        namedObject[member] = await Promise.all(value.map((link: string) => this.findName(link, prefixes)));
      else if (typeof value === 'string') namedObject[member] = await this.findName(value, prefixes);
    }
    return { ...namedObject, id: row.id, url: row.url };
  }

  /** Returns the name of the object that a link leads to. Any other text is returned as it is. */
  private async findName(link: string, prefixes: readonly string[]): Promise<string> {
    const { pathname = '' } = URL.parse(link) ?? {};
    const prefix = prefixes.find((candidate) => pathname.includes(`/${candidate}/`));
    if (prefix === undefined) return link;
    const segment = pathname.split('/').at(-2) ?? '';
    const row = (await this.listRows(prefix)).find(({ id }) => encodeURIComponent(id) === segment);
    return row === undefined ? segment : describeRow(row);
  }

  /**
   * Returns the objects of several lists with an id; if there are none, those with an e-mail address, or else with a name.
   * A member could choose the id or the address of another one as their name.
   */
  private async identifiedBy(text: string, prefixes: readonly string[]): Promise<readonly NounRow[]> {
    // The e-mail address of service accounts is empty.
    if (text === '') return [];
    const rows = await this.rowsIn(prefixes);
    const matches = (member: 'id' | 'email') => rows.filter((row) => row[member] === text);
    const [first] = [matches('id'), matches('email')].filter(({ length }) => length > 0);
    return first ?? rows.filter(({ name, email }) => name === text && !(email && text.includes('@')));
  }

  private async rowsIn(prefixes: readonly string[]): Promise<readonly NounRow[]> {
    return (await Promise.all(prefixes.map((prefix) => this.listRows(prefix)))).flat();
  }

  private listRows(prefix: string): Promise<readonly NounRow[]> {
    const rows = this.lists.get(prefix) ?? this.read(prefix).then(({ results }) => results);
    this.lists.set(prefix, rows);
    return rows;
  }

  private get ownRequest(): AnyRequest {
    return { path: this.parents, query: WITHOUT_VALUES };
  }

  /** Reads the list of the noun with this prefix. The lists of all nouns have rows with an id and a URL. */
  private async read(prefix: string, request: AnyRequest = {}, limit?: number) {
    const id = `${prefix}_list` as ListId;
    const { results, isComplete } = await readRows(this.client, id, request as never, { limit });
    return { results: results as unknown as readonly NounRow[], isComplete };
  }

  private async write(action: Action, { path, ...request }: AnyRequest): Promise<NounRow> {
    const id = `${this.noun.prefix}_${action}` as OperationId;
    const options: SendOptions = { isWrite: true };
    return (await this.client.send<NounRow>(id, { ...request, path: { ...this.parents, ...path } }, options)).body;
  }
}

/** Returns a member of a row by its path, such as `user.name`. */
export const readMemberAt = (row: NounRow, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Body | null)?.[name], row);

const describeRow = ({ name, email, id }: NounRow): string => String(name || email || id);

const isEmpty = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.every((text) => text === ''));

const emptyValue = (value: unknown, isNullable: boolean): unknown =>
  isNullable ? null : Array.isArray(value) ? [] : value;

/** Returns the error for a member of a body that is not valid JSON. */
export const invalidJsonError = (flag: string): CommandError =>
  new CommandError(EXIT.invalid, `The text of ${flag} is not valid JSON.`, { hint: 'Quote it for your shell.' });
