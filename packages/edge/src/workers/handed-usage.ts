import { after } from '@burgee/kit/timer'
import { within } from '@burgee/kit/within'
import type { EdgeUsage, ReportedApplication, ReportedCounts, UsageStanding } from '../usage/edge-usage.ts'
import type { EdgeQuestion, EdgeReport, ReportLane } from './messages.ts'

/** How often a worker hands over what SDKs have reported: what a worker that is killed loses at most. */
const HAND_OVER_MS = 1000
/** Handed over at once. */
const MOST_REPORTS = 1000
const NOTHING: UsageStanding = {
  waiting: { registrations: 0, flags: 0, names: 0 },
  dropped: 0,
  deliveredAtMs: undefined,
  failures: 0,
}

/** What SDKs report to a worker: the primary process gathers it of all, and hands it on to the upstream. */
export class HandedUsage implements EdgeUsage {
  readonly #ask: (question: EdgeQuestion) => Promise<unknown>
  #reports: EdgeReport[] = []
  #timer: NodeJS.Timeout | undefined
  #handing: Promise<unknown> = Promise.resolve()
  #standing = NOTHING

  constructor(ask: (question: EdgeQuestion) => Promise<unknown>) {
    this.#ask = ask
  }

  standing(): UsageStanding {
    return this.#standing
  }

  /** How the primary process's reports stand. */
  note(standing: UsageStanding): void {
    this.#standing = standing
  }

  register({ environment, projects }: ReportLane, application: ReportedApplication): void {
    this.#add({ kind: 'application', lane: { environment, projects }, application })
  }

  count({ environment, projects }: ReportLane, appName: string, counts: readonly ReportedCounts[]): void {
    this.#add({ kind: 'counts', lane: { environment, projects }, appName, counts })
  }

  async close(limitMs: number): Promise<void> {
    this.#handOver()
    await within(limitMs, this.#handing).catch(() => {})
  }

  #add(report: EdgeReport): void {
    this.#reports.push(report)
    if (this.#reports.length >= MOST_REPORTS) this.#handOver()
    else this.#timer ??= after(HAND_OVER_MS, () => this.#handOver())
  }

  #handOver(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const reports = this.#reports
    this.#reports = []
    if (reports.length > 0) this.#handing = Promise.all([this.#handing, this.#ask({ kind: 'reports', reports })])
  }
}
