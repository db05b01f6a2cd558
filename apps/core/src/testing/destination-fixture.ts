import type { DestinationCreate, DestinationCreated, DestinationDelivery, Page } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setDeliveryIntervals } from './chat-fixture.ts';
import { type CoreInProcess, startCoreInProcess } from './core-in-process.ts';
import { Receiver } from './receiver.ts';
import { waitUntil } from './until.ts';

/** A core with an endpoint, and short retry intervals. */
export class DestinationFixture {
  private paths = 0;

  private constructor(
    readonly core: CoreInProcess,
    readonly receiver: Receiver,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<DestinationFixture> {
    const receiver = await Receiver.start();
    const core = await startCoreInProcess({ STRATA_PRIVATE_DESTINATIONS: 'true', ...settings });
    await setDeliveryIntervals(core);
    return new DestinationFixture(core, receiver);
  }

  async close(): Promise<void> {
    await this.core.close();
    this.receiver.close();
  }

  /** Creates a destination with a path of its own at the endpoint. */
  async destination(org: TestOrganization, input: Partial<DestinationCreate> = {}): Promise<CreatedDestination> {
    this.paths += 1;
    const path = `hook-${this.paths}`;
    const { status, body, text } = await org.owner.post<DestinationCreated>('destinations/', {
      name: path,
      type: 'http',
      event_types: ['project_created', 'environment_created'],
      address: this.receiver.address(path),
      ...input,
    });
    if (status !== 201) throw new Error(`${status} ${text}`);
    return { ...body, path };
  }

  /** Waits until the endpoint of a destination has received this many requests. */
  received({ path }: CreatedDestination, count: number) {
    return waitUntil(
      async () => this.receiver.at(path),
      (requests) => requests.length >= count,
    );
  }
}

export interface CreatedDestination extends DestinationCreated {
  readonly path: string;
}

/** Returns the deliveries of a destination, oldest first. */
export async function listDeliveries(org: TestOrganization, { url }: { readonly url: string }) {
  const { body } = await org.owner.get<Page<DestinationDelivery>>(`${url}deliveries/`);
  return [...body.results].reverse();
}

/** Waits until the deliveries of a destination meet a condition. */
export function untilDeliveries(
  org: TestOrganization,
  destination: { readonly url: string },
  condition: (deliveries: readonly DestinationDelivery[]) => boolean,
): Promise<readonly DestinationDelivery[]> {
  return waitUntil(() => listDeliveries(org, destination), condition);
}
