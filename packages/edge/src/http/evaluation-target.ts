import type { Logger } from '@burgee/kit/log/logger'
import type { TrustedProxies } from '@burgee/kit/options/trusted-proxies'
import type { DecisionLog } from '@burgee/kit/otel/decision-log'
import type { Counter } from '@burgee/kit/series/series'
import { getBaseEnvironment } from '@burgee/serving/document/run-environment'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { createDecisionListener } from '@burgee/serving/evaluation/decision-listener'
import type { EvaluationTarget } from '@burgee/serving/evaluation/evaluation-routes'
import { createEvaluationTargets, type EvaluationTargets } from '@burgee/serving/sdk/evaluation-targets'
import type { Frontends } from '@burgee/serving/sdk/frontends'
import type { OfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import { createRequestedNamesOwner } from '@burgee/serving/usage/name-budget'
import type { EdgeToken } from '../tokens/edge-token.ts'
import type { EdgeUsage } from '../usage/usage-interface.ts'
import { type Access, requireToken } from './check-token.ts'

/** Dependencies of evaluations. */
export interface EvaluationWorld {
  readonly frontends: Frontends
  readonly ofrepStreams: Pick<OfrepStreams<EdgeToken>, 'waitForTag'>
  readonly usage: EdgeUsage
  readonly evaluations: Counter
  readonly repeats: Counter
  readonly decisions: DecisionLog | undefined
  readonly trust: TrustedProxies
  readonly clock: () => number
  readonly logger: Logger
}

/** Creates the evaluation targets, which depend on the caller's token. */
export function edgeTargets(world: EvaluationWorld): EvaluationTargets<Access> {
  const { frontends, ofrepStreams } = world
  return createEvaluationTargets<Access, EdgeToken>({
    frontends,
    ofrepStreams,
    getScope: requireToken,
    createCommon: (token, countedAs) => createCommonTarget(world, token, countedAs),
  })
}

/**
 * Returns the parts that all evaluation targets share. The environment of the token overrides any environment that the
 * caller sends.
 */
function createCommonTarget(
  world: EvaluationWorld,
  token: EdgeToken,
  countedAs: string,
): Omit<EvaluationTarget, 'answers'> {
  const { usage, clock, evaluations, repeats, trust, logger } = world
  // constraints see the environment that a test run overrides
  const environment = getBaseEnvironment(token.environment)
  const labels = { environment }
  const requested = createRequestedNamesOwner(token.id)
  return {
    contexts: new ContextReader({
      appName: undefined,
      environment,
      trustProxy: trust,
      isStandardFirst: true,
      trustedAddressWins: false,
      enrichers: [],
      sessionChance: undefined,
      logger,
    }),
    bucket: {
      count: (name, isOn, isFlag) =>
        usage.count({ lane: token, owner: isFlag ? undefined : requested }, countedAs, [
          { name, at: clock(), yes: Number(isOn), no: Number(!isOn), variants: {} },
        ]),
    },
    evaluations: { add: (flags) => evaluations.add(flags, labels) },
    cacheHits: repeats,
    onDecision: environment === token.environment ? createDecisionListener(world.decisions, token) : undefined,
  }
}
