import type { TrustedProxies } from '@burgee/kit/options/trusted-proxies'
import { getBaseEnvironment } from '@burgee/serving/document/run-environment'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { createDecisionListener } from '@burgee/serving/evaluation/decision-listener'
import type { EvaluationTarget } from '@burgee/serving/evaluation/evaluation-routes'
import { createEvaluationTargets, type EvaluationTargets } from '@burgee/serving/sdk/evaluation-targets'
import type { FrontendScope, Frontends } from '@burgee/serving/sdk/frontends'
import type { OfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import { createRequestedNamesOwner } from '@burgee/serving/usage/name-budget'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { Access } from '../../core/access/access.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { createRandomFractions } from '../../core/world.ts'
import { getFlagScope } from './sdk-report-routes.ts'

/** Creates the functions that determine which flags to evaluate, given a caller's token. */
export function serverTargets(
  world: ServerWorld,
  parts: { readonly frontends: Frontends; readonly ofrepStreams: OfrepStreams<TokenRow> },
  trustProxy: TrustedProxies,
): EvaluationTargets<Access> {
  return createEvaluationTargets<Access, FrontendScope>({
    ...parts,
    getScope: ({ token }) => getFlagScope(token),
    createCommon: (scope, countedAs) => createCommonTarget(world, scope, trustProxy, countedAs),
  })
}

/** Returns the properties that all evaluation targets share. A flag that is requested by name counts as used. */
function createCommonTarget(
  world: ServerWorld,
  { environment, projects }: FrontendScope,
  trust: TrustedProxies,
  countedAs: string,
): Omit<EvaluationTarget, 'answers'> {
  const real = getBaseEnvironment(environment)
  const isCounted = real === environment
  const key = JSON.stringify([countedAs, environment, projects])
  const reporter = { key, environment, projects, isPublic: true }
  const asker = { ...reporter, owner: createRequestedNamesOwner(key) }
  return {
    contexts: createContextReader(real, trust, world),
    bucket: {
      count: (name, enabled, isFlag) => {
        if (!isCounted) return
        const now = new Date(world.clock()).toISOString()
        const toggles = Object.fromEntries([[name, { yes: Number(enabled), no: Number(!enabled) }]])
        world.usage.count(isFlag ? reporter : asker, countedAs, { start: now, stop: now, toggles })
      },
    },
    onContext: isCounted ? world.traffic.listener({ environment, projects }) : undefined,
    onDecision: isCounted ? createDecisionListener(world.decisions, { environment, projects }) : undefined,
    evaluations: { add: (count) => world.telemetry.evaluations.add(count, { environment: real }) },
  }
}

/**
 * Replaces the environment in a context with the environment of the token, regardless of the value that the caller
 * sent.
 */
function createContextReader(
  environment: string,
  trustProxy: TrustedProxies,
  { random, logger }: Pick<ServerWorld, 'random' | 'logger'>,
): ContextReader {
  return new ContextReader({
    appName: undefined,
    environment,
    trustProxy,
    trustedAddressWins: false,
    enrichers: [],
    logger,
    sessionChance: createRandomFractions(random),
  })
}
