import { defineConfig } from 'vitest/config'

/** Unit tests sit beside their source; everything that spans rooms is below tests/. */
export default defineConfig({
  resolve: { conditions: ['source', 'node'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    globalSetup: ['tests/support/postgres-setup.ts'],
  },
})
