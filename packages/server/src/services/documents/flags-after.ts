import type { DocumentFlag } from '@burgee/serving/document/environment-document'
import type { StoredEvent } from '../../store/events/events.ts'
import type { ChangedFlags } from '../../store/writing/changed-flags.ts'
import type { FlagWish } from './flag-wish.ts'

interface Known {
  /** The last event of the change that has read it; what was committed before that is in it. */
  readonly id: number
  /** Of the database that it was committed to. */
  readonly generation: number
  /** By environment; those in which it was looked at and is not there have none. */
  readonly flags: ReadonlyMap<string, DocumentFlag | undefined>
}

/**
 * How flags are after changes of this node that are just being told: each change has read it with its commit, so who
 * follows the changes need not ask the database. Kept as long as the telling takes.
 */
export class FlagsAfter {
  readonly #known = new Map<string, Known>()
  readonly #generation: () => number

  /** @param generation that of the database now: what another server has committed is not known here */
  constructor(generation: () => number = () => 0) {
    this.#generation = generation
  }

  /** Keeps what a change has read until what this returns is called. */
  keep(events: readonly StoredEvent[], { environments, names, after }: ChangedFlags): () => void {
    if (after === undefined) return () => {}
    const id = Math.max(...events.map((event) => event.id))
    const generation = this.#generation()
    const own = [...names].map((name) => {
      const flags = [...environments].map((environment) => {
        const flag = after.get(environment)?.find(({ feature }) => feature.name === name)
        return [environment, flag] as const
      })
      return [name, { id, generation, flags: new Map(flags) }] as const
    })
    for (const [name, known] of own) {
      const before = this.#known.get(name)
      if (before === undefined || before.generation < generation || before.id < id) this.#known.set(name, known)
    }
    return () => {
      for (const [name, known] of own) if (this.#known.get(name) === known) this.#known.delete(name)
    }
  }

  /** Forgets what these, which are about to be heard, have changed since it was read. */
  outdate(events: readonly StoredEvent[]): void {
    for (const { id, featureName } of events) {
      if (featureName !== null && (this.#known.get(featureName)?.id ?? id) < id) this.#known.delete(featureName)
    }
  }

  /** Flags that are there, of those that are asked for; undefined where one is not known, or more than flags is asked for. */
  find({ environment, names, segments }: FlagWish): readonly DocumentFlag[] | undefined {
    if (segments) return undefined
    const found: DocumentFlag[] = []
    for (const name of names) {
      const known = this.#known.get(name)
      if (known?.generation !== this.#generation() || !known.flags.has(environment)) return undefined
      const flag = known.flags.get(environment)
      if (flag !== undefined) found.push(flag)
    }
    return found
  }

  /** Forgets everything: the database was set back. */
  clear(): void {
    this.#known.clear()
  }
}
