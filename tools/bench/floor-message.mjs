// The responses that the floors must return: the same bytes as Strata. A floor with a smaller response would not be
// comparable.
import { deepStrictEqual } from 'node:assert';
import { ENVIRONMENTS, WIDE } from './configuration.mjs';
import { askGateway, effectiveQuestion, wideQuestion } from './graphql.mjs';
import { ENVIRONMENT, PAGE_SIZE, paths } from './subjects.mjs';

/**
 * Fetches the responses of Strata. The response to a query that the gateway does not support is null, and the reason is
 * added to `skip`.
 */
async function fetchBodies({ core, data, urls, apiKey, skip }) {
  const { project, compact, list, value } = paths(data);
  const ask = (title, question) =>
    askGateway(urls.gateway, apiKey, question).catch((error) => {
      skip(title, error.message);
      return null;
    });
  return {
    compact: (await core.ask(compact)).text,
    list: (await core.ask(list)).text,
    value: (await core.ask(value)).text,
    graphql: await ask('GraphQL effective', effectiveQuestion(project, ENVIRONMENT)),
    wide: await ask('GraphQL wide', wideQuestion()),
  };
}

/** Builds the message that configures the process of the floors. */
export async function floorMessage(context, organizationId) {
  const { data, urls } = context;
  const bodies = await fetchBodies(context);
  const question = [organizationId, paths(data).project.id, ENVIRONMENT];
  return {
    bodies,
    question,
    digest: JSON.parse(bodies.compact).digest,
    root: `${urls.core}/api/v1/`,
    pageSize: PAGE_SIZE,
    wideQuestion: { environments: ENVIRONMENTS, projects: WIDE.projects, parameters: WIDE.parameters },
  };
}

/** Throws if the response of a floor's statement differs from Strata's. */
export async function proveFloors(context, floorsUrl) {
  for (const [name, ours] of Object.entries(await fetchBodies(context))) {
    const hasStatement = name !== 'value';
    if (ours === null || !hasStatement) continue;
    const isRead = name === 'compact' || name === 'list';
    const response = await fetch(`${floorsUrl}/sql/${name}`, { method: isRead ? 'GET' : 'POST' });
    const floor = await response.json();
    // The gateway adds the cost of a query to its response.
    const { extensions: _, ...answer } = JSON.parse(ours);
    deepStrictEqual(floor, answer, `The SQL floor does not answer what Strata answers: ${name}.`);
  }
}
