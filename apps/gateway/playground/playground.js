// The page at GET /graphql. Runs as it is, without a build and without the internet.

const $ = (id) => document.getElementById(id);
const query = $('query');
const variables = $('variables');
const authorization = $('authorization');
const answer = $('answer');
const status = $('status');

const EXAMPLES = [
  {
    name: 'Who am I?',
    query: 'query WhoAmI {\n  viewer {\n    user { id name type }\n    organization { id name }\n    role\n  }\n}\n',
  },
  {
    name: 'Projects and environments',
    query:
      'query Overview {\n  environments(first: 50) {\n    revision\n    edges { node { id name parent { name } } }\n  }\n' +
      '  projects(first: 50) {\n    totalCount\n    edges { node { id name dependsOn { name } } }\n  }\n}\n',
  },
  {
    name: 'Parameters of a project in an environment',
    query:
      'query Parameters($project: ID!, $environment: String!) {\n  project(id: $project) {\n    name\n' +
      '    parameters(environment: $environment, first: 50) {\n      edges {\n        node {\n          name\n' +
      '          secret\n          type\n          effective { value environmentName inherited }\n        }\n      }\n' +
      '      pageInfo { hasNextPage endCursor }\n    }\n  }\n}\n',
    variables: '{\n  "project": "id of a project",\n  "environment": "production"\n}\n',
  },
  {
    name: 'Effective configuration',
    query:
      'query Effective($project: ID!, $environment: ID!) {\n  effective(projectId: $project, environmentId: $environment) {\n' +
      '    revision\n    digest\n    map\n  }\n}\n',
    variables: '{\n  "project": "id of a project",\n  "environment": "production"\n}\n',
  },
  {
    name: 'Set a value',
    query:
      'mutation SetValue($input: SetValueInput!) {\n  setValue(input: $input) {\n    ... on ValueSaved { created revision value { value } }\n' +
      '    ... on ValidationProblem { code fields { field message } }\n    ... on Problem { code message }\n  }\n}\n',
    variables:
      '{\n  "input": {\n    "projectId": "id of a project",\n    "parameterId": "id of a parameter",\n    "environmentId": "id of an environment",\n    "value": "text"\n  }\n}\n',
  },
  {
    name: 'Watch changes',
    query:
      'subscription Watch {\n  changes {\n    cursor\n    at\n    type\n    revision\n    actor { name }\n' +
      '    object { type name }\n    project { name }\n    environment { name }\n    parameter { name }\n  }\n}\n',
  },
];

const INTROSPECTION = `query Schema { __schema {
  queryType { name } mutationType { name } subscriptionType { name }
  types { kind name description
    fields { name description type { ...T } args { name description defaultValue type { ...T } } }
    inputFields { name description defaultValue type { ...T } }
    enumValues { name description }
    possibleTypes { name } interfaces { name } } } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;

let running = null;

function show(text, isBad = false) {
  status.textContent = text;
  status.classList.toggle('bad', isBad);
}

function headers() {
  const credential = authorization.value.trim();
  return {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json',
    ...(credential && { authorization: credential }),
  };
}

async function post(body, signal) {
  const reply = await fetch('/graphql', { method: 'POST', headers: headers(), body: JSON.stringify(body), signal });
  return { status: reply.status, result: await reply.json() };
}

function readVariables() {
  const text = variables.value.trim();
  return text === '' ? undefined : JSON.parse(text);
}

/** Enough of a look to choose the transport; the server reads the document properly. */
function isSubscription(text) {
  return /^\s*subscription\b/m.test(text.replace(/#.*$/gm, ''));
}

function setRunning(stop) {
  running = stop;
  $('run').disabled = stop !== null;
  $('stop').disabled = stop === null;
}

async function run() {
  if (running) return;
  answer.textContent = '';
  let body;
  try {
    body = { query: query.value, variables: readVariables() };
  } catch (error) {
    show(`The variables are not JSON: ${error.message}`, true);
    return;
  }
  remember();
  if (isSubscription(query.value)) subscribe(body);
  else await ask(body);
}

async function ask(body) {
  const abort = new AbortController();
  setRunning(() => abort.abort());
  const start = performance.now();
  show('Running …');
  try {
    const { status: code, result } = await post(body, abort.signal);
    answer.textContent = JSON.stringify(result, null, 2);
    show(`${code} · ${Math.round(performance.now() - start)} ms`, code >= 400 || Boolean(result.errors));
  } catch (error) {
    show(abort.signal.aborted ? 'Stopped' : `No answer: ${error.message}`, !abort.signal.aborted);
  } finally {
    setRunning(null);
  }
}

/** graphql-transport-ws, one operation per socket. */
function subscribe(payload) {
  const socket = new WebSocket(location.href.replace(/^http/, 'ws').split(/[?#]/)[0], 'graphql-transport-ws');
  const send = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  let seen = 0;
  let stopped = false;
  setRunning(() => {
    stopped = true;
    send({ id: '1', type: 'complete' });
    socket.close(1000);
  });
  show('Connecting …');
  socket.onopen = () => send({ type: 'connection_init', payload: { Authorization: authorization.value.trim() } });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'connection_ack') {
      send({ id: '1', type: 'subscribe', payload });
      show('Listening …');
    } else if (message.type === 'ping') send({ type: 'pong' });
    else if (message.type === 'next') {
      seen += 1;
      const told = document.createTextNode(`${JSON.stringify(message.payload, null, 2)}\n\n`);
      answer.prepend(told);
      while (answer.childNodes.length > 200) answer.lastChild.remove();
      show(`Listening … ${seen} so far, newest first`);
    } else if (message.type === 'error') {
      answer.prepend(document.createTextNode(`${JSON.stringify({ errors: message.payload }, null, 2)}\n\n`));
      socket.close(1000);
    } else if (message.type === 'complete') socket.close(1000);
  };
  socket.onclose = ({ code, reason }) => {
    setRunning(null);
    const why = code === 4403 ? 'the credential was rejected' : reason || `code ${code}`;
    show(stopped || code === 1000 ? `Ended after ${seen}` : `Closed: ${why}`, !stopped && code !== 1000);
  };
}

// Schema documentation -------------------------------------------------------------------------------------------

let types = new Map();
let roots = [];
let trail = [];

function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

function link(text, onClick) {
  const made = element('button', text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

function typeRef(type) {
  if (type.kind === 'NON_NULL') return [...typeRef(type.ofType), '!'];
  if (type.kind === 'LIST') return ['[', ...typeRef(type.ofType), ']'];
  return [link(type.name, () => visit(type.name))];
}

function argRef(arg) {
  return [`${arg.name}: `, ...typeRef(arg.type), ...(arg.defaultValue ? [` = ${arg.defaultValue}`] : [])];
}

function memberDocs(member) {
  const term = element('dt', '', member.name);
  if (member.args?.length) {
    term.append('(');
    member.args.forEach((arg, at) => {
      term.append(...(at > 0 ? [', '] : []), ...argRef(arg));
    });
    term.append(')');
  }
  if (member.type) term.append(': ', ...typeRef(member.type));
  return [term, element('dd', member.description ?? '')];
}

function typeDocs(type) {
  const parts = [element('h2', type.name), element('p', type.description ?? '')];
  const members = [...(type.fields ?? []), ...(type.inputFields ?? []), ...(type.enumValues ?? [])];
  if (members.length) parts.push(element('dl', '', ...members.flatMap(memberDocs)));
  if (type.possibleTypes?.length) {
    const list = element('p', 'One of: ');
    for (const { name } of type.possibleTypes)
      list.append(
        link(name, () => visit(name)),
        ' ',
      );
    parts.push(list);
  }
  return parts;
}

function visit(name) {
  trail = [...trail.filter((visited) => visited !== name), name].slice(-6);
  $('search').value = '';
  render();
}

function home() {
  trail = [];
  $('search').value = '';
  render();
}

function found(words) {
  const hits = [];
  for (const type of types.values()) {
    if (type.name.toLowerCase().includes(words)) hits.push([type.name, type.name, type.description]);
    for (const member of [...(type.fields ?? []), ...(type.inputFields ?? []), ...(type.enumValues ?? [])]) {
      if (member.name.toLowerCase().includes(words))
        hits.push([type.name, `${type.name}.${member.name}`, member.description]);
    }
  }
  return hits.slice(0, 60).flatMap(([type, text, about]) => [
    element(
      'dt',
      '',
      link(text, () => visit(type)),
    ),
    element('dd', about ?? ''),
  ]);
}

function render() {
  const words = $('search').value.trim().toLowerCase();
  const steps = [link('Schema', home)];
  for (const name of trail)
    steps.push(
      '›',
      link(name, () => visit(name)),
    );
  $('trail').replaceChildren(...steps);
  const current = types.get(trail.at(-1));
  if (words) $('docs').replaceChildren(element('dl', '', ...found(words)));
  else if (current) $('docs').replaceChildren(...typeDocs(current));
  else $('docs').replaceChildren(...roots.flatMap((name) => typeDocs(types.get(name))));
}

async function loadSchema() {
  try {
    const { result } = await post({ query: INTROSPECTION });
    const schema = result.data.__schema;
    types = new Map(schema.types.filter(({ name }) => !name.startsWith('__')).map((type) => [type.name, type]));
    roots = [schema.queryType, schema.mutationType, schema.subscriptionType].filter(Boolean).map(({ name }) => name);
    render();
  } catch {
    $('docs').textContent = 'The schema is not shown here.';
  }
}

// What was typed survives a reload of this tab; a credential is never stored. ---------------------------------------

function remember() {
  sessionStorage.setItem('strata-playground', JSON.stringify({ query: query.value, variables: variables.value }));
}

function fill({ query: text, variables: values = '' }) {
  query.value = text;
  variables.value = values;
}

function start() {
  const select = $('examples');
  select.append(...EXAMPLES.map(({ name }, at) => new Option(name, String(at))));
  select.addEventListener('change', () => fill(EXAMPLES[Number(select.value)]));
  const before = sessionStorage.getItem('strata-playground');
  fill(before ? JSON.parse(before) : EXAMPLES[0]);
  $('run').addEventListener('click', run);
  $('stop').addEventListener('click', () => running?.());
  $('show').addEventListener('change', ({ target }) => {
    authorization.type = target.checked ? 'text' : 'password';
  });
  $('search').addEventListener('input', render);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
  });
  loadSchema();
}

start();
