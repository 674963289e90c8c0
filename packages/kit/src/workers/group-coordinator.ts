import { type SeriesRegistry, type SeriesSnapshot, seriesText } from '../series/series.ts'
import { lastingSeries, mergeSeries } from '../series/series-merge.ts'
import type { ToPrimary, ToWorker, WorkerChannel } from './messages.ts'

/** What the coordinator stands on. */
export interface GroupCoordinatorDeps<Down, Up> {
  /** How many workers make the group. */
  readonly workers: number
  /** The primary process's own series. */
  readonly registry: SeriesRegistry
  /** What a worker that begins now is to know, in order. */
  readonly news: () => readonly Down[]
  /** Answers a worker; what it throws is told to the worker by `failureOf`. */
  readonly answer: (question: Up) => unknown
  /** What of a failure goes over the link; its message by default. */
  readonly failureOf?: (error: unknown) => unknown
  /** Called when the first worker is ready. */
  readonly onReady: () => void
}

interface Member<Down, Up> {
  readonly channel: WorkerChannel<Down, Up>
  isReady: boolean
  series: readonly SeriesSnapshot[]
  readonly waiting: Map<number, () => void>
}

/** Of a worker that does not send its series in this time, those that it sent last are used. */
const SERIES_LIMIT_MS = 1000

/**
 * What the primary process knows of its workers and passes on: news to every one, answers to each, their series in one
 * text. The group is ready once every worker is, and stays so: a worker that takes the place of another accepts nobody
 * before it is ready.
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

  /** Takes a worker in; call the result when it has gone. */
  join(channel: WorkerChannel<Down, Up>): () => void {
    const member: Member<Down, Up> = { channel, isReady: false, series: [], waiting: new Map() }
    this.#members.add(member)
    channel.listen((message) => this.#hear(member, message))
    return () => this.#leave(member)
  }

  /** Tells every worker. */
  tell(news: Down): void {
    this.#tellAll({ kind: 'news', news })
  }

  /** Every worker reads its secrets again. */
  reload(): void {
    this.#tellAll({ kind: 'reload' })
  }

  /** Asks every worker how it stands, so that little is forgotten when one of them ends. */
  async readSeries(): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.#askSeries(member)))
  }

  /** No worker is ready any more, and each goes on to answer. */
  drain(): void {
    this.#tellAll({ kind: 'drain' })
  }

  #tellAll(message: ToWorker<Down>): void {
    for (const { channel } of this.#members) channel.send(message)
  }

  #hear(member: Member<Down, Up>, message: ToPrimary<Up>): void {
    switch (message.kind) {
      case 'hello':
        member.channel.send({ kind: 'begin', news: this.#deps.news(), isGroupReady: this.#isGroupReady })
        break
      case 'ready':
        this.#ready(member)
        break
      case 'question':
        void this.#answer(member, message.id, async () => this.#deps.answer(message.question))
        break
      case 'series':
        member.series = message.series
        member.waiting.get(message.id)?.()
        break
      case 'series-of-all-wanted':
        void this.#answer(member, message.id, () => this.#seriesOfAll())
    }
  }

  async #answer(member: Member<Down, Up>, id: number, find: () => Promise<unknown>): Promise<void> {
    try {
      member.channel.send({ kind: 'answer', id, answer: await find() })
    } catch (error) {
      const { failureOf = messageOf } = this.#deps
      member.channel.send({ kind: 'answer', id, failure: failureOf(error) })
    }
  }

  #ready(member: Member<Down, Up>): void {
    const wasFirst = ![...this.#members].some(({ isReady }) => isReady)
    member.isReady = true
    if (wasFirst) this.#deps.onReady()
    const ready = [...this.#members].filter(({ isReady }) => isReady).length
    if (this.#isGroupReady || ready < this.#deps.workers) return
    this.#isGroupReady = true
    this.#tellAll({ kind: 'group', isReady: true })
  }

  #leave(member: Member<Down, Up>): void {
    this.#members.delete(member)
    for (const answered of member.waiting.values()) answered()
    this.#departed = mergeSeries([this.#departed, lastingSeries(member.series)])
  }

  async #askSeries(member: Member<Down, Up>): Promise<void> {
    this.#questions += 1
    const id = this.#questions
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, SERIES_LIMIT_MS)
      member.waiting.set(id, () => {
        clearTimeout(timer)
        resolve()
      })
      member.channel.send({ kind: 'series-wanted', id })
    })
    member.waiting.delete(id)
  }

  async #seriesOfAll(): Promise<string> {
    await this.readSeries()
    const present = [...this.#members].map(({ series }) => series)
    return seriesText(mergeSeries([this.#deps.registry.snapshot(), ...present, this.#departed]))
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
