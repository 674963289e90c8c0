import type { Logger } from '@burgee/kit/log/logger'
import type { Counter } from '@burgee/kit/series/series'
import { Throttle } from '@burgee/kit/throttle'
import { after } from '@burgee/kit/timer'
import { within } from '@burgee/kit/within'
import type { MailTemplate } from './mail-templates.ts'
import { type Letter, MailRefused, reasonOf, type Send } from './smtp.ts'

/** Creates the text of a mail just before the mail is sent. Resolves to undefined if it need not be sent any more. */
export type Write = () => Promise<Letter | undefined>

/** Dependencies of the mail queue. */
export interface MailQueueDeps {
  readonly send: Send
  readonly logger: Logger
  /** Pauses after failed attempts of one mail; after the last one, the mail is given up. */
  readonly pausesMs: readonly number[]
  /** Counter by `template` and `result`: success, retry, failure, dropped. */
  readonly mails: Counter
}

/** Default pauses; somewhat more than half an hour in total, because late links are of little use. */
export const MAIL_PAUSES_MS = [5, 30, 120, 600, 1200].map((seconds) => seconds * 1000)
const MOST_MAILS = 1000
const AT_ONCE = 4
const LONGEST_END_MS = 2000

interface Waiting {
  readonly template: MailTemplate
  readonly write: Write
  letter?: Letter | undefined
  tries: number
}

/**
 * Sends mails in the background, a few at a time. The queue is in memory only: links contain secrets that the database
 * stores as digests, and a user who gets no mail can request another one. Never rejects, never throws.
 */
export class MailQueue {
  readonly #deps: MailQueueDeps
  readonly #ready: Waiting[] = []
  readonly #pausing = new Map<Waiting, NodeJS.Timeout>()
  readonly #busy = new Set<Promise<void>>()
  readonly #throttle = new Throttle()
  #isClosed = false

  constructor(deps: MailQueueDeps) {
    this.#deps = deps
  }

  /** Queues a mail; returns false if the queue is full. */
  add(template: MailTemplate, write: Write): boolean {
    if (this.#isClosed || this.#ready.length + this.#pausing.size + this.#busy.size >= MOST_MAILS) {
      this.#count(template, 'dropped')
      this.#warn('full', `A mail (${template}) is not sent: ${MOST_MAILS} wait already`)
      return false
    }
    this.#ready.push({ template, write, tries: 0 })
    this.#work()
    return true
  }

  /** Sends no further mail and waits for those in progress, two seconds at most. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#pausing.values()) clearTimeout(timer)
    const left = this.#ready.length + this.#pausing.size
    if (left > 0) this.#deps.logger.warn(`${left} mails were not sent before the end`)
    await within(LONGEST_END_MS, Promise.all(this.#busy)).catch(() => {})
  }

  #work(): void {
    while (!this.#isClosed && this.#busy.size < AT_ONCE) {
      const next = this.#ready.shift()
      if (next === undefined) return
      const work = this.#try(next).finally(() => {
        this.#busy.delete(work)
        this.#work()
      })
      this.#busy.add(work)
    }
  }

  async #try(waiting: Waiting): Promise<void> {
    const { send } = this.#deps
    try {
      waiting.letter ??= await waiting.write()
      if (waiting.letter === undefined) return
      await send(waiting.letter)
      this.#count(waiting.template, 'success')
    } catch (error) {
      this.#failed(waiting, error)
    }
  }

  #failed(waiting: Waiting, error: unknown): void {
    const { pausesMs } = this.#deps
    const pauseMs = error instanceof MailRefused || this.#isClosed ? undefined : pausesMs[waiting.tries]
    waiting.tries += 1
    const what = `A mail (${waiting.template}) could not be sent: ${reasonOf(error)}`
    if (pauseMs === undefined) {
      this.#count(waiting.template, 'failure')
      this.#warn('failure', `${what}. It is given up after ${waiting.tries} tries`)
      return
    }
    this.#count(waiting.template, 'retry')
    this.#warn('retry', `${what}. It is tried again in ${Math.ceil(pauseMs / 1000)} s`)
    const again = after(pauseMs, () => {
      this.#pausing.delete(waiting)
      this.#ready.push(waiting)
      this.#work()
    }).unref()
    this.#pausing.set(waiting, again)
  }

  #count(template: MailTemplate, result: string): void {
    this.#deps.mails.add(1, { template, result })
  }

  #warn(kind: string, text: string): void {
    const more = this.#throttle.pass(kind)
    if (more !== undefined) this.#deps.logger.warn(`${text}${more}`)
  }
}
