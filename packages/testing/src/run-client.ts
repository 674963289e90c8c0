import type { AnyFlags, OverrideChanges, Overrides } from './typed-flags.ts'

/** Server at which test runs are started: a Burgee server, or the fake server. */
export interface FlagServer {
  /** URL without `/api`, such as `https://flags.example.com`. */
  readonly url: string
  /** Token that may manage test runs in the environment. */
  readonly adminToken: string
  /** Project of the flags; `default` by default. */
  readonly project?: string
  /** Environment whose flags are overridden; `development` by default. */
  readonly environment?: string
}

/** Settings of a new test run. */
export interface TestRunSettings<Flags extends object = AnyFlags> {
  readonly overrides?: Overrides<Flags>
  /** Name in the list of runs, such as the name of the test. */
  readonly name?: string
  /** Minutes after which the run ends by itself, from 1 to 120; 10 by default. */
  readonly minutes?: number
}

/** Flags of one test. */
export interface TestRun<Flags extends object = AnyFlags> {
  readonly id: string
  /** URL of the server, without `/api`. */
  readonly url: string
  /** Token for server-side SDKs. */
  readonly clientToken: string
  /** Token for pages and apps, and for OpenFeature. */
  readonly frontendToken: string
  /**
   * Changes overrides; null removes an override, and flags that are not named keep theirs. Resolves once the server has
   * applied the change; SDKs see it in their stream, or with their next poll.
   */
  set(changes: OverrideChanges<Flags>): Promise<void>
  /** Restores the overrides with which the run started. */
  reset(): Promise<void>
  /** Ends the run, unless it has ended. Its tokens are then rejected. */
  end(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Thrown if the server rejects a request. */
export class TestRunError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'TestRunError'
    this.status = status
  }
}

const DEFAULT_MINUTES = 10
/** Maximum length of the name of a run. */
const MAX_NAME_LENGTH = 100

/** Error of a server, whose details name each reason. */
interface ErrorBody {
  readonly message?: string
  readonly details?: readonly { readonly message: string }[]
}

interface RunReply {
  readonly id: string
  readonly clientToken: string
  readonly frontendToken: string
}

/** Starts a test run. Rejects with TestRunError if the server rejects it, for example because a flag does not exist. */
export async function startTestRun<Flags extends object = AnyFlags>(
  server: FlagServer,
  settings: TestRunSettings<Flags> = {},
): Promise<TestRun<Flags>> {
  const { project = 'default', environment = 'development' } = server
  const { overrides = {} as Overrides<Flags>, name = '', minutes = DEFAULT_MINUTES } = settings
  const url = server.url.replace(/\/+$/, '')
  const runs = `${url}/api/admin/projects/${encodeURIComponent(project)}/test-runs`
  const send = createSender(server.adminToken)
  const body = { environment, overrides, minutes, name: name.slice(0, MAX_NAME_LENGTH) }
  const { id, clientToken, frontendToken } = (await send('POST', runs, body)) as RunReply
  const changed = new Set<string>()
  const change = async (changes: OverrideChanges<Flags>) => {
    for (const flag of Object.keys(changes)) changed.add(flag)
    await send('PATCH', `${runs}/${id}`, { overrides: changes })
  }
  const end = () => send('DELETE', `${runs}/${id}`).then(() => {}, ignoreMissing)
  return {
    id,
    url,
    clientToken,
    frontendToken,
    set: change,
    async reset() {
      if (changed.size === 0) return
      const none = Object.fromEntries([...changed].map((flag) => [flag, null]))
      await send('PATCH', `${runs}/${id}`, { overrides: { ...none, ...overrides } })
      changed.clear()
    },
    end,
    [Symbol.asyncDispose]: end,
  }
}

function createSender(adminToken: string) {
  return async (method: string, url: string, body?: object): Promise<unknown> => {
    const response = await fetch(url, {
      method,
      headers: { authorization: adminToken, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new TestRunError(response.status, describeFailure(method, url, { response, text }))
    return text === '' ? undefined : JSON.parse(text)
  }
}

function describeFailure(
  method: string,
  url: string,
  { response, text }: { readonly response: Response; readonly text: string },
): string {
  const { pathname } = new URL(url)
  return `${method} ${pathname} failed with ${response.status}: ${readMessage(text)}`
}

/** Returns the reason in an error body, or the body itself. */
function readMessage(text: string): string {
  try {
    const { message, details } = JSON.parse(text) as ErrorBody
    return details?.map((detail) => detail.message).join(' ') || (message ?? text)
  } catch {
    return text
  }
}

/** Ignores that a run has ended already: its minutes are over, or another process has ended it. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof TestRunError) || error.status !== 404) throw error
}
