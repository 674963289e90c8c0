import { hash } from 'node:crypto'
import type { Feature } from '@burgee/protocol/feature'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Pair } from './definition-difference.ts'

/**
 * Pairs of definitions that gave equal results, so that an environment with the same pair is not compared again. In
 * most installations, most flags have the same state in most environments.
 */
export class EqualPairs {
  readonly #known = new Map<string, Set<string>>()

  /** Returns a lookup for the flags in two documents. */
  index(documents: Pair<FeatureDocument>): PairIndex {
    return new PairIndex(documents, this.#known)
  }
}

/** Flags in two documents by name, with the definitions that their decisions depend on. */
export class PairIndex {
  readonly #known: Map<string, Set<string>>
  readonly #sides: readonly ReadonlyMap<string, Feature>[]
  readonly #segments: string

  constructor({ a, b }: Pair<FeatureDocument>, known: Map<string, Set<string>>) {
    this.#known = known
    this.#sides = [a, b].map(({ features }) => new Map(features.map((feature) => [feature.name, feature])))
    this.#segments = hashText(JSON.stringify([a.segments, b.segments]))
  }

  /** Returns true if at least one side has the flag. */
  has(name: string): boolean {
    return this.#sides.some((side) => side.has(name))
  }

  /** Returns true if the same pair was found equal before. */
  isKnown(name: string): boolean {
    return this.#known.get(name)?.has(this.#getKey(name)) === true
  }

  /** Remembers that both sides of a flag are equal. */
  add(name: string): void {
    const keys = this.#known.get(name) ?? new Set<string>()
    this.#known.set(name, keys.add(this.#getKey(name)))
  }

  /**
   * Returns a key. Two keys are equal only if all definitions that decide the flag are equal, including parents and
   * segments.
   */
  #getKey(name: string): string {
    const names = new Set([name])
    const parts: string[] = [this.#segments]
    for (const one of names) {
      for (const side of this.#sides) {
        const feature = side.get(one)
        parts.push(JSON.stringify(feature) ?? '')
        for (const { feature: parent } of feature?.dependencies ?? []) names.add(parent)
      }
    }
    return hashText(parts.join('\n'))
  }
}

function hashText(text: string): string {
  return hash('sha256', text, 'base64')
}
