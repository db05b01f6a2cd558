export { type ChatAttempt, type ChatFault, type ChatMessageRecord, type FakeChat, startFakeChat } from './fake-chat.ts';
