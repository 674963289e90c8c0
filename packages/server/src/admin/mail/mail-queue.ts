import type { Logger } from '@burgee/kit/log/logger'
import type { Counter, SeriesRegistry } from '@burgee/kit/series/series'
import { Throttle } from '@burgee/kit/throttle'
import { startTimer } from '@burgee/kit/timer'
import { withTimeout } from '@burgee/kit/with-timeout'
import { MAIL_TEMPLATES, type MailTemplate } from './mail-templates.ts'
import { describeError, type EmailMessage, MailRejected, type Send } from './smtp.ts'

/** Creates the text of a mail just before the mail is sent. Resolves to undefined if the mail is no longer needed. */
export type Write = () => Promise<EmailMessage | undefined>

/** Dependencies of the mail queue. */
export interface MailQueueDeps {
  readonly send: Send
  readonly logger: Logger
  /** Pauses after failed attempts to send a mail. After the last pause, the mail is dropped. */
  readonly pausesMs: readonly number[]
  /** Counter of mails by `template` and `result`: success, retry, failure, dropped. */
  readonly mails: Counter
}

const RESULTS = ['success', 'retry', 'failure', 'dropped']

/** Creates the counter of mails by template and result. */
export function createMailCounter(registry: SeriesRegistry): Counter {
  const templates = Object.keys(MAIL_TEMPLATES)
  return registry.counterFromZero(
    'burgee_mails_total',
    'Mails by template and result: success, retry, failure (no further retry), dropped.',
    templates.flatMap((template) => RESULTS.map((result) => ({ template, result }))),
  )
}

/**
 * Default pauses, which add up to somewhat more than half an hour, because the links in mails are of little use later.
 */
export const MAIL_PAUSES_MS = [5, 30, 120, 600, 1200].map((seconds) => seconds * 1000)
const MAX_MAILS = 1000
const MAX_CONCURRENT = 4
const MAX_CLOSE_MS = 2000

interface QueuedMail {
  readonly template: MailTemplate
  readonly write: Write
  message?: EmailMessage | undefined
  tries: number
}

/**
 * Sends mails in the background, a few at a time. The queue is only in memory, because mails contain secrets of which
 * the database stores only digests. A user who gets no mail can request another one. The methods never throw or reject.
 */
export class MailQueue {
  readonly #deps: MailQueueDeps
  readonly #ready: QueuedMail[] = []
  readonly #pausing = new Map<QueuedMail, NodeJS.Timeout>()
  readonly #busy = new Set<Promise<void>>()
  readonly #throttle = new Throttle()
  #isClosed = false

  constructor(deps: MailQueueDeps) {
    this.#deps = deps
  }

  /** Queues a mail; returns false if the queue is full. */
  add(template: MailTemplate, write: Write): boolean {
    if (this.#isClosed || this.#ready.length + this.#pausing.size + this.#busy.size >= MAX_MAILS) {
      this.#count(template, 'dropped')
      this.#warn('full', `A mail (${template}) is not sent: ${MAX_MAILS} mails are already waiting`)
      return false
    }
    this.#ready.push({ template, write, tries: 0 })
    this.#work()
    return true
  }

  /** Sends no further mail and waits at most two seconds for mails in progress. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#pausing.values()) clearTimeout(timer)
    const left = this.#ready.length + this.#pausing.size
    if (left > 0) this.#deps.logger.warn(`${left} mails were not sent before the shutdown`)
    await withTimeout(MAX_CLOSE_MS, Promise.all(this.#busy)).catch(() => {})
  }

  #work(): void {
    while (!this.#isClosed && this.#busy.size < MAX_CONCURRENT) {
      const next = this.#ready.shift()
      if (next === undefined) return
      const work = this.#try(next).finally(() => {
        this.#busy.delete(work)
        this.#work()
      })
      this.#busy.add(work)
    }
  }

  async #try(waiting: QueuedMail): Promise<void> {
    const { send } = this.#deps
    try {
      waiting.message ??= await waiting.write()
      if (waiting.message === undefined) return
      await send(waiting.message)
      this.#count(waiting.template, 'success')
    } catch (error) {
      this.#failed(waiting, error)
    }
  }

  #failed(waiting: QueuedMail, error: unknown): void {
    const { pausesMs } = this.#deps
    const pauseMs = error instanceof MailRejected || this.#isClosed ? undefined : pausesMs[waiting.tries]
    waiting.tries += 1
    const what = `Cannot send a mail (${waiting.template}): ${describeError(error)}`
    if (pauseMs === undefined) {
      this.#count(waiting.template, 'failure')
      this.#warn('failure', `${what}. Giving up after ${waiting.tries} attempts`)
      return
    }
    this.#count(waiting.template, 'retry')
    this.#warn('retry', `${what}. Retrying in ${Math.ceil(pauseMs / 1000)} s`)
    const again = startTimer(pauseMs, () => {
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
