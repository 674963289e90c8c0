import { formatSeries, type SeriesRegistry, type SeriesSnapshot } from '../series/series.ts'
import { mergeSeries, selectCounters } from '../series/series-merge.ts'
import type { ToPrimary, ToWorker, WorkerChannel } from './messages.ts'

/** Dependencies of the coordinator. */
export interface GroupCoordinatorDeps<Down, Up> {
  /** Number of workers in the group. */
  readonly workers: number
  /** Metrics of the primary process. */
  readonly registry: SeriesRegistry
  /** Returns the state that a new worker needs, as messages in order. */
  readonly initialUpdates: () => readonly Down[]
  /** Answers a worker's question. Errors are converted by `toFailure` and sent to the worker. */
  readonly answer: (question: Up) => unknown
  /** Converts an error to the value that is sent to the worker. Default: the error's message. */
  readonly toFailure?: (error: unknown) => unknown
  /** Called when the first worker is ready. */
  readonly onReady: () => void
}

interface Member<Down, Up> {
  readonly channel: WorkerChannel<Down, Up>
  isReady: boolean
  series: readonly SeriesSnapshot[]
  readonly pendingSeries: Map<number, () => void>
}

/** Time limit for a worker to send its metrics. When it expires, the last metrics that the worker sent are used. */
const SERIES_LIMIT_MS = 1000

/**
 * Coordinates workers from the primary process: broadcasts updates, answers questions, and merges metrics into one
 * text. The group becomes ready once every worker is ready. A group that has become ready stays ready, because a
 * replacement worker accepts no connections before it is ready.
 */
export class GroupCoordinator<Down, Up> {
  readonly #deps: GroupCoordinatorDeps<Down, Up>
  readonly #members = new Set<Member<Down, Up>>()
  #isGroupReady = false
  #departed: readonly SeriesSnapshot[] = []
  #questions = 0

  constructor(deps: GroupCoordinatorDeps<Down, Up>) {
    this.#deps = deps
  }

  /** Adds a worker. Returns a function to call when the worker exits. */
  join(channel: WorkerChannel<Down, Up>): () => void {
    const member: Member<Down, Up> = { channel, isReady: false, series: [], pendingSeries: new Map() }
    this.#members.add(member)
    channel.listen((message) => this.#handleMessage(member, message))
    return () => this.#leave(member)
  }

  /** Broadcasts an update to all workers. */
  broadcast(news: Down): void {
    this.#broadcast({ kind: 'news', news })
  }

  /** Makes all workers reload their secrets. */
  reload(): void {
    this.#broadcast({ kind: 'reload' })
  }

  /** Collects the metrics of all workers. Regular calls limit the counts that are lost when a worker exits. */
  async readSeries(): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.#requestSeries(member)))
  }

  /** Makes all workers report not ready. The workers continue to answer requests. */
  drain(): void {
    this.#broadcast({ kind: 'drain' })
  }

  #broadcast(message: ToWorker<Down>): void {
    for (const { channel } of this.#members) channel.send(message)
  }

  #handleMessage(member: Member<Down, Up>, message: ToPrimary<Up>): void {
    switch (message.kind) {
      case 'hello':
        member.channel.send({ kind: 'begin', news: this.#deps.initialUpdates(), isGroupReady: this.#isGroupReady })
        break
      case 'ready':
        this.#markReady(member)
        break
      case 'question':
        void this.#answer(member, message.id, async () => this.#deps.answer(message.question))
        break
      case 'series':
        member.series = message.series
        member.pendingSeries.get(message.id)?.()
        break
      case 'series-of-all-wanted':
        void this.#answer(member, message.id, () => this.#collectSeries())
    }
  }

  async #answer(member: Member<Down, Up>, id: number, find: () => Promise<unknown>): Promise<void> {
    try {
      member.channel.send({ kind: 'answer', id, answer: await find() })
    } catch (error) {
      const { toFailure = getErrorMessage } = this.#deps
      member.channel.send({ kind: 'answer', id, failure: toFailure(error) })
    }
  }

  #markReady(member: Member<Down, Up>): void {
    const wasFirst = ![...this.#members].some(({ isReady }) => isReady)
    member.isReady = true
    if (wasFirst) this.#deps.onReady()
    const ready = [...this.#members].filter(({ isReady }) => isReady).length
    if (this.#isGroupReady || ready < this.#deps.workers) return
    this.#isGroupReady = true
    this.#broadcast({ kind: 'group', isReady: true })
  }

  #leave(member: Member<Down, Up>): void {
    this.#members.delete(member)
    for (const answered of member.pendingSeries.values()) answered()
    this.#departed = mergeSeries([this.#departed, selectCounters(member.series)])
  }

  async #requestSeries(member: Member<Down, Up>): Promise<void> {
    this.#questions += 1
    const id = this.#questions
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, SERIES_LIMIT_MS)
      member.pendingSeries.set(id, () => {
        clearTimeout(timer)
        resolve()
      })
      member.channel.send({ kind: 'series-wanted', id })
    })
    member.pendingSeries.delete(id)
  }

  async #collectSeries(): Promise<string> {
    await this.readSeries()
    const present = [...this.#members].map(({ series }) => series)
    return formatSeries(mergeSeries([this.#deps.registry.snapshot(), ...present, this.#departed]))
  }
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
