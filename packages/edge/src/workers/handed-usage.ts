import { after } from '@burgee/kit/timer'
import { within } from '@burgee/kit/within'
import { BulkBucket, type BulkPart, type Lane } from '../usage/bulk-bucket.ts'
import { piecesOf } from '../usage/bulk-pieces.ts'
import type { EdgeUsage, UsageStanding } from '../usage/edge-usage.ts'
import type { EdgeQuestion, EdgeReport } from './messages.ts'

/** What handing over needs. */
export interface HandedUsageDeps {
  /** Asks the primary process. */
  readonly ask: (question: EdgeQuestion) => Promise<unknown>
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** How often a worker hands over what SDKs have reported: what a worker that is killed loses at most. */
const HAND_OVER_MS = 1000
/** Of the reports in a message; who brought their names comes on top. */
const MAX_PIECE_BYTES = 45 * 1024
const NOTHING: UsageStanding = {
  waiting: { registrations: 0, flags: 0, names: 0 },
  dropped: 0,
  deliveredAtMs: undefined,
  failures: 0,
}

/**
 * What SDKs report to a worker: gathered here in the same bounds as in the primary process, which gathers it of all
 * workers and hands it on to the upstream. One short message at a time, each once the one before was taken, so that however
 * much somebody reports, nothing piles up on the way and everything else gets through.
 */
export class HandedUsage implements EdgeUsage {
  readonly #ask: HandedUsageDeps['ask']
  readonly #bucket: BulkBucket
  #timer: NodeJS.Timeout | undefined
  #handing: Promise<void> | undefined
  #isClosed = false
  #standing = NOTHING

  constructor({ ask, clock }: HandedUsageDeps) {
    this.#ask = ask
    this.#bucket = new BulkBucket(clock, HAND_OVER_MS)
  }

  /** How many names and registrations were dropped here so far. */
  get dropped(): number {
    return this.#bucket.dropped
  }

  standing(): UsageStanding {
    return this.#standing
  }

  /** How the primary process's reports stand. */
  note(standing: UsageStanding): void {
    this.#standing = standing
  }

  register(...[of, application]: Parameters<EdgeUsage['register']>): void {
    this.#bucket.register(of, application)
    this.#wait()
  }

  count(...[of, appName, counts]: Parameters<EdgeUsage['count']>): void {
    this.#bucket.count(of, appName, counts)
    this.#wait()
  }

  async close(limitMs: number): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const last = async () => {
      await this.#handing
      await this.#handOver()
    }
    await within(limitMs, last()).catch(() => {})
  }

  #wait(): void {
    if (this.#isClosed || this.#handing !== undefined) return
    this.#timer ??= after(HAND_OVER_MS, () => {
      this.#timer = undefined
      this.#handing = this.#handOver().finally(() => {
        this.#handing = undefined
        if (this.#bucket.lanes().size > 0) this.#wait()
      })
    })
  }

  /** Everything of now. Never rejects. */
  async #handOver(): Promise<void> {
    for (const [key, lane] of this.#bucket.lanes()) {
      for (const piece of piecesOf(this.#bucket.take(key), MAX_PIECE_BYTES)) {
        try {
          await this.#ask({ kind: 'reports', reports: reportsOf(lane, piece), owners: this.#bucket.ownersOf(piece) })
        } catch {
          this.#bucket.drop(piece)
        }
      }
    }
  }
}

function reportsOf({ environment, projects }: Lane, { applications, metrics }: BulkPart): EdgeReport[] {
  const lane = { environment, projects }
  const registrations = applications.map(
    ({ appName, instanceId, sdkVersion, strategies }): EdgeReport => ({
      ...{ kind: 'application', lane },
      application: { appName, instanceId, sdkVersion, strategies },
    }),
  )
  const counts = [...Map.groupBy(metrics, ({ appName }) => appName)].map(
    ([appName, rows]): EdgeReport => ({
      ...{ kind: 'counts', lane, appName },
      counts: rows.map(({ featureName, timestamp, yes, no, variants }) => {
        return { name: featureName, at: timestamp, yes, no, variants }
      }),
    }),
  )
  return [...registrations, ...counts]
}
