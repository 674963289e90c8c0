import type { Socket } from 'node:net'
import type { SeriesRegistry } from '@burgee/kit/series/series'
import { readDocument } from '@burgee/serving/document/feature-document'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { DocumentTexts } from '@burgee/serving/upstream/document-text'
import type { MetricsPayload } from '../usage/metrics-bucket.ts'
import type { MetricsSink } from '../usage/reporter.ts'
import type { Beginning, Channel, SentConfiguration, ToPrimary, ToWorker } from './messages.ts'
import type { ProcessGroup } from './process-group.ts'

/** What a worker does when the primary process asks. */
export interface WorkerDuties {
  readonly series: () => SeriesRegistry
  readonly reload: () => void
  readonly drain: () => void
  /** Answers a connection of which nothing was read. */
  readonly accept: (socket: Socket) => void
}

/**
 * A worker's end of the link to the primary process. It is to a worker what an upstream over HTTP is to a proxy that is
 * alone: configurations come over it, counts and registration go over it.
 */
export class PrimaryLink implements ConfigurationSource, MetricsSink, ProcessGroup {
  readonly #channel: Channel<ToPrimary, ToWorker>
  #deps: WorkerDuties | undefined
  #listener: ConfigurationListener | undefined
  #configuration: SentConfiguration | undefined
  #isGroupReady = false
  #questions = 0
  readonly #answers = new Map<number, (text: string) => void>()
  #begun: ((beginning: Beginning) => void) | undefined
  #isOpen = false
  readonly #dismissed = Promise.withResolvers<void>()
  /** Texts of the configuration that was read last. */
  readonly #texts = new DocumentTexts()
  /** What is passed on to the listener, one after the other, because reading takes time. */
  #passing: Promise<void> = Promise.resolve()

  constructor(channel: Channel<ToPrimary, ToWorker>) {
    this.#channel = channel
    channel.listen((message, socket) => this.#hear(message, socket))
  }

  /** Resolves when the primary process says that this is the end. */
  get dismissed(): Promise<void> {
    return this.#dismissed.promise
  }

  /** Says hello; resolves once the primary process has told what there is. */
  begin(): Promise<Beginning> {
    const begun = new Promise<Beginning>((resolve) => {
      this.#begun = resolve
    })
    this.#channel.send({ kind: 'hello' })
    return begun
  }

  /** From now on the worker can be asked. */
  serve(deps: WorkerDuties): void {
    this.#deps = deps
  }

  /** From now on connections come. */
  open(): void {
    this.#isOpen = true
    this.#channel.send({ kind: 'open' })
  }

  /** Connections that come nevertheless go back. */
  shut(): void {
    this.#isOpen = false
    this.#channel.send({ kind: 'shut' })
  }

  /** Hands over what has come already and everything that comes later, in order. */
  start(listener: ConfigurationListener): void {
    this.#listener = listener
    if (this.#configuration !== undefined) this.#accept(this.#configuration)
  }

  async stop(): Promise<void> {
    this.#listener = undefined
  }

  /** The primary process registers for all; it wants to know that this worker answers from a configuration. */
  async register(): Promise<void> {
    this.#channel.send({ kind: 'ready' })
  }

  /** Resolves once the primary process has taken the counts over. */
  async send(payload: MetricsPayload): Promise<void> {
    await this.#ask((id) => ({ kind: 'metrics', id, payload }))
  }

  readonly isReady = (): boolean => this.#isGroupReady

  readonly seriesText = (): Promise<string> => this.#ask((id) => ({ kind: 'series-of-all-wanted', id }))

  #ask(question: (id: number) => ToPrimary): Promise<string> {
    this.#questions += 1
    const id = this.#questions
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      this.#channel.send(question(id))
    })
  }

  #answer(id: number, text: string): void {
    this.#answers.get(id)?.(text)
    this.#answers.delete(id)
  }

  #take(socket: Socket | undefined): void {
    const isTaken = this.#isOpen || socket === undefined
    this.#channel.send({ kind: 'connection', isTaken })
    if (isTaken && socket !== undefined) this.#deps?.accept(socket)
    else socket?.destroy()
  }

  #hear(message: ToWorker, socket: Socket | undefined): void {
    switch (message.kind) {
      case 'begin':
        this.#configuration = message.configuration
        this.#isGroupReady = message.isGroupReady
        this.#begun?.(message)
        break
      case 'configuration':
        this.#configuration = message.configuration
        this.#accept(message.configuration)
        break
      case 'confirmed':
        this.#pass(() => this.#listener?.confirm())
        break
      case 'failed':
        this.#pass(() => this.#listener?.fail(new Error(message.message)))
        break
      case 'group':
        this.#isGroupReady = message.isReady
        break
      case 'taken':
        this.#answer(message.id, '')
        break
      case 'series-of-all':
        this.#answer(message.id, message.text)
        break
      case 'series-wanted':
        this.#channel.send({ kind: 'series', id: message.id, series: this.#deps?.series().snapshot() ?? [] })
        break
      case 'reload':
        this.#deps?.reload()
        break
      case 'connection':
        this.#take(socket)
        break
      case 'beat':
        this.#channel.send({ kind: 'beat' })
        break
      case 'drain':
        this.#deps?.drain()
        break
      case 'stop':
        this.#dismissed.resolve()
        break
    }
  }

  /** Reads in slices, so that requests go on meanwhile; parts that are the same as before stay the same objects. */
  #accept({ text, origin }: SentConfiguration): void {
    this.#pass(async () => {
      const value = await this.#texts.read(text)
      this.#listener?.accept(readDocument(value), origin)
    })
  }

  #pass(act: () => void | Promise<void>): void {
    this.#passing = this.#passing.then(act).catch((error: Error) => this.#listener?.fail(error))
  }
}
