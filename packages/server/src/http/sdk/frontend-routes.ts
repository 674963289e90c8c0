import type { Engine } from '@burgee/engine'
import { Reply, type Route } from '@burgee/kit/http/route'
import { SILENT } from '@burgee/kit/log/logger'
import type { Trust } from '@burgee/kit/options/trust'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { evaluationRoutes, type KeyAccess } from '@burgee/serving/evaluation/evaluation-routes'
import { AnswersByEngine } from '@burgee/serving/replies/answers-by-engine'
import { createFrontends, type Frontend, type FrontendScope } from '../../services/sdk/frontends.ts'
import type { ServerWorld } from '../../services/server-world.ts'
import { type Access, FRONTEND } from '../access/auth.ts'
import type { Callers } from '../callers.ts'
import type { Limits } from '../limits.ts'
import { environmentOf, reportRoutes } from './report-routes.ts'

const PREFIXES = ['/api/frontend', '/api/proxy']
const COUNTED_AS = 'frontend-api'
const PROBLEMS = ['ValidationError', 'AuthenticationRequired', 'NoAccessError']
const BODY_PROBLEMS = [...PROBLEMS, 'ContentTypeerror', 'PayloadTooLargeError']
/** Only asked for its routes' shapes, never for an evaluation. */
const SHAPE = evaluationRoutes({
  prefix: '',
  engine: () => {
    throw new Error('The shape of a route was asked to evaluate')
  },
  answers: new AnswersByEngine(),
  contexts: contextsOf('', false, { random: () => new Uint8Array(4), logger: SILENT }),
  bucket: { count: () => {} },
  evaluations: { add: () => {} },
  enableAllEndpoint: true,
  flatContext: true,
  cacheControl: '',
})

/** Where front ends come from, and how often they may report. */
interface FrontendOptions {
  readonly trustProxy: Trust
  readonly limits: Limits
  readonly callers: Callers
}

/**
 * What SDKs in browsers and apps call, below `/api/frontend` and `/api/proxy`: the client proxy's own endpoints over the
 * flags of the caller's token. Source: wire protocol "Client, frontend, edge API".
 */
export function frontendRoutes(world: ServerWorld, options: FrontendOptions): Route<Access>[] {
  const { trustProxy, limits, callers } = options
  const frontends = createFrontends(world)
  const perEngine = new WeakMap<Engine, Route<KeyAccess>[]>()
  const routesOver = (frontend: Frontend, scope: FrontendScope) => {
    const known = perEngine.get(frontend.engine) ?? evaluationOver(world, frontend, scope, trustProxy)
    perEngine.set(frontend.engine, known)
    return known
  }
  const evaluating = (prefix: string) =>
    SHAPE.map(
      (shape, index): Route<Access> => ({
        ...shape,
        url: `${prefix}${shape.url}`,
        permission: FRONTEND,
        tag: 'Frontend',
        problems: shape.body === undefined ? PROBLEMS : BODY_PROBLEMS,
        replies: { 200: shape.replies[200] ?? { description: 'The evaluated toggles' } },
        handle: async (input) => {
          const { token } = input.access
          const scope = { environment: environmentOf(token), projects: token.projects }
          const frontend = await frontends.frontendOf(scope)
          return routesOver(frontend, scope)[index]?.handle({ ...input, access: undefined }, undefined)
        },
      }),
    )
  const reporting = (prefix: string) =>
    reportRoutes(world.usage, {
      base: `${prefix}/client`,
      limits: { register: limits.frontendRegister, metrics: limits.frontendMetrics },
      callers,
      permission: FRONTEND,
      tag: 'Frontend',
      replies: { 200: { description: 'Accepted', contentType: 'text/plain' } },
      problems: BODY_PROBLEMS,
      accepted: () => new Reply(200, 'OK', { 'content-type': 'text/plain; charset=utf-8' }),
    })
  return PREFIXES.flatMap((prefix) => [...evaluating(prefix), ...reporting(prefix)])
}

/** Evaluation of a caller's flags; toggles that are listed by name count as asked for. */
function evaluationOver(
  world: ServerWorld,
  { engine, answers }: Frontend,
  { environment, projects }: FrontendScope,
  trust: Trust,
): Route<KeyAccess>[] {
  const key = JSON.stringify([COUNTED_AS, environment, projects])
  const reporter = { key, environment, projects, isPublic: true }
  return evaluationRoutes({
    prefix: '',
    engine: () => engine,
    answers,
    contexts: contextsOf(environment, trust, world),
    bucket: {
      count: (name, enabled) => {
        const now = new Date(world.clock()).toISOString()
        const toggles = Object.fromEntries([[name, { yes: Number(enabled), no: Number(!enabled) }]])
        world.usage.count(reporter, COUNTED_AS, { start: now, stop: now, toggles })
      },
    },
    evaluations: { add: (count) => world.telemetry.evaluations.add(count, { environment }) },
    enableAllEndpoint: true,
    flatContext: true,
    cacheControl: 'no-cache',
  })
}

/** The environment is the token's, whatever the caller says. */
function contextsOf(
  environment: string,
  trustProxy: Trust,
  { random, logger }: Pick<ServerWorld, 'random' | 'logger'>,
): ContextReader {
  return new ContextReader({
    ...{ appName: undefined, environment, trustProxy, trustedAddressWins: false, enrichers: [], logger },
    random: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32,
  })
}
