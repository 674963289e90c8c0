import { runSync } from '@burgee/kit/slices'
import type { ImportFindings } from '@burgee/protocol/administration/feature-transfer'
import {
  type DifferenceKind,
  listPayloadDifferences,
  listStrategyDifferences,
  READING_DIFFERENCES,
  type ReadStrategy,
  type ReadVariant,
} from '@burgee/protocol/targeting/reading-differences'

/** Effect of an import that the caller should know about, and the affected items. */
export type ImportWarning = ImportFindings['warnings'][number]

const MAX_NAMED = 20
const OPEN = 'The following flags are on without an enabled strategy; SDKs evaluate them as on for everyone.'
const OPENED = `${OPEN} They get the strategy "default" here, and stay on for everyone:`
const CLOSED = `${OPEN} They are turned off here, as requested:`

/** Formats a flag name and an environment for use in messages. */
export function formatImportLocation(flag: string, environment: string): string {
  return `${flag} (${environment})`
}

/** Warns about flags without an enabled strategy. `places` are strings from `formatImportLocation`. */
export function unguardedWarnings(places: readonly string[], isClosing: boolean): ImportWarning[] {
  return places.length === 0 ? [] : [{ message: isClosing ? CLOSED : OPENED, affectedItems: [...places] }]
}

/** Warns about states that are skipped because the flag's project no longer has their environment. */
export function removedWarnings(places: readonly string[]): ImportWarning[] {
  return places.length === 0 ? [] : [{ message: REMOVED, affectedItems: [...places] }]
}

const REMOVED = 'The following flags are not imported in environments that their projects have removed here:'

/** Strategies and variants that an import stores unchanged, and the place to which they belong. */
export interface StoredPart {
  /** String from `formatImportLocation`, or the name of a segment. */
  readonly place: string
  readonly strategies?: readonly ReadStrategy[] | undefined
  readonly variants?: readonly ReadVariant[] | undefined
}

/**
 * Warns about values, including payloads, that official SDKs interpret differently; an import stores them unchanged.
 */
export function readingWarnings(parts: Iterable<StoredPart>): ImportWarning[] {
  return runSync(findReadingWarnings(parts))
}

/**
 * Generator that returns the same warnings as `readingWarnings` for the flags of a whole instance, a few per iteration.
 */
export function* findReadingWarnings(parts: Iterable<StoredPart>): Generator<void, ImportWarning[]> {
  const places = new Map<DifferenceKind, Set<string>>()
  for (const { place, strategies = [], variants = [] } of parts) {
    for (const { kind } of [...strategies.flatMap(listStrategyDifferences), ...listPayloadDifferences(variants)]) {
      places.set(kind, (places.get(kind) ?? new Set()).add(place))
    }
    yield
  }
  return [...places].map(([kind, own]) => ({
    message: `${READ_DIFFERENTLY} ${READING_DIFFERENCES[kind].replace(/\.$/, '')}:`,
    affectedItems: [...own],
  }))
}

const READ_DIFFERENTLY =
  'The following values are stored unchanged, but SDKs or applications may interpret them differently.'

/** Formats warnings for a log or a plain response, with at most `most` items each. */
export function formatWarnings(warnings: readonly ImportWarning[], most = MAX_NAMED): string[] {
  return warnings.map(({ message, affectedItems }) => {
    const more = affectedItems.length - most
    return `${message} ${affectedItems.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  })
}
