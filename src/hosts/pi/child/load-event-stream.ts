import type { createAssistantMessageEventStream } from "@earendil-works/pi-ai";

/** Hands over what a natively loaded module cannot import itself: pi's packages exist only for pi's loader. */
export type LoadEventStream = () => Promise<typeof createAssistantMessageEventStream>;
