import type { Trust } from '@burgee/kit/options/trust'
import type { RepositoryState } from '@burgee/serving/document/repository'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import type { EvaluationTarget } from '@burgee/serving/evaluation/evaluation-routes'
import type { OfrepTarget } from '@burgee/serving/ofrep/ofrep-routes'
import type { FrontendScope, Frontends } from '@burgee/serving/sdk/frontends'
import type { OfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import type { ServerWorld } from '../../services/server-world.ts'
import { chanceOf } from '../../services/world.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import type { Access } from '../access/auth.ts'
import { scopeOf } from './report-routes.ts'

const COUNTED_AS = { frontend: 'frontend-api', ofrep: 'openfeature' } as const

/** Finds what callers are answered from: the flags of their token, in whichever form they ask for them. */
export interface EvaluationTargets {
  frontend(access: Access): EvaluationTarget | Promise<EvaluationTarget>
  ofrep(access: Access): OfrepTarget | Promise<OfrepTarget>
}

/** One target per scope and form; of each state of the flags they answer from the newest. */
export function createEvaluationTargets(
  world: ServerWorld,
  { frontends, ofrepStreams }: { readonly frontends: Frontends; readonly ofrepStreams: OfrepStreams<TokenRow> },
  trustProxy: Trust,
): EvaluationTargets {
  const known = new WeakMap<RepositoryState, { frontend?: EvaluationTarget; ofrep?: OfrepTarget }>()
  const over = <T>(access: Access, make: (state: RepositoryState, scope: FrontendScope) => T): T | Promise<T> => {
    const { token } = access
    const scope = scopeOf(token)
    const state = frontends.stateFor(scope)
    return state instanceof Promise ? state.then((made) => make(made, scope)) : make(state, scope)
  }
  const targetsOf = (state: RepositoryState) => {
    const targets = known.get(state) ?? {}
    known.set(state, targets)
    return targets
  }
  return {
    frontend: (access) =>
      over(access, (state, scope) => {
        const targets = targetsOf(state)
        targets.frontend ??= {
          ...commonOf(world, scope, trustProxy, COUNTED_AS.frontend),
          answers: () => state.answers,
        }
        return targets.frontend
      }),
    ofrep: (access) =>
      over(access, (state, scope) => {
        const targets = targetsOf(state)
        targets.ofrep ??= {
          ...commonOf(world, scope, trustProxy, COUNTED_AS.ofrep),
          ofrep: () => state.ofrep.get(),
          reached: (tag) => ofrepStreams.reached(scope, tag),
        }
        return targets.ofrep
      }),
  }
}

/** What all forms have in common; toggles that are asked for by name count as used. */
function commonOf(
  world: ServerWorld,
  { environment, projects }: FrontendScope,
  trust: Trust,
  countedAs: string,
): Omit<EvaluationTarget, 'answers'> {
  const key = JSON.stringify([countedAs, environment, projects])
  const reporter = { key, environment, projects, isPublic: true }
  return {
    contexts: contextsOf(environment, trust, world),
    bucket: {
      count: (name, enabled) => {
        const now = new Date(world.clock()).toISOString()
        const toggles = Object.fromEntries([[name, { yes: Number(enabled), no: Number(!enabled) }]])
        world.usage.count(reporter, countedAs, { start: now, stop: now, toggles })
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
    random: chanceOf(random),
  })
}
