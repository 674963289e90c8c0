import type { DocumentFlag } from '@burgee/serving/document/environment-document'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { ChangedFlags } from '@burgee/storage/transactions/changed-flags'
import type { FlagRequest } from './flag-request.ts'

interface CommittedFlagStates {
  /** Id of the last event of the change that read the flag. The state includes all changes up to this event. */
  readonly id: number
  /** Database generation that the change was committed to. */
  readonly generation: number
  /** Flag by environment; undefined if the flag does not exist there. */
  readonly flags: ReadonlyMap<string, DocumentFlag | undefined>
}

/**
 * States of flags right after changes of this node, for use while the changes are being published. A change reads its
 * flags together with its commit, so that documents and catalogs need no query to follow the change. States are dropped
 * once the change is published.
 */
export class CommittedFlags {
  readonly #states = new Map<string, CommittedFlagStates>()
  readonly #generation: () => number

  /** @param generation current database generation; states from another generation are ignored */
  constructor(generation: () => number = () => 0) {
    this.#generation = generation
  }

  /** Stores the flags that a change has read. The caller must call the returned function to drop them. */
  keep(events: readonly StoredEvent[], { environments, names, committed }: ChangedFlags): () => void {
    if (committed === undefined) return () => {}
    const id = events.reduce((last, event) => Math.max(last, event.id), 0)
    const generation = this.#generation()
    const own = [...names].map((name) => {
      const flags = [...environments].map((environment) => {
        const flag = committed.get(environment)?.find(({ feature }) => feature.name === name)
        return [environment, flag] as const
      })
      return [name, { id, generation, flags: new Map(flags) }] as const
    })
    for (const [name, known] of own) {
      const before = this.#states.get(name)
      if (before === undefined || before.generation < generation || before.id < id) this.#states.set(name, known)
    }
    return () => {
      for (const [name, known] of own) if (this.#states.get(name) === known) this.#states.delete(name)
    }
  }

  /** Removes flags that have changed since they were stored, according to events about to be published. */
  invalidate(events: readonly StoredEvent[]): void {
    for (const { id, featureName } of events) {
      if (featureName !== null && (this.#states.get(featureName)?.id ?? id) < id) this.#states.delete(featureName)
    }
  }

  /**
   * Returns those of the requested flags that exist. Returns undefined if the state of a requested flag is unknown, or
   * if segments are requested.
   */
  find({ environment, names, segments }: FlagRequest): readonly DocumentFlag[] | undefined {
    if (segments) return undefined
    const found: DocumentFlag[] = []
    for (const name of names) {
      const known = this.#states.get(name)
      if (known?.generation !== this.#generation() || !known.flags.has(environment)) return undefined
      const flag = known.flags.get(environment)
      if (flag !== undefined) found.push(flag)
    }
    return found
  }

  /** Drops all states, because the database was restored. */
  clear(): void {
    this.#states.clear()
  }
}
