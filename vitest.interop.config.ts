import { defineConfig } from 'vitest/config';

/** Real senders and receivers. Each suite builds what it needs and skips loudly without its toolchain. */
export default defineConfig({
  test: {
    include: ['test/interop/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 1_200_000,
    fileParallelism: false,
  },
});
