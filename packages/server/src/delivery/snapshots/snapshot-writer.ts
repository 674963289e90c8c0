import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { SnapshotFile } from '@burgee/storage/queries/snapshot/snapshot-file'
import type { SnapshotState } from '@burgee/storage/queries/snapshot/snapshot-state'
import type { TokenCache } from '../../core/access/tokens/token-cache.ts'
import type { Settings } from '../../core/settings.ts'
import type { Documents } from '../documents/documents.ts'
import type { OpenBroadcast } from '../events/shared-broadcast.ts'

/** Sources of the state to be saved. */
export interface SnapshotSources {
  readonly documents: Pick<Documents, 'states' | 'statuses' | 'subscribe'>
  readonly tokens: Pick<TokenCache, 'listTrusted'>
  readonly settings: Settings
  readonly broadcast: Pick<OpenBroadcast, 'position' | 'contact' | 'subscribe'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
}

/** Result of the latest writes. */
export interface SnapshotWriterStatus {
  /** Time of the last write in milliseconds since 1970; undefined before the first. */
  readonly writtenAtMs: number | undefined
  readonly bytes: number
  readonly failures: number
}

const MIN_PAUSE_MS = 5000
/** Minimum pause after a write, as a multiple of that write's duration. */
const PAUSE_PER_WRITE = 20
const POLL_MS = 5000
/**
 * Maximum age of the snapshot file. The file must be renewed even without changes, because a token is trusted for only
 * a day after its last confirmation.
 */
const MAX_AGE_MS = 3_600_000

/**
 * Writes to disk the state that SDKs are served. Writes a few seconds after a change, so that several changes cause
 * only one write. Without changes, writes once an hour. Also writes on close. A deleted token is removed from the file
 * before the deletion is confirmed or, if that takes too long, a second later. Logs when writes begin to fail and when
 * writes work again. While writes fail, the file retains its last content.
 */
export class SnapshotWriter {
  readonly #world: SnapshotSources
  readonly #file: SnapshotFile
  readonly #ends: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isDue = false
  #earliestMs = 0
  #counts = ''
  readonly #outage: OutageLog
  #status: SnapshotWriterStatus = { writtenAtMs: undefined, bytes: 0, failures: 0 }

  constructor(world: SnapshotSources, file: SnapshotFile) {
    this.#world = world
    this.#file = file
    const failure = `Cannot write the snapshot ${file.path}`
    this.#outage = new OutageLog({
      begins: (error) =>
        world.logger.warn(`${failure}; a start without the database would serve an older state`, error),
      ends: () => world.logger.warn('Snapshot writes recovered'),
    })
  }

  get status(): SnapshotWriterStatus {
    return this.#status
  }

  /** Writes the current state, and starts to write it after each change. */
  start(): void {
    const { documents, broadcast } = this.#world
    const looking = setInterval(() => this.#poll(), POLL_MS).unref()
    this.#ends.push(
      () => clearInterval(looking),
      documents.subscribe(() => this.#schedule()),
      broadcast.subscribe(
        (events) => this.#onEvents(events),
        () => this.#schedule(),
      ),
    )
    this.#schedule()
  }

  /** Writes the final state. Never rejects. */
  async close(): Promise<void> {
    if (this.#ends.length === 0) return
    for (const end of this.#ends.splice(0)) end()
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
  }

  #onEvents(events: readonly StoredEvent[]): Promise<void> | undefined {
    if (events.some(({ type }) => type === 'api-token-deleted')) return this.#writeNow()
    if (events.some(({ type }) => type.startsWith('setting-'))) this.#schedule()
    return undefined
  }

  /**
   * Checks for changes about which there are no events: tokens used for the first time, and environments requested for
   * the first time.
   */
  #poll(): void {
    const { writtenAtMs = 0 } = this.#status
    // compare the absolute difference, because the clock may have been set back
    const isOld = Math.abs(this.#world.clock() - writtenAtMs) >= MAX_AGE_MS
    const state = isOld ? undefined : this.#state()
    if (isOld || (state !== undefined && formatCounts(state) !== this.#counts)) this.#schedule()
  }

  #schedule(): void {
    this.#isDue = true
    if (this.#timer !== undefined || this.#writing !== undefined) return
    const waitMs = Math.max(MIN_PAUSE_MS, this.#earliestMs - performance.now())
    this.#timer = setTimeout(() => void this.#writeNow(), waitMs).unref()
  }

  async #writeNow(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writing
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      if (this.#isDue && this.#ends.length > 0) this.#schedule()
    })
    await this.#writing
  }

  async #write(): Promise<void> {
    const state = this.#state()
    // never write a state that mixes two database epochs; wait until all parts belong to the same one
    if (state === undefined) return
    this.#isDue = false
    const { clock, debug } = this.#world
    const began = performance.now()
    try {
      const written = await this.#file.write(state, clock())
      const { failures } = this.#status
      this.#status = { writtenAtMs: clock(), bytes: written?.bytes ?? this.#status.bytes, failures }
      this.#counts = formatCounts(state)
      debug?.(`Snapshot written: ${written?.bytes ?? 'another process has written newer'} bytes`)
      this.#outage.succeed()
    } catch (error) {
      this.#status = { ...this.#status, failures: this.#status.failures + 1 }
      this.#outage.fail(error)
      this.#isDue = true
    }
    this.#earliestMs = performance.now() + (performance.now() - began) * PAUSE_PER_WRITE
  }

  /**
   * Returns the state. Returns undefined if this process has no state yet, or if its parts belong to two database
   * epochs.
   */
  #state(): SnapshotState | undefined {
    const { documents, tokens, settings, broadcast } = this.#world
    const mark = broadcast.position()
    const states = documents.states()
    if (mark === undefined || states.size === 0) return undefined
    if ([...states.values()].some(({ revision }) => revision.epoch !== mark.epoch)) return undefined
    const { lastMs } = broadcast.contact()
    const set = { frontendApiOrigins: settings.frontendApiOrigins(), instanceId: settings.instanceId() }
    return { mark, asOfMs: lastMs, settings: set, tokens: tokens.listTrusted(lastMs), documents: states }
  }
}

function formatCounts({ documents, tokens }: SnapshotState): string {
  return `${documents.size} ${tokens.length}`
}
