import type { Explanation } from '@burgee/engine'
import { runSync } from '@burgee/kit/slices'
import type { Context } from '@burgee/protocol/context'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { listsIpv6Addresses } from '../rules/ipv6-lists.ts'
import { type ComparisonSettings, compareDecisionsInSteps } from './compare-decisions.ts'
import { listDefinitionDifferences, type Pair } from './definition-difference.ts'

/** A difference between the two sides. */
export interface Difference {
  /** Name of the flag; undefined if the difference concerns the token itself. */
  readonly flag: string | undefined
  /** Definitions or results of the flag, one per side. */
  readonly says: readonly string[]
  /** Context for which the decisions differ. `why` contains the explanations. */
  readonly context?: Context
  readonly why?: Pair<Explanation>
}

/** Result of comparing two sides for one token, for two files, or for an import. */
export interface ComparedPart {
  readonly environment: string
  readonly token: string | undefined
  readonly kind: 'client' | 'frontend' | 'token' | 'files' | 'import'
  readonly flags: readonly string[]
  readonly contexts: number
  readonly aimed: number
  readonly differences: readonly Difference[]
  /**
   * Flags whose results are random on both sides, even for the same context. The results of random flags are not
   * compared.
   */
  readonly byChance?: readonly string[]
  /**
   * Flags that list IPv6 addresses of callers. Some engines do not match every notation of an address or every range.
   */
  readonly ipv6Lists?: readonly string[]
}

/** Settings of a comparison, including the names of both sides. */
export interface PartSettings {
  readonly comparison: ComparisonSettings
  readonly names: Pair<string>
}

type PartIdentity = Pick<ComparedPart, 'environment' | 'token' | 'kind'>

/** Compares two documents: first their decisions, then their definitions. */
export function compareDocuments(
  place: PartIdentity,
  documents: Pair<FeatureDocument>,
  settings: PartSettings,
): ComparedPart {
  return runSync(compareDocumentsInSteps(place, documents, settings))
}

/** Compares like `compareDocuments`, but in steps, so that other work can run in between. */
export function* compareDocumentsInSteps(
  place: PartIdentity,
  documents: Pair<FeatureDocument>,
  { comparison, names }: PartSettings,
): Generator<void, ComparedPart> {
  const defined = new Map(listDefinitionDifferences(documents, names).map(({ flag, says }) => [flag, says]))
  const { contexts, aimed, differences } = yield* compareDecisionsInSteps(documents, comparison)
  const decided = differences.map(({ flag, context, why }): Difference => {
    const says = defined.get(flag)
    return { flag, context, why, says: says === undefined ? [] : [says] }
  })
  const known = new Set(differences.map(({ flag }) => flag))
  const written = [...defined].filter(([flag]) => !known.has(flag)).map(([flag, says]) => ({ flag, says: [says] }))
  const flags = [...new Set([documents.a, documents.b].flatMap(({ features }) => features.map(({ name }) => name)))]
  const ipv6Lists = listIpv6Flags(documents)
  return { ...place, flags, contexts, aimed, differences: [...decided, ...written], ipv6Lists }
}

/** Returns the names of the flags that list IPv6 addresses on either side. */
export function listIpv6Flags({ a, b }: Pair<FeatureDocument>): string[] {
  const listing = [a, b].flatMap(({ features }) =>
    features.filter(({ strategies }) => (strategies ?? []).some(listsIpv6Addresses)),
  )
  return [...new Set(listing.map(({ name }) => name))]
}
