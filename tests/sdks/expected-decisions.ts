import { compile, type FeatureDocument } from '@burgee/engine'
import type { Context } from '@burgee/protocol/context'
import { EVALUATION_PROFILES, type EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import {
  listConstraintAbilities,
  listStrategyAbilities,
  OFFICIAL_SDKS,
  type SdkAbility,
} from '@burgee/protocol/sdk/sdk-abilities'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { ReadStrategy } from '@burgee/protocol/targeting/reading-differences'
import type { Decision } from './driver.ts'
import type { SdkVersion } from './sdk-versions.ts'

interface ServedFlag {
  readonly name: string
  readonly strategies: readonly (ReadStrategy & { readonly segments?: readonly number[] })[]
}

/** Decisions that an SDK version should make. */
export interface ExpectedDecisions {
  decide(sdk: Pick<SdkVersion, 'language' | 'version' | 'profile' | 'api'>, flag: string, context: Context): Decision
}

/**
 * Returns the decisions of Burgee's engine for a document, without the strategies that a version disables because it
 * does not know an operator (`OFFICIAL_SDKS`).
 */
export function expectDecisions(document: FeatureDocument): ExpectedDecisions {
  const engines = new Map<string, ReturnType<typeof compile>['engine']>()
  const getEngine = (lacking: ReadonlySet<SdkAbility>, profile: EvaluationProfile) => {
    const key = `${profile} ${[...lacking].join()}`
    const engine = engines.get(key) ?? compile(withoutUnknown(document, lacking), { profile }).engine
    engines.set(key, engine)
    return engine
  }
  return {
    decide: ({ language, version, profile, api }, flag, context) => {
      const lacking = api === 'client' ? listLacking(language, version) : new Set<SdkAbility>()
      const engine = getEngine(lacking, profile ?? EVALUATION_PROFILES[0])
      const { enabled, variant } = engine.evaluate(flag, { environment: 'development', ...context })
      return [enabled, variant.name, variant.payload?.value ?? null]
    },
  }
}

/**
 * Returns true if two decisions are equal. An SDK without a payload returns null, an empty string, or no payload
 * property.
 */
export function isSame(given: Decision | undefined, own: Decision): boolean {
  return given?.[0] === own[0] && given[1] === own[1] && (given[2] || null) === (own[2] || null)
}

/** Returns the capabilities that a strategy requires; a version that lacks any of them disables the strategy. */
export function listLacking(language: string, version: string): ReadonlySet<SdkAbility> {
  const abilities = OFFICIAL_SDKS.find(({ title }) => title === language)?.abilities ?? {}
  const lacking = Object.entries(abilities).filter(([, spans]) => {
    const [, behavior] = spans.findLast(([from]) => isAtLeast(version, from)) ?? []
    return behavior === 'off'
  })
  return new Set(lacking.map(([ability]) => ability as SdkAbility))
}

function isAtLeast(version: string, from: string): boolean {
  return version.localeCompare(from.split('-')[0] ?? '', undefined, { numeric: true }) >= 0
}

function withoutUnknown(document: FeatureDocument, lacking: ReadonlySet<SdkAbility>): FeatureDocument {
  const { segments = [], features } = document as unknown as {
    readonly features: readonly ServedFlag[]
    readonly segments?: readonly { readonly id: number; readonly constraints: readonly ConstraintInput[] }[]
  }
  const isKnown = (strategy: ServedFlag['strategies'][number]) => {
    const used = segments.filter(({ id }) => strategy.segments?.includes(id)).flatMap(({ constraints }) => constraints)
    return ![...listStrategyAbilities(strategy), ...listConstraintAbilities(used)].some((one) => lacking.has(one))
  }
  // without a strategy, the flag would be on for everyone
  const never = { name: 'userWithId', parameters: { userIds: '' } }
  const served = features.map((flag) => ({
    ...flag,
    strategies: flag.strategies.map((strategy) => (isKnown(strategy) ? strategy : never)),
  }))
  return { ...document, features: served } as unknown as FeatureDocument
}
