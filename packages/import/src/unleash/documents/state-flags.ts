import type { StateDocument } from '@burgee/protocol/administration/state'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'

/** A flag of a document in one environment. */
export interface StateInEnvironment {
  readonly environment: string
  readonly enabled: boolean
  readonly variants: readonly VariantInput[]
  /** Strategies in evaluation order. `segments` contains ids of the document. */
  readonly strategies: readonly StrategyInput[]
}

/** Flag in a document, together with the entries about it from all lists of the document. */
export interface StateFlag {
  readonly feature: NonNullable<StateDocument['features']>[number]
  readonly environments: readonly StateInEnvironment[]
  readonly tags: readonly { readonly type: string; readonly value: string }[]
}

/** Environment that flags get if the document has no environments. Source: wire protocol */
const ONLY_ENVIRONMENT = 'default'
const FIRST_WITH_ENVIRONMENTS = 3

/** Returns the flags of a document of any version. */
export function listFlags(document: StateDocument): StateFlag[] {
  const { version = 4, features = [] } = document
  const tags = Map.groupBy(document.featureTags ?? [], ({ featureName }) => featureName)
  const placesOf = version < FIRST_WITH_ENVIRONMENTS ? toOnlyEnvironment : createEnvironmentLookup(document)
  return features.map((feature) => ({
    feature,
    environments: placesOf(feature),
    tags: (tags.get(feature.name) ?? []).map(({ tagType, type, tagValue, value }) => ({
      type: tagType ?? type ?? '',
      value: tagValue ?? value ?? '',
    })),
  }))
}

type Feature = StateFlag['feature']

/** Returns true if a document marks a flag as archived, with `archived` or with `archivedAt`. */
export function isArchived({ archived, archivedAt }: Pick<Feature, 'archived' | 'archivedAt'>): boolean {
  return archived === true || (typeof archivedAt === 'string' && archivedAt !== '')
}

function toOnlyEnvironment({ enabled, strategies = [], variants }: Feature): StateInEnvironment[] {
  return [
    {
      environment: ONLY_ENVIRONMENT,
      enabled: enabled === true,
      variants: variants ?? [],
      strategies: strategies.map((strategy) => toStrategyInput(strategy, [])),
    },
  ]
}

function createEnvironmentLookup(document: StateDocument): (feature: Feature) => StateInEnvironment[] {
  const states = Map.groupBy(document.featureEnvironments ?? [], ({ featureName }) => featureName)
  const strategies = Map.groupBy(document.featureStrategies ?? [], ({ featureName }) => featureName)
  const segments = Map.groupBy(document.featureStrategySegments ?? [], ({ featureStrategyId }) => featureStrategyId)
  const getBareState = createBareStates()
  return ({ name, variants: shared }) => {
    const own = Map.groupBy(states.get(name) ?? [], ({ environment }) => environment)
    const all = Map.groupBy(strategies.get(name) ?? [], ({ environment }) => environment)
    return [...new Set([...own.keys(), ...all.keys()])].map((environment) => {
      const [state] = own.get(environment) ?? []
      const enabled = state?.enabled === true
      const variants = state?.variants ?? shared ?? []
      const listed = all.get(environment) ?? []
      if (listed.length === 0 && variants.length === 0) return getBareState(environment, enabled)
      const sorted = sortStrategies(listed).map(({ strategyName, id = '', ...parts }) =>
        toStrategyInput(
          { ...parts, name: strategyName },
          (segments.get(id) ?? []).map(({ segmentId }) => segmentId),
        ),
      )
      return { environment, enabled, variants, strategies: sorted }
    })
  }
}

/**
 * Returns a function that returns states without strategies and variants. All flags share these objects to save memory,
 * because a document has a state for each flag in each environment, and most states are empty.
 */
function createBareStates(): (environment: string, enabled: boolean) => StateInEnvironment {
  const byKind = { on: new Map<string, StateInEnvironment>(), off: new Map<string, StateInEnvironment>() }
  return (environment, enabled) => {
    const known = enabled ? byKind.on : byKind.off
    const state = known.get(environment) ?? { environment, enabled, variants: [], strategies: [] }
    known.set(environment, state)
    return state
  }
}

/** Sorts strategies by `sortOrder` if all strategies have a `sortOrder`; otherwise preserves the order of the list. */
function sortStrategies<T extends { readonly sortOrder?: number | null | undefined }>(
  strategies: readonly T[],
): readonly T[] {
  if (!strategies.every(({ sortOrder }) => typeof sortOrder === 'number')) return strategies
  return [...strategies].sort((a, b) => Number(a.sortOrder) - Number(b.sortOrder))
}

type Strategy = NonNullable<Feature['strategies']>[number]

function toStrategyInput(
  { name, title, parameters, constraints, variants, disabled }: Strategy,
  segments: number[],
): StrategyInput {
  return {
    name,
    title: title ?? null,
    disabled: disabled === true,
    segments,
    parameters: parameters ?? {},
    constraints: constraints ?? [],
    variants: variants ?? [],
  }
}
