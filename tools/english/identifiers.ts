// Finds names in code that do not say what they name: placeholders, participles without a noun, functions and classes of errors that
// do not say so, functions called `…Of` that compute something, the word
// refusal, which does not say what was rejected, SQL aliases of one letter, adverbs and prepositions, and words for which the
// glossary has a term. Names of the API and of the database are exempt.
import ts from 'typescript';

export type NamingRule =
  | 'placeholder'
  | 'adverb'
  | 'computing-of'
  | 'describing-words'
  | 'participle'
  | 'error-factory'
  | 'term'
  | 'refusal'
  | 'sql-alias';

export interface BadName {
  readonly rule: NamingRule;
  readonly name: string;
  readonly line: number;
}

/** What the author of a rejected name should write instead. */
export const NAMING_ADVICE: Readonly<Record<NamingRule, string>> = {
  placeholder: 'Say what it is: "input", "storedRow", "createdKey", "currentValue", "match", "request".',
  adverb: 'Name the thing: "ancestors", "childProject", "otherCore", "secondResponse", "lastChange", "startedAt".',
  'computing-of': 'Only a lookup ends in "Of". Use a verb and an object: "cacheKey", "listNames", "describeProblem".',
  participle: 'Add the noun: "storedRow", "missingNames", "chosenRole", "isVisible".',
  'error-factory': 'End it in "Error": "unknownNameError()", "class PlanOutdatedError extends Failure".',
  'describing-words': 'A function that describes starts with a verb: "describeChange", "formatInstant".',
  term: 'Write "pointInTime", as the glossary does.',
  refusal: 'Write "error", "rejectedOperation", "deniedRequest" or "nack".',
  'sql-alias': 'Use a whole word, such as the name of the table.',
};

/** Words that say how the writer came by a thing, or only that it is one. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['given', 'known', 'made', 'present', 'found', 'told', 'asked', 'wanted', 'heard', 'said', 'kept', 'held', 'gone'],
  ...['one', 'each', 'other', 'own', 'words', 'thing', 'things', 'it', 'them'],
]);
/** Words that name no thing either. As members they can complete the name of their object: `Rows.of(…)`, `of="people"`. */
const LOCAL_PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['of', 'some', 'both', 'few', 'look', 'looks', 'typed', 'logged', 'spare'],
]);
/** Adverbs and prepositions say where or when a thing is, but not what it is. */
const ADVERBS: ReadonlySet<string> = new Set(['above', 'below', 'again', 'elsewhere', 'since']);
/** Participles and adjectives say what happened to a thing, or what it is like, but not what it is. */
const PARTICIPLES: ReadonlySet<string> = new Set([
  ...[
    'accepted',
    'affected',
    'allowed',
    'chosen',
    'claimed',
    'collapsed',
    'committed',
    'compared',
    'compiled',
    'confirmed',
  ],
  ...['copied', 'dropped', 'due', 'edited', 'effective', 'evaluated', 'existing', 'explained', 'failed', 'failing'],
  ...[
    'followed',
    'forbidden',
    'fresh',
    'granted',
    'initial',
    'inspected',
    'interpolated',
    'issued',
    'linked',
    'loaded',
  ],
  ...['malformed', 'marked', 'masked', 'matched', 'matching', 'missing', 'moved', 'old', 'outdated', 'owned'],
  ...[
    'planned',
    'prepared',
    'previewed',
    'readable',
    'rejected',
    'removed',
    'renamed',
    'replaced',
    'requested',
    'resolved',
  ],
  ...['restored', 'revealed', 'sealed', 'seen', 'selected', 'sent', 'settled', 'skipped', 'sorted', 'stored'],
  ...['tested', 'thrown', 'touched', 'undecided', 'unique', 'unknown', 'unsaved', 'visible', 'walked', 'watched'],
  ...['withdrawn', 'written', 'wrong'],
]);
/** Functions and classes of errors. The name of a function that also does something else says what: `toFailure()`. */
const ERROR_TYPE = /(?:Error|Failure)$/;
const ERROR_NAME = /(?:[eE]rror|[fF]ailure|[pP]roblem)(?:s?$|[A-Z])/;
const CONVERTER =
  /^(?:as|assert|build|combine|convert|create|describe|explain|fail|filter|find|locate|map|parse|read|to|translate|wrap|with|without)(?:[A-Z]|$)/;
/** The names of variables in a spec need to be clear only in its test. */
const SPEC = /spec\.tsx?$/;
/** A function that returns words, and not a description, says what it does with them. */
const DESCRIBING_WORDS = /^(?!(?:find|read|list|split|separate|explain)[A-Z])\w*[a-z]Words$/;
/** `two_moments` is an error code. */
const REPLACED_TERM = /^(?!\w*_[a-z])\w*(?:moment|Moment)(?:[A-Zs]|$)/;
/** `refused_at` is a name of the database; `refusals` is a member of the API. */
const VAGUE_REJECTION = /^(?!\w*_[a-z])\w*(?:refus|Refus|REFUS)/;
const API_MEMBERS: ReadonlySet<string> = new Set(['refused', 'refusal', 'refusals']);
const PREDICATE = /^(?:is|are|has|can)[A-Z]/;
const LOOKUP_METHODS: ReadonlySet<string> = new Set(['at', 'find', 'get']);
/** A migration that a release has run does not change. */
const MIGRATION = /\/migrations\//;
const SQL_ALIASES: readonly RegExp[] = [
  /\b(?:from|join|update|into|using)\s+(?:only\s+|lateral\s+)?[a-z\d_."]+\s+(?:as\s+)?([a-z])\b(?![.(])/g,
  /\)\s+(?:as\s+)?([a-z])\b(?=\s*(?:$|[(),]|(?:on|where|join|left|cross|order|group|limit)\b))/g,
];

/** Returns the names of one file that break a naming rule. */
export function badNames(file: string, content: string): readonly BadName[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const badNameList: BadName[] = [];
  const report = (rule: NamingRule, name: string, node: ts.Node) =>
    badNameList.push({ rule, name, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
  const visit = (node: ts.Node): void => {
    const name = declaredName(node);
    if (name && isPlaceholder(node, name.text)) report('placeholder', name.text, name);
    if (name && !SPEC.test(file) && isParticiple(node, name.text)) report('participle', name.text, name);
    if (name && isVagueError(node, name.text)) report('error-factory', name.text, name);
    if (name && ADVERBS.has(name.text) && !isMember(node)) report('adverb', name.text, name);
    if (name && DESCRIBING_WORDS.test(name.text) && findBody(node)) report('describing-words', name.text, name);
    if (name && REPLACED_TERM.test(name.text)) report('term', name.text, name);
    if (name && VAGUE_REJECTION.test(name.text) && !isApiMember(node, name)) {
      report('refusal', name.text, name);
    }
    if (name && isLookupName(name.text) && computes(node)) report('computing-of', name.text, name);
    if (!MIGRATION.test(file)) for (const alias of sqlAliases(readText(node))) report('sql-alias', alias, node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return badNameList;
}

const isPlaceholder = (node: ts.Node, name: string): boolean =>
  PLACEHOLDERS.has(name) || (LOCAL_PLACEHOLDERS.has(name) && isLocal(node));

/** Whether a variable or a parameter is a bare participle. The name of a function that a type describes is documentation. */
const isParticiple = (node: ts.Node, name: string): boolean =>
  PARTICIPLES.has(name) && isLocal(node) && !findBody(node) && !(ts.isParameter(node) && !hasBody(node.parent));

const hasBody = (node: ts.Node): boolean => 'body' in node && node.body !== undefined;

/** Whether a function or a class creates errors, and its name does not say so. */
function isVagueError(node: ts.Node, name: string): boolean {
  if (ERROR_NAME.test(name)) return false;
  if (ts.isClassDeclaration(node)) {
    const [base] = node.heritageClauses?.filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) ?? [];
    return ERROR_TYPE.test(base?.types[0]?.expression.getText() ?? '') && !ERROR_TYPE.test(name);
  }
  if (CONVERTER.test(name)) return false;
  if (ts.isFunctionDeclaration(node)) return returnsError(node.type);
  return (
    ts.isVariableDeclaration(node) &&
    !!node.initializer &&
    isFunction(node.initializer) &&
    returnsError(node.initializer.type)
  );
}

/** Whether a type is that of an error, or of a promise of one. */
function returnsError(type: ts.TypeNode | undefined): boolean {
  if (!type || !ts.isTypeReferenceNode(type)) return false;
  const [argument] = type.typeName.getText() === 'Promise' ? (type.typeArguments ?? []) : [];
  return argument ? returnsError(argument) : ERROR_TYPE.test(type.typeName.getText());
}

/** Whether a declaration is a variable, a parameter or a part of one of these. */
const isLocal = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);

/** Whether a declaration is a member of a type, which can complete the name of its object, or be a name of the API. */
const isMember = (node: ts.Node): boolean =>
  ts.isTypeElement(node) || ts.isClassElement(node) || ts.isPropertyAssignment(node);

/** Whether a name is a member that the API has: in a type, or a function of an object whose keys are those members. */
const isApiMember = (node: ts.Node, { text }: ts.Identifier): boolean =>
  API_MEMBERS.has(text) && (ts.isTypeElement(node) || ts.isPropertyAssignment(node));

const isLookupName = (name: string): boolean => /[a-z0-9]Of$/.test(name) && !PREDICATE.test(name);

/** Returns the name that a node introduces. `{ a }` in a pattern introduces none: the member `a` is declared elsewhere. */
function declaredName(node: ts.Node): ts.Identifier | undefined {
  if (ts.isBindingElement(node)) {
    return node.propertyName || ts.isArrayBindingPattern(node.parent) ? identifier(node.name) : undefined;
  }
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassElement(node) ||
    ts.isTypeElement(node) ||
    (ts.isPropertyAssignment(node) && isFunction(node.initializer));
  return isDeclaration && !isWireName(node) ? identifier(node.name) : undefined;
}

const identifier = (name: ts.Node | undefined) => (name && ts.isIdentifier(name) ? name : undefined);

/** Whether a member is decorated, or belongs to an object of GraphQL, or to a type that data is asserted to have. */
function isWireName(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node)) return (ts.getDecorators(node)?.length ?? 0) > 0;
  if (!ts.isPropertySignature(node)) return false;
  if (hasTypeName(node.parent)) return true;
  let outer: ts.Node = node.parent;
  while (ts.isTypeNode(outer) || ts.isPropertySignature(outer)) outer = outer.parent;
  return ts.isAsExpression(outer) || ts.isCallExpression(outer);
}

const hasTypeName = (type: ts.Node): boolean =>
  (ts.isInterfaceDeclaration(type) || ts.isTypeLiteralNode(type)) &&
  type.members.some(({ name }) => name && ts.isIdentifier(name) && name.text === '__typename');

/** Whether a declaration has a body that does more than to look something up. */
function computes(declaration: ts.Node): boolean {
  const body = findBody(declaration);
  return body !== undefined && !isLookup(body);
}

function findBody(declaration: ts.Node): ts.Node | undefined {
  if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) return declaration.body;
  const isAssigned =
    ts.isVariableDeclaration(declaration) ||
    ts.isPropertyDeclaration(declaration) ||
    ts.isPropertyAssignment(declaration);
  const value = isAssigned ? declaration.initializer : declaration;
  return value && isFunction(value) ? value.body : undefined;
}

const isFunction = (node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node);

/** Whether an expression only reads members: `a.b`, `a[b]`, `a.get(b)`, `a.find(b)`, with `??` for a missing one. */
function isLookup(node: ts.Node): boolean {
  if (ts.isBlock(node)) {
    const [statement, ...otherStatements] = node.statements;
    if (!statement || otherStatements.length > 0 || !ts.isReturnStatement(statement)) return false;
    return statement.expression !== undefined && isLookup(statement.expression);
  }
  if (ts.isElementAccessExpression(node)) return isLookup(node.expression) && isLookup(node.argumentExpression);
  if (ts.isCallExpression(node)) return isLookupCall(node);
  if (ts.isBinaryExpression(node)) {
    const isDefault = node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
    return isDefault && isLookup(node.left) && isLookup(node.right);
  }
  const wrapsExpression =
    ts.isPropertyAccessExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isParenthesizedExpression(node);
  return wrapsExpression ? isLookup(node.expression) : isConstant(node);
}

/** Whether a call reads a member, or calls another function whose name says that it is a lookup. */
const isLookupCall = ({ expression, arguments: keys }: ts.CallExpression): boolean => {
  if (ts.isIdentifier(expression)) return isLookupName(expression.text) && keys.every(isLookup);
  if (!ts.isPropertyAccessExpression(expression) || !LOOKUP_METHODS.has(expression.name.text)) return false;
  return isLookup(expression.expression) && (expression.name.text === 'find' || keys.every(isLookup));
};

/** Whether an expression is a name, a literal, `this`, `null`, or an empty list or object as a default. */
const isConstant = (node: ts.Node): boolean =>
  ts.isIdentifier(node) ||
  ts.isLiteralExpression(node) ||
  node.kind === ts.SyntaxKind.ThisKeyword ||
  node.kind === ts.SyntaxKind.NullKeyword ||
  (ts.isArrayLiteralExpression(node) && node.elements.length === 0) ||
  (ts.isObjectLiteralExpression(node) && node.properties.length === 0);

/** Returns the aliases of one letter in a text that looks like SQL. */
function sqlAliases(text: string): readonly string[] {
  if (!/\b(?:from|join|update|into|using) /.test(text)) return [];
  return SQL_ALIASES.flatMap((pattern) => [...text.matchAll(pattern)].map(({ 1: alias = '' }) => alias));
}

/** Returns the text of a string without the texts that it embeds; a word stands for each of those. */
function readText(node: ts.Node): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('embedded');
}
