import { randomBytes } from 'node:crypto'
import { createEdge } from '@burgee/edge/edge'
import { SERVING_OPTIONS } from '@burgee/edge/serving-options'
import { TokenRefused } from '@burgee/edge/tokens/token-refusal'
import { createEdgeToken, TokenStore } from '@burgee/edge/tokens/token-store'
import { DISCARDING_USAGE } from '@burgee/edge/usage/discarding-usage'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { parseOptions } from '@burgee/kit/options/options'
import { SeriesRegistry } from '@burgee/kit/series/series'
import type { ClientFeatures } from '@burgee/protocol/feature'
import { createFixedProfile } from '@burgee/serving/upstream/announced-profile'
import type { FlagServer } from '../run-client.ts'
import type { AnyFlags } from '../typed-flags.ts'
import { FakeEnvironments } from './fake-environments.ts'
import { type FakeFlags, toFeatures, withProject } from './fake-flags.ts'
import { fakeRunRoutes } from './fake-run-routes.ts'
import { FakeRuns } from './fake-runs.ts'

/** Flags and settings of a fake server. */
export interface FakeServerSettings<Flags extends object = AnyFlags> {
  /** Flags by name. */
  readonly flags?: FakeFlags<Flags>
  /** Further flags, and segments: a response of `GET /api/client/features`. */
  readonly document?: Pick<ClientFeatures, 'features' | 'segments'>
  /** Project of flags that name none; `default` by default. */
  readonly project?: string
  /** Only environment; `development` by default. */
  readonly environment?: string
  /** Address to listen on; `127.0.0.1` by default, so that only this machine can connect. */
  readonly host?: string
  /** Port; by default a free one. */
  readonly port?: number
}

/** Server with the SDK endpoints and the test runs of a Burgee server, without a database. */
export interface FakeServer<Flags extends object = AnyFlags> extends Required<FlagServer> {
  readonly port: number
  /** Token for server-side SDKs, without overrides. */
  readonly clientToken: string
  /** Token for pages and apps, and for OpenFeature, without overrides. */
  readonly frontendToken: string
  /** Replaces all flags in `flags`; overrides of runs remain. */
  setFlags(flags: FakeFlags<Flags>): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const SECRET_BYTES = 28

/** Starts a fake server in this process. Rejects with ListenError if the port is taken. */
export async function startFakeServer<Flags extends object = AnyFlags>(
  settings: FakeServerSettings<Flags> = {},
): Promise<FakeServer<Flags>> {
  const { project = 'default', environment = 'development', host = '127.0.0.1', port = 0, document } = settings
  const environments = new FakeEnvironments(environment, SILENT)
  const setFlags = (flags: FakeFlags<Flags> | undefined) => {
    const own = toFeatures((flags ?? {}) as Parameters<typeof toFeatures>[0], project)
    const further = withProject(document ?? { features: [] }, project)
    return environments.replace([...own, ...further], document?.segments ?? [])
  }
  await setFlags(settings.flags)
  const tokens = new TokenStore(Number.POSITIVE_INFINITY)
  const adminToken = `*:*.${createSecret()}`
  const clientToken = `*:${environment}.${createSecret()}`
  const frontendToken = `*:${environment}.${createSecret()}`
  const scope = { environment, projects: ['*'], origin: 'offline' } as const
  tokens.add(createEdgeToken({ text: clientToken, kind: 'backend', ...scope }))
  tokens.add(createEdgeToken({ text: frontendToken, kind: 'frontend', ...scope }))
  const runs = new FakeRuns({ project, environment, environments, tokens, clock: Date.now })
  const edge = createFakeEdge({ environments, tokens, furtherRoutes: fakeRunRoutes(runs, adminToken) }, { host, port })
  const listening = await edge.listen()
  const close = async () => {
    runs.close()
    await edge.close()
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`,
    port: listening.port,
    adminToken,
    clientToken,
    frontendToken,
    project,
    environment,
    setFlags,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex')
}

interface FakeEdgeParts {
  readonly environments: FakeEnvironments
  readonly tokens: TokenStore
  readonly furtherRoutes: ReturnType<typeof fakeRunRoutes>
}

/** Creates the HTTP side, with the defaults of an edge. */
function createFakeEdge(
  { environments, tokens, furtherRoutes }: FakeEdgeParts,
  { host, port }: { readonly host: string; readonly port: number },
) {
  const defaults = parseOptions(SERVING_OPTIONS, { env: {}, argv: [] })
  return createEdge({
    options: { ...defaults, interface: host, port, enableOAS: false },
    environments,
    tokens: {
      find: (text) => tokens.get(text),
      admit: (text) => Promise.reject(new TokenRefused(text === '' ? 'missing' : 'unknown')),
      findById: (id) => tokens.findById(id),
      all: () => tokens.all(),
      subscribe: (listener) => tokens.subscribe(listener),
    },
    furtherRoutes,
    profile: createFixedProfile('node'),
    usage: DISCARDING_USAGE,
    isReady: () => true,
    clientKeys: [],
    firstToken: undefined,
    identity: { appName: 'burgee-fake', instanceId: createSecret(), startedAtMs: Date.now() },
    registry: new SeriesRegistry(),
    logger: SILENT,
    clock: Date.now,
    monotonic: PROCESS_CLOCK,
    random: Math.random,
  })
}
