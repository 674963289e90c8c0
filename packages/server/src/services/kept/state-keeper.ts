import type { Debug, Logger } from '@burgee/kit/log/logger'
import type { StoredEvent } from '../../store/events/events.ts'
import type { KeptFile } from '../../store/kept/kept-file.ts'
import type { StateToKeep } from '../../store/kept/kept-state.ts'
import type { TokenCache } from '../access/tokens/token-cache.ts'
import type { Documents } from '../documents/documents.ts'
import type { Settings } from '../settings.ts'
import type { OpenBroadcast } from '../shared-broadcast.ts'

/** Sources of the state to save. */
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

/** Result of the last writes. */
export interface Keeping {
  /** Time of the last write in milliseconds since 1970; undefined before the first. */
  readonly writtenAtMs: number | undefined
  readonly bytes: number
  readonly failures: number
}

const LEAST_PAUSE_MS = 5000
/** Minimum pause after a write, as a multiple of the write's duration. */
const PAUSE_PER_WRITE = 20
const LOOK_MS = 5000
/**
 * Maximum age of the file. Tokens are trusted for a day after their confirmation, so the file must be renewed
 * periodically.
 */
const LONGEST_MS = 3_600_000

/**
 * Writes the state that SDKs are served from to disk: a few seconds after a change, so that several changes cost one
 * write, once an hour without changes, and on close. A deleted token is removed from the file before the reply to the
 * deletion, or at most a second later. Logs when writes start to fail and when they recover; while writes fail, the
 * file keeps its last content.
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

  /** Writes the current state, and writes it again after each change. */
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

  /** Writes the final state. Never rejects. */
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

  /**
   * Checks for changes that cause no notification: tokens used for the first time, and newly requested environments.
   */
  #look(): void {
    const { writtenAtMs = 0 } = this.#keeping
    // absolute difference, because the clock may have been set back
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
    // do not write a state that mixes two database epochs; wait until all of it belongs to one epoch
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

  /** Returns the state; undefined if this process has none yet, or if it spans two epochs. */
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
