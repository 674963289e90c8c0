import type { Socket } from 'node:net'
import type { SeriesRegistry } from '../series/series.ts'
import type { InitialState, PrimaryChannel, ToPrimary, ToWorker } from './messages.ts'
import type { ProcessGroup } from './process-group.ts'

/** Callbacks for messages from the primary process. */
export interface WorkerCallbacks {
  readonly series: () => SeriesRegistry
  readonly reload: () => void
  readonly drain: () => void
  /** Handles a connection from which nothing has been read yet. */
  readonly accept: (socket: Socket) => void
}

interface PendingQuestion {
  readonly resolve: (answer: unknown) => void
  readonly reject: (failure: unknown) => void
}

/**
 * A worker's side of the link to its primary process. Receives updates and connections from the primary process, and
 * sends questions to it.
 */
export class GroupLink<Down, Up> implements ProcessGroup {
  readonly #channel: PrimaryChannel<Down, Up>
  readonly #onUpdate: (news: Down) => void
  #duties: WorkerCallbacks | undefined
  #isGroupReady = false
  #questions = 0
  readonly #pending = new Map<number, PendingQuestion>()
  #onBegin: ((beginning: InitialState<Down>) => void) | undefined
  #isOpen = false
  readonly #dismissed = Promise.withResolvers<void>()

  /** @param onUpdate called for each update in order, beginning with the initial state */
  constructor(channel: PrimaryChannel<Down, Up>, onUpdate: (news: Down) => void) {
    this.#channel = channel
    this.#onUpdate = onUpdate
    channel.listen((message, socket) => this.#handleMessage(message, socket))
  }

  /** Resolves when the primary process has asked the worker to stop. */
  get dismissed(): Promise<void> {
    return this.#dismissed.promise
  }

  /** Sends `hello`; resolves with the initial state that the primary process sends. */
  begin(): Promise<InitialState<Down>> {
    const begun = new Promise<InitialState<Down>>((resolve) => {
      this.#onBegin = resolve
    })
    this.#channel.send({ kind: 'hello' })
    return begun
  }

  /** Sets the callbacks for messages from the primary process. */
  serve(duties: WorkerCallbacks): void {
    this.#duties = duties
  }

  /** Requests connections. */
  open(): void {
    this.#isOpen = true
    this.#channel.send({ kind: 'open' })
  }

  /** Stops requesting connections. Connections that arrive afterwards are given back. */
  shut(): void {
    this.#isOpen = false
    this.#channel.send({ kind: 'shut' })
  }

  /** Reports that the worker is ready to answer requests. */
  ready(): void {
    this.#channel.send({ kind: 'ready' })
  }

  /**
   * Sends a question to the primary process. Resolves with the answer, or rejects with the failure that the primary
   * process reports.
   */
  ask(question: Up): Promise<unknown> {
    return this.#ask((id) => ({ kind: 'question', id, question }))
  }

  readonly isReady = (): boolean => this.#isGroupReady

  readonly seriesText = async (): Promise<string> =>
    String(await this.#ask((id) => ({ kind: 'series-of-all-wanted', id })))

  #ask(question: (id: number) => ToPrimary<Up>): Promise<unknown> {
    this.#questions += 1
    const id = this.#questions
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#channel.send(question(id))
    })
  }

  #take(socket: Socket | undefined): void {
    const isTaken = this.#isOpen || socket === undefined
    this.#channel.send({ kind: 'connection', isTaken })
    if (isTaken && socket !== undefined) this.#duties?.accept(socket)
    else socket?.destroy()
  }

  #handleMessage(message: ToWorker<Down>, socket: Socket | undefined): void {
    switch (message.kind) {
      case 'begin':
        this.#isGroupReady = message.isGroupReady
        for (const news of message.news) this.#onUpdate(news)
        this.#onBegin?.(message)
        break
      case 'news':
        this.#onUpdate(message.news)
        break
      case 'group':
        this.#isGroupReady = message.isReady
        break
      case 'answer':
        this.#settle(message)
        break
      case 'series-wanted':
        this.#channel.send({ kind: 'series', id: message.id, series: this.#duties?.series().snapshot() ?? [] })
        break
      case 'reload':
        this.#duties?.reload()
        break
      case 'connection':
        this.#take(socket)
        break
      case 'beat':
        this.#channel.send({ kind: 'beat' })
        break
      case 'drain':
        this.#duties?.drain()
        break
      case 'stop':
        this.#dismissed.resolve()
        break
    }
  }

  #settle({ id, answer, failure }: Extract<ToWorker<Down>, { kind: 'answer' }>): void {
    const requested = this.#pending.get(id)
    this.#pending.delete(id)
    if (failure === undefined) requested?.resolve(answer)
    else requested?.reject(failure)
  }
}
