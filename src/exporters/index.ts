import { createOtlpHttpDestination } from './otlp-http.js';

/** Every kind of destination, by the key that names its address in the configuration. */
export const exporters = { otlp_http: createOtlpHttpDestination } as const;
