import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { FlagOverride } from '@burgee/protocol/administration/test-run'
import { createSharedEntry, type DocumentState, type FlagEntry } from '../document/environment-document.ts'
import { overrideFlag } from './overridden-flag.ts'

/** Parts of a test run from which its document is computed. */
export interface OverridingRun {
  readonly id: string
  readonly project: string
  readonly overrides: Readonly<Record<string, FlagOverride>>
  /** Starts at 1, and grows with each change of the overrides. */
  readonly version: number
}

interface CachedState {
  /** Run with the overrides of the document. */
  run: OverridingRun
  readonly base: DocumentState
  readonly state: DocumentState
  /** Overridden flags, with the flag of the environment that each one overrides. */
  readonly overridden: ReadonlyMap<FlagEntry, FlagEntry>
}

const MAX_STATES = { entries: 500, bytes: 32 * 1024 * 1024 }
/** Approximate memory of a flag that a state shares with its environment. */
const SHARED_FLAG_BYTES = 8
/** Approximate memory of a flag with an override, besides its JSON. */
const OVERRIDDEN_FLAG_BYTES = 300

/**
 * Documents of test runs: the flags of the project in the environment, with the overrides on top. A document is
 * computed when it is requested, and shares all flags without an override with the environment.
 */
export class RunStates {
  readonly #states = new BoundedCache<CachedState>(MAX_STATES)
  /** Version of the last computed document. Versions are unique among all runs of the process. */
  #lastVersion = 0

  /** Number of documents that were computed so far. */
  get computed(): number {
    return this.#lastVersion
  }

  /** Size of the cached documents in bytes. */
  get bytes(): number {
    return this.#states.bytes
  }

  /** Returns the document of a run for a state of its environment. */
  get(run: OverridingRun, base: DocumentState): DocumentState {
    const before = this.#states.get(run.id)
    const isSame = before !== undefined && hasSameOverrides(before.run, run)
    if (isSame && before.base === base) {
      before.run = run
      return before.state
    }
    const known = isSame ? before.overridden : undefined
    const overridden = new Map<FlagEntry, FlagEntry>()
    const flags = base.flags
      .filter(({ project }) => project === run.project)
      .map((entry) => {
        const override = Object.hasOwn(run.overrides, entry.name) ? run.overrides[entry.name] : undefined
        if (override === undefined) return entry
        const made = known?.get(entry) ?? createOverriddenEntry(entry, override)
        overridden.set(entry, made)
        return made
      })
    this.#lastVersion += 1
    // the sum grows with each change of the run or the environment, and is the same on all nodes
    const revision = { ...base.revision, id: base.revision.id + run.version }
    const state = { version: this.#lastVersion, revision, flags, segments: base.segments, changes: [] }
    this.#states.set(run.id, { run, base, state, overridden }, estimateBytes(flags.length, overridden))
    return state
  }
}

/** Compares the overrides, too: after a restore of the database, a version can come again with other overrides. */
function hasSameOverrides(one: OverridingRun, other: OverridingRun): boolean {
  if (one === other) return true
  return one.version === other.version && JSON.stringify(one.overrides) === JSON.stringify(other.overrides)
}

function createOverriddenEntry({ feature, tags }: FlagEntry, override: FlagOverride): FlagEntry {
  return createSharedEntry({ feature: overrideFlag(feature, override), tags })
}

function estimateBytes(flags: number, overridden: ReadonlyMap<FlagEntry, FlagEntry>): number {
  let bytes = flags * SHARED_FLAG_BYTES
  for (const { json } of overridden.values()) bytes += OVERRIDDEN_FLAG_BYTES + json.length
  return bytes
}
