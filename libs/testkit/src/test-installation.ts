import { type FakeChat, startFakeChat } from './fake-chat.ts';
import { type OwnCore, type OwnGateway, startCore, startGateway } from './running-core.ts';

type Settings = Readonly<Record<string, string>>;

/** A core and a gateway that no other file uses, with the chat service that receives the messages of webhooks. */
export interface TestInstallation {
  readonly chat: FakeChat;
  readonly core: OwnCore;
  readonly gateway: OwnGateway;
  close(): Promise<void>;
}

export async function startInstallation({
  coreSettings = {},
  gatewaySettings = {},
}: {
  readonly coreSettings?: Settings;
  readonly gatewaySettings?: Settings;
} = {}): Promise<TestInstallation> {
  const chat = await startFakeChat();
  const core = await startCore({ STRATA_SLACK_API_URL: chat.url, ...coreSettings });
  const gateway = await startGateway(core, gatewaySettings);
  return {
    chat,
    core,
    gateway,
    close: async () => {
      await gateway.close();
      await core.close();
      await chat.close();
    },
  };
}
