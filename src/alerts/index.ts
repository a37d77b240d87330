import { createWebhookSink } from './webhook.js';

/** Every kind of alert sink, by the key that names its address in the configuration. */
export const sinkKinds = { webhook: createWebhookSink } as const;
