import { defineConfig } from 'vitest/config'
import { joinedThreads } from './tests/setup/joined-threads.ts'
import { mutant } from './tests/setup/mutant.ts'
import { SlowestFirst } from './tests/setup/slowest-first.ts'

const UNIT = 'packages/*/src/**/*.test.ts'
const HTTP = 'tests/http/**/*.test.ts'
const SDKS = 'tests/sdks/**/*.test.ts'
const ARCHITECTURE = 'tests/{architecture,wording}.test.ts'

/**
 * Unit tests sit beside their source; everything that spans rooms is below tests/. Everything runs once, on the
 * embedded database where a server needs one; what speaks to a server runs a second time on PostgreSQL. Files of a
 * project share processes, one after the other, and leave nothing behind: the code is loaded and warm for the next one.
 */
export default defineConfig({
  plugins: [joinedThreads(import.meta.dirname), mutant(import.meta.dirname)],
  resolve: { conditions: ['source', 'node'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // A machine that is busy with other tests is not at fault after a second
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // on two cores: tests wait for sockets, timers and the database about half of the time
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // the cache does not notice that a mutant differs from its file
    fsModuleCache: process.env.BURGEE_MUTANTS === undefined,
    setupFiles: process.env.BURGEE_MUTANT_HITS === undefined ? [] : ['tests/setup/mutant-hits.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: [UNIT, HTTP, ARCHITECTURE],
          globalSetup: ['tests/setup/postgres.ts'],
          provide: { driver: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [HTTP],
          globalSetup: ['tests/setup/postgres.ts'],
          provide: { driver: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ['tests/**/*.test.ts'],
          exclude: [HTTP, ARCHITECTURE, SDKS],
          globalSetup: ['tests/setup/postgres.ts', 'tests/setup/built-command.ts'],
          provide: { driver: 'sqlite' },
          // The official SDK reads it once, whichever test file of a process loads it first
          env: { HOSTNAME: 'burgee-test' },
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
          // Real processes and browsers depend on time; the run counts second tries, and fails at the third one of a
          // test in ten runs. Tests of storage and promises have none. Failed files run again: scripts/test-run.mjs
          retry: 1,
          runner: 'tests/setup/process-test-runner.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'sdks',
          include: [SDKS],
          globalSetup: ['tests/setup/built-command.ts'],
          provide: { driver: 'sqlite' },
          // SDKs spend most of their time waiting for the next poll, and may run beside other checks
          maxConcurrency: 6,
          testTimeout: 120_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
