import { defineConfig } from 'vitest/config'

/**
 * Unit tests sit beside their source; everything that spans rooms is below tests/. Everything runs once, on the
 * embedded database where a server needs one; what speaks to a server runs a second time on PostgreSQL.
 */
export default defineConfig({
  resolve: { conditions: ['source', 'node'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
          globalSetup: ['tests/support/postgres-setup.ts'],
          provide: { driver: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['tests/http/**/*.test.ts'],
          globalSetup: ['tests/support/postgres-setup.ts'],
          provide: { driver: 'postgres' },
        },
      },
    ],
  },
})
