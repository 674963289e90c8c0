import { formatSeries, type SeriesRegistry, type SeriesSnapshot } from '../series/series.ts'
import { mergeSeries, selectCounters } from '../series/series-merge.ts'
import type { ToPrimary, ToWorker, WorkerChannel } from './messages.ts'

/** Dependencies of the coordinator. */
export interface GroupCoordinatorDeps<Down, Up> {
  /** Number of workers in the group. */
  readonly workers: number
  /** Metrics of the primary process. */
  readonly registry: SeriesRegistry
  /** Returns the messages, in order, from which a new worker gets the current state. */
  readonly initialUpdates: () => readonly Down[]
  /** Answers a question that a worker has asked. An error is converted by `toFailure` and sent to the worker. */
  readonly answer: (question: Up) => unknown
  /** Converts an error to the value that is sent to the worker. By default, this is the message of the error. */
  readonly toFailure?: (error: unknown) => unknown
  /** Called once the first worker is ready. */
  readonly onReady: () => void
}

interface Member<Down, Up> {
  readonly channel: WorkerChannel<Down, Up>
  isReady: boolean
  series: readonly SeriesSnapshot[]
  readonly pendingSeries: Map<number, () => void>
}

/**
 * Time in milliseconds within which a worker must send its metrics. If it does not, the metrics that it last sent are
 * used.
 */
const SERIES_LIMIT_MS = 1000

/**
 * Coordinates workers from the primary process: broadcasts updates, answers questions, and merges metrics into one
 * text. The group becomes ready once every worker is ready. Once the group is ready, it stays ready, because a
 * replacement worker accepts no connections before it is ready itself.
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

  /** Adds a worker. Returns a function that must be called when the worker exits. */
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

  /**
   * Collects the current metrics of all workers. If a worker exits, only the counts since the last call are lost, so
   * this method is called regularly.
   */
  async readSeries(): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.#requestSeries(member)))
  }

  /** Makes all workers report "not ready". The workers continue to answer requests. */
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
