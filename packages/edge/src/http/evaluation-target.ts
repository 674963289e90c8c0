import type { Logger } from '@burgee/kit/log/logger'
import type { Trust } from '@burgee/kit/options/trust'
import type { Counter } from '@burgee/kit/series/series'
import type { RepositoryState } from '@burgee/serving/document/repository'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import type { EvaluationTarget } from '@burgee/serving/evaluation/evaluation-routes'
import type { OfrepTarget } from '@burgee/serving/ofrep/ofrep-routes'
import type { Frontends } from '@burgee/serving/sdk/frontends'
import type { OfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import type { EdgeToken } from '../tokens/edge-token.ts'
import type { EdgeUsage } from '../usage/edge-usage.ts'
import { type Access, tokenOf } from './access.ts'

/** What evaluations stand on. */
export interface EvaluationWorld {
  readonly frontends: Frontends
  readonly ofrepStreams: Pick<OfrepStreams<EdgeToken>, 'reached'>
  readonly usage: EdgeUsage
  readonly evaluations: Counter
  readonly repeats: Counter
  readonly trust: Trust
  readonly clock: () => number
  readonly random: () => number
  readonly logger: Logger
}

/** Finds what callers are answered from: the flags of their token, in whichever form they ask for them. */
export interface EvaluationTargets {
  frontend(access: Access): EvaluationTarget | Promise<EvaluationTarget>
  ofrep(access: Access): OfrepTarget | Promise<OfrepTarget>
}

/** Names under which flags that are asked for one by one are counted, for nobody says a better one. */
const COUNTED_AS = { frontend: 'frontend-api', ofrep: 'openfeature' } as const

/** One target per scope and form; of each state of the flags they answer from the newest. */
export function createEvaluationTargets(world: EvaluationWorld): EvaluationTargets {
  const known = new WeakMap<RepositoryState, { frontend?: EvaluationTarget; ofrep?: OfrepTarget }>()
  const over = <T>(access: Access, make: (state: RepositoryState, token: EdgeToken) => T): T | Promise<T> => {
    const token = tokenOf(access)
    const state = world.frontends.stateFor(token)
    return state instanceof Promise ? state.then((made) => make(made, token)) : make(state, token)
  }
  const targetsOf = (state: RepositoryState) => {
    const targets = known.get(state) ?? {}
    known.set(state, targets)
    return targets
  }
  return {
    frontend: (access) =>
      over(access, (state, token) => {
        const targets = targetsOf(state)
        targets.frontend ??= { ...commonOf(world, token, COUNTED_AS.frontend), answers: () => state.answers }
        return targets.frontend
      }),
    ofrep: (access) =>
      over(access, (state, token) => {
        const targets = targetsOf(state)
        targets.ofrep ??= {
          ...commonOf(world, token, COUNTED_AS.ofrep),
          ofrep: () => state.ofrep.get(),
          reached: (tag) => world.ofrepStreams.reached(token, tag),
        }
        return targets.ofrep
      }),
  }
}

/** The environment is the token's, whatever the caller says. */
function commonOf(world: EvaluationWorld, token: EdgeToken, countedAs: string): Omit<EvaluationTarget, 'answers'> {
  const { usage, clock, evaluations, repeats, trust, random, logger } = world
  const { environment } = token
  const labels = { environment }
  return {
    contexts: new ContextReader({
      ...{ appName: undefined, environment, trustProxy: trust, isStandardFirst: true, trustedAddressWins: false },
      ...{ enrichers: [], random, logger },
    }),
    bucket: {
      count: (name, isOn) =>
        usage.count(token, countedAs, [
          { name, at: new Date(clock()).toISOString(), yes: Number(isOn), no: Number(!isOn), variants: {} },
        ]),
    },
    evaluations: { add: (flags) => evaluations.add(flags, labels) },
    repeats,
  }
}
