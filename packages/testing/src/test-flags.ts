import { type FakeServerSettings, startFakeServer } from './fake/fake-server.ts'
import { type FlagServer, startTestRun, type TestRun, type TestRunSettings } from './run-client.ts'
import type { AnyFlags } from './typed-flags.ts'

/** Settings of the flags of a test file: either a server, or the flags of a fake server. */
export interface TestFlagsSettings<Flags extends object = AnyFlags>
  extends FakeServerSettings<Flags>,
    TestRunSettings<Flags> {
  /** Server at which the run starts; by default a fake server with `flags`. */
  readonly server?: FlagServer
}

/** Hooks of a test framework, as Vitest, Jest and Bun have them. */
export interface Hooks {
  readonly beforeAll: (run: () => Promise<void>) => unknown
  readonly afterEach: (run: () => Promise<void>) => unknown
  readonly afterAll: (run: () => Promise<void>) => unknown
}

/** Flags of the tests of a file. The run exists while tests and their hooks run. */
export type TestFlags<Flags extends object = AnyFlags> = Pick<
  TestRun<Flags>,
  'url' | 'clientToken' | 'frontendToken' | 'set' | 'reset'
>

/**
 * Starts a test run before all tests of a file, restores its overrides after each test, and ends it after all tests.
 * Starts a fake server unless the settings name a server. Call it outside of tests. By default, uses the global hooks
 * of Jest, or of Vitest with `globals: true`; otherwise pass the hooks. Throws if there are none.
 */
export function useTestFlags<Flags extends object = AnyFlags>(
  settings: TestFlagsSettings<Flags> = {},
  hooks: Hooks = getGlobalHooks(),
): TestFlags<Flags> {
  let run: TestRun<Flags> | undefined
  let close: (() => Promise<void>) | undefined
  const getRun = (): TestRun<Flags> => {
    if (run === undefined) throw new Error('Flags can be used only in tests, and in hooks after beforeAll')
    return run
  }
  const startFake = async (): Promise<FlagServer> => {
    const fake = await startFakeServer<Flags>(settings)
    close = fake.close
    return fake
  }
  hooks.beforeAll(async () => {
    const server = settings.server ?? (await startFake())
    run = await startTestRun<Flags>(server, settings)
  })
  hooks.afterEach(async () => run?.reset())
  hooks.afterAll(async () => {
    // a fake server takes its runs with it
    await (close === undefined ? run?.end() : close())
  })
  return {
    get url() {
      return getRun().url
    },
    get clientToken() {
      return getRun().clientToken
    },
    get frontendToken() {
      return getRun().frontendToken
    },
    set: (changes) => getRun().set(changes),
    reset: () => getRun().reset(),
  }
}

function getGlobalHooks(): Hooks {
  const { beforeAll, afterEach, afterAll } = globalThis as Partial<Hooks>
  if (beforeAll === undefined || afterEach === undefined || afterAll === undefined) {
    throw new Error('There are no global hooks: pass { beforeAll, afterEach, afterAll } of the test framework')
  }
  return { beforeAll, afterEach, afterAll }
}
