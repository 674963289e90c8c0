import type { Debug, Logger } from '@burgee/kit/log/logger'
import type { StoredEvent } from '../../store/events/events.ts'
import type { KeptFile } from '../../store/kept/kept-file.ts'
import type { StateToKeep } from '../../store/kept/kept-state.ts'
import type { TokenCache } from '../access/tokens/token-cache.ts'
import type { Documents } from '../documents/documents.ts'
import type { Settings } from '../settings.ts'
import type { OpenBroadcast } from '../shared-broadcast.ts'

/** What a keeper takes what it keeps from. */
export interface KeeperWorld {
  readonly documents: Pick<Documents, 'states' | 'standings' | 'subscribe'>
  readonly tokens: Pick<TokenCache, 'known'>
  readonly settings: Settings
  readonly broadcast: Pick<OpenBroadcast, 'mark' | 'contact' | 'subscribe'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger: Logger
  readonly debug?: Debug | undefined
}

/** What a keeper did last. */
export interface Keeping {
  /** When the file was written last, in milliseconds since 1970; undefined before. */
  readonly writtenAtMs: number | undefined
  readonly bytes: number
  readonly failures: number
}

const LEAST_PAUSE_MS = 5000
/** A write that takes a second is followed by a pause of twenty at least. */
const PAUSE_PER_WRITE = 20
const LOOK_MS = 5000
/** Tokens are trusted for a day after they were known: what was kept has to say so from time to time. */
const LONGEST_MS = 3_600_000

/**
 * Writes what SDKs are served from to disk, a few seconds after it has changed, so that many changes cost one write; once
 * an hour without a change; and at the end. A token that was deleted is gone from the file before whoever deleted it has
 * the reply, or a second later at the most. What cannot be written is logged when that begins and when it ends, and the
 * file stays as it was.
 */
export class StateKeeper {
  readonly #world: KeeperWorld
  readonly #file: KeptFile
  readonly #ends: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isDue = false
  #earliestMs = 0
  #counts = ''
  #isFailing = false
  #keeping: Keeping = { writtenAtMs: undefined, bytes: 0, failures: 0 }

  constructor(world: KeeperWorld, file: KeptFile) {
    this.#world = world
    this.#file = file
  }

  get keeping(): Keeping {
    return this.#keeping
  }

  /** Writes now what there is, and from now on after each change. */
  start(): void {
    const { documents, broadcast } = this.#world
    const looking = setInterval(() => this.#look(), LOOK_MS).unref()
    this.#ends.push(
      () => clearInterval(looking),
      documents.subscribe(() => this.#due()),
      broadcast.subscribe(
        (events) => this.#heard(events),
        () => this.#due(),
      ),
    )
    this.#due()
  }

  /** Writes the last state. Never rejects. */
  async close(): Promise<void> {
    if (this.#ends.length === 0) return
    for (const end of this.#ends.splice(0)) end()
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
  }

  #heard(events: readonly StoredEvent[]): Promise<void> | undefined {
    if (events.some(({ type }) => type === 'api-token-deleted')) return this.#writeNow()
    if (events.some(({ type }) => type.startsWith('setting-'))) this.#due()
    return undefined
  }

  /** Tokens that were used for the first time, and environments that were asked for, tell nobody. */
  #look(): void {
    const { writtenAtMs = 0 } = this.#keeping
    // a clock that was set back says nothing of when that was
    const isOld = Math.abs(this.#world.clock() - writtenAtMs) >= LONGEST_MS
    const state = isOld ? undefined : this.#state()
    if (isOld || (state !== undefined && countsOf(state) !== this.#counts)) this.#due()
  }

  #due(): void {
    this.#isDue = true
    if (this.#timer !== undefined || this.#writing !== undefined) return
    const waitMs = Math.max(LEAST_PAUSE_MS, this.#earliestMs - performance.now())
    this.#timer = setTimeout(() => void this.#writeNow(), waitMs).unref()
  }

  async #writeNow(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writing
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      if (this.#isDue && this.#ends.length > 0) this.#due()
    })
    await this.#writing
  }

  async #write(): Promise<void> {
    const state = this.#state()
    // what was read in two lives of the database is written once all of it is of one
    if (state === undefined) return
    this.#isDue = false
    const { clock, logger, debug } = this.#world
    const began = performance.now()
    try {
      const written = await this.#file.write(state, clock())
      const { failures } = this.#keeping
      this.#keeping = { writtenAtMs: clock(), bytes: written?.bytes ?? this.#keeping.bytes, failures }
      this.#counts = countsOf(state)
      debug?.(`What SDKs are served from is kept: ${written?.bytes ?? 'another process has written newer'} bytes`)
      if (this.#isFailing) logger.warn('What SDKs are served from can be kept again')
      this.#isFailing = false
    } catch (error) {
      this.#keeping = { ...this.#keeping, failures: this.#keeping.failures + 1 }
      const what = `What SDKs are served from could not be kept in ${this.#file.path}`
      if (!this.#isFailing) logger.warn(`${what}; a start without the database would not have it`, error)
      this.#isFailing = true
      this.#isDue = true
    }
    this.#earliestMs = performance.now() + (performance.now() - began) * PAUSE_PER_WRITE
  }

  /** Undefined where there is nothing of this process, or not of one epoch. */
  #state(): StateToKeep | undefined {
    const { documents, tokens, settings, broadcast } = this.#world
    const mark = broadcast.mark()
    const states = documents.states()
    if (mark === undefined || states.size === 0) return undefined
    if ([...states.values()].some(({ revision }) => revision.epoch !== mark.epoch)) return undefined
    const { lastMs } = broadcast.contact()
    const set = { frontendApiOrigins: settings.frontendApiOrigins(), instanceId: settings.instanceId() }
    return { mark, asOfMs: lastMs, settings: set, tokens: tokens.known(lastMs), documents: states }
  }
}

function countsOf({ documents, tokens }: StateToKeep): string {
  return `${documents.size} ${tokens.length}`
}
