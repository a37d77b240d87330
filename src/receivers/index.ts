import { startOtlpHttp } from './otlp-http.js';

/** Every kind of receiver, by its key under `receivers` in the configuration. */
export const receivers = { http: startOtlpHttp } as const;
