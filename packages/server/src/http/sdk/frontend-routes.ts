import { Reply } from '@burgee/kit/http/route'
import type { Trust } from '@burgee/kit/options/trust'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { type EvaluationTarget, evaluationRoutes } from '@burgee/serving/evaluation/evaluation-routes'
import type { Answers } from '@burgee/serving/replies/answers'
import { createFrontends, type FrontendScope } from '../../services/sdk/frontends.ts'
import type { ServerWorld } from '../../services/server-world.ts'
import { type Access, FRONTEND } from '../access/auth.ts'
import { GUARDED_SEARCH, LONG_BODY } from '../problem-lists.ts'
import type { Routes } from '../route.ts'
import { environmentOf, reportRoutes } from './report-routes.ts'

const PREFIXES = ['/api/frontend', '/api/proxy']
const COUNTED_AS = 'frontend-api'

/**
 * What SDKs in browsers and apps call, below `/api/frontend` and `/api/proxy`: the client proxy's own endpoints over
 * the flags of the caller's token. Source: wire protocol "Client, frontend, edge API".
 */
export function frontendRoutes(world: ServerWorld, trustProxy: Trust): Routes {
  const frontends = createFrontends(world)
  const targets = new WeakMap<Answers, EvaluationTarget>()
  const targetOver = (answers: Answers, scope: FrontendScope): EvaluationTarget => {
    const known = targets.get(answers) ?? targetOf(world, answers, scope, trustProxy)
    targets.set(answers, known)
    return known
  }
  const target = ({ token }: Access): EvaluationTarget | Promise<EvaluationTarget> => {
    const scope = { environment: environmentOf(token), projects: token.projects }
    const answers = frontends.answersFor(scope)
    return answers instanceof Promise ? answers.then((made) => targetOver(made, scope)) : targetOver(answers, scope)
  }
  const evaluating = (prefix: string) =>
    evaluationRoutes<Access>({
      prefix,
      target,
      tag: 'Frontend',
      permission: FRONTEND,
      problems: { ofQuery: GUARDED_SEARCH, ofBody: LONG_BODY },
      flatContext: true,
      cacheControl: 'no-cache',
    })
  const reporting = (prefix: string) =>
    reportRoutes({
      base: `${prefix}/client`,
      limits: { register: 'frontendRegister', metrics: 'frontendMetrics' },
      permission: FRONTEND,
      tag: 'Frontend',
      replies: { 200: { description: 'Accepted', contentType: 'text/plain' } },
      problems: LONG_BODY,
      accepted: () => new Reply(200, 'OK', { 'content-type': 'text/plain; charset=utf-8' }),
    })
  return PREFIXES.flatMap((prefix) => [...evaluating(prefix), ...reporting(prefix)])
}

/** What callers of a scope are answered from; toggles that are listed by name count as asked for. */
function targetOf(
  world: ServerWorld,
  answers: Answers,
  { environment, projects }: FrontendScope,
  trust: Trust,
): EvaluationTarget {
  const key = JSON.stringify([COUNTED_AS, environment, projects])
  const reporter = { key, environment, projects, isPublic: true }
  return {
    answers: () => answers,
    contexts: contextsOf(environment, trust, world),
    bucket: {
      count: (name, enabled) => {
        const now = new Date(world.clock()).toISOString()
        const toggles = Object.fromEntries([[name, { yes: Number(enabled), no: Number(!enabled) }]])
        world.usage.count(reporter, COUNTED_AS, { start: now, stop: now, toggles })
      },
    },
    evaluations: { add: (count) => world.telemetry.evaluations.add(count, { environment }) },
  }
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
