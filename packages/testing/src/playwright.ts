import { type FakeServerSettings, startFakeServer } from './fake/fake-server.ts'
import { type FlagServer, startTestRun, type TestRun } from './run-client.ts'
import type { AnyFlags, Overrides } from './typed-flags.ts'

/** Fixtures of each test. */
export interface FlagFixtures<Flags extends object = AnyFlags> {
  /** Overrides with which the run of a test starts: `test.use({ overrides: { 'new-checkout': true } })`. */
  readonly overrides: Overrides<Flags>
  /** Flags of the test: a run of its own, also for pages of the fixtures `context` and `page`. */
  readonly flags: TestRun<Flags>
}

/** Fixtures of each worker. */
export interface FlagWorkerFixtures {
  /** Server at which the runs start. */
  readonly flagServer: FlagServer
}

/** Settings of `flagFixtures`: either a server, or the flags of a fake server. */
export interface FlagFixtureSettings<Flags extends object = AnyFlags> extends FakeServerSettings<Flags> {
  /** Server at which runs start; by default each worker has a fake server with `flags`. */
  readonly server?: FlagServer
  /**
   * URL at which the application looks for its flags, without `/api`. Requests of pages to this URL go to the server
   * with the token of the run, so that the application needs no special configuration. By default the server itself.
   */
  readonly applicationUrl?: string
}

type Use<T> = (value: T) => Promise<void>
type Fixture<Args, T> = (args: Args, use: Use<T>) => Promise<void>

/** Part of a request that a page sends. */
interface PageRequest {
  url(): string
  headers(): Record<string, string>
}

/** Part of Playwright's `Route`. */
interface PageRoute {
  request(): PageRequest
  fallback(overrides: { readonly url: string; readonly headers: Record<string, string> }): Promise<void>
}

/** Part of Playwright's `BrowserContext`. */
interface PageContext {
  route(url: (url: URL) => boolean, handler: (route: PageRoute) => Promise<void>): Promise<unknown>
}

/** Part of Playwright's `TestInfo`. */
interface RunningTest {
  readonly title: string
}

/** Fixtures in the form that `test.extend` of Playwright takes. */
export interface FlagFixtureTable<Flags extends object = AnyFlags> {
  readonly overrides: [Overrides<Flags>, { option: true }]
  readonly flagServer: [Fixture<object, FlagServer>, { scope: 'worker' }]
  readonly flags: [
    (
      args: { flagServer: FlagServer; overrides: Overrides<Flags>; context: PageContext },
      use: Use<TestRun<Flags>>,
      test: RunningTest,
    ) => Promise<void>,
    { auto: true },
  ]
}

/**
 * Creates fixtures for `test.extend` of Playwright. Each test has a test run of its own, and pages of the test get the
 * flags of that run.
 */
export function flagFixtures<Flags extends object = AnyFlags>(
  settings: FlagFixtureSettings<Flags> = {},
): FlagFixtureTable<Flags> {
  return {
    overrides: [{}, { option: true }],
    flagServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
      async ({}: object, use: Use<FlagServer>) => {
        if (settings.server !== undefined) return use(settings.server)
        const fake = await startFakeServer<Flags>(settings)
        await use(fake)
        await fake.close()
      },
      { scope: 'worker' },
    ],
    flags: [
      async ({ flagServer, overrides, context }, use, { title }) => {
        const run = await startTestRun<Flags>(flagServer, { overrides, name: title })
        await usePageFlags(context, run, settings.applicationUrl ?? run.url)
        await use(run)
        await run.end()
      },
      { auto: true },
    ],
  }
}

const OTHER_PROTOCOL =
  'applicationUrl and the URL of the server have different protocols. Browsers send a request only with the same one.'
/** Endpoints that pages use, below the URL of a server. */
const PAGE_PATHS = ['/api/frontend', '/api/proxy', '/ofrep/']

/** Sends flag requests of all pages of a context to the server of a run, with the frontend token of the run. */
async function usePageFlags(
  context: PageContext,
  run: Pick<TestRun, 'url' | 'frontendToken'>,
  applicationUrl: string,
): Promise<void> {
  const base = applicationUrl.replace(/\/+$/, '')
  if (new URL(base).protocol !== new URL(run.url).protocol) throw new Error(OTHER_PROTOCOL)
  const isFlagUrl = ({ href }: URL) => PAGE_PATHS.some((path) => href.startsWith(base + path))
  await context.route(isFlagUrl, async (route) => {
    const request = route.request()
    const headers = { ...request.headers(), authorization: run.frontendToken }
    await route.fallback({ url: run.url + request.url().slice(base.length), headers })
  })
}
