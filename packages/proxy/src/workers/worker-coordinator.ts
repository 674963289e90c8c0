import { type SeriesRegistry, type SeriesSnapshot, seriesText } from '@burgee/kit/series/series'
import { lastingSeries, mergeSeries } from '@burgee/kit/series/series-merge'
import { runAtOnce } from '@burgee/kit/slices'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Intake } from '@burgee/serving/document/intake'
import type { Origin } from '@burgee/serving/document/origin'
import type { MetricsBucket } from '../usage/metrics-bucket.ts'
import type { Beginning, Channel, SentConfiguration, ToPrimary, ToWorker } from './messages.ts'

/** The primary process's end of the link to one worker. */
export type WorkerChannel = Channel<ToWorker, ToPrimary>

/** What the coordinator stands on. */
export interface WorkerCoordinatorDeps {
  /** Decides what workers get of a configuration. */
  readonly intake: Intake
  /** How many workers make the group. */
  readonly workers: number
  /** Where the counts of all workers come together. */
  readonly bucket: Pick<MetricsBucket, 'restore'>
  /** The primary process's own series. */
  readonly registry: SeriesRegistry
  /** Called when the first worker answers from a configuration. */
  readonly onReady: () => void
}

interface Member {
  readonly channel: WorkerChannel
  isReady: boolean
  series: readonly SeriesSnapshot[]
  readonly waiting: Map<number, () => void>
}

/** Of a worker that does not send its series in this time, those that it sent last are used. */
const SERIES_LIMIT_MS = 1000

/**
 * What the primary process knows and passes on: the current configuration to every worker, their counts into one bucket,
 * their series into one text. The group is ready once every worker is, and stays so: a worker that takes the place of
 * another accepts nobody before it has the configuration.
 */
export class WorkerCoordinator {
  readonly #deps: WorkerCoordinatorDeps
  readonly #members = new Set<Member>()
  #configuration: SentConfiguration | undefined
  #isGroupReady = false
  #departed: readonly SeriesSnapshot[] = []
  #questions = 0

  constructor(deps: WorkerCoordinatorDeps) {
    this.#deps = deps
  }

  /** Takes a worker in; call the result when it has gone. */
  join(channel: WorkerChannel): () => void {
    const member: Member = { channel, isReady: false, series: [], waiting: new Map() }
    this.#members.add(member)
    channel.listen((message) => this.#hear(member, message))
    return () => this.#leave(member)
  }

  /** Passes a configuration on, as far as it is taken, and answers what that is; undefined where it is not used. */
  replace(next: FeatureDocument, origin: Origin): FeatureDocument | undefined {
    const document = runAtOnce(this.#deps.intake.take(next, origin))
    if (document === undefined) return undefined
    this.#configuration = { text: JSON.stringify(document), origin }
    this.#tellAll({ kind: 'configuration', configuration: this.#configuration })
    return document
  }

  /** The upstream has confirmed the configuration in use. */
  confirm(): void {
    this.#tellAll({ kind: 'confirmed' })
  }

  /** An attempt to reach the upstream failed. */
  fail(error: Error): void {
    this.#tellAll({ kind: 'failed', message: error.message })
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

  #tellAll(message: ToWorker): void {
    for (const { channel } of this.#members) channel.send(message)
  }

  #hear(member: Member, message: ToPrimary): void {
    switch (message.kind) {
      case 'hello':
        member.channel.send({ kind: 'begin', ...this.#beginning() })
        break
      case 'ready':
        this.#ready(member)
        break
      case 'metrics':
        this.#deps.bucket.restore(message.payload)
        member.channel.send({ kind: 'taken', id: message.id })
        break
      case 'series':
        member.series = message.series
        member.waiting.get(message.id)?.()
        break
      case 'series-of-all-wanted':
        void this.#tellSeries(member, message.id)
    }
  }

  #beginning(): Beginning {
    return { configuration: this.#configuration, isGroupReady: this.#isGroupReady }
  }

  #ready(member: Member): void {
    const wasFirst = ![...this.#members].some(({ isReady }) => isReady)
    member.isReady = true
    if (wasFirst) this.#deps.onReady()
    const ready = [...this.#members].filter(({ isReady }) => isReady).length
    if (this.#isGroupReady || ready < this.#deps.workers) return
    this.#isGroupReady = true
    this.#tellAll({ kind: 'group', isReady: true })
  }

  #leave(member: Member): void {
    this.#members.delete(member)
    for (const answered of member.waiting.values()) answered()
    this.#departed = mergeSeries([this.#departed, lastingSeries(member.series)])
  }

  async #askSeries(member: Member): Promise<void> {
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

  async #tellSeries(member: Member, id: number): Promise<void> {
    await this.readSeries()
    const present = [...this.#members].map(({ series }) => series)
    const all = mergeSeries([this.#deps.registry.snapshot(), ...present, this.#departed])
    member.channel.send({ kind: 'series-of-all', id, text: seriesText(all) })
  }
}
