import type { IncomingHttpHeaders } from 'node:http'
import { type Checks, readQuery } from '../input/checks.ts'
import type { AppOptions } from './app-options.ts'
import { type HeaderBlock, HeaderBlocks, type Headers } from './header-block.ts'
import { plainAddress, rendered, replyOf } from './render.ts'
import { parseJson, refuseOtherCharsets } from './request-body.ts'
import { type Outgoing, outgoing } from './respond.ts'
import { type Caller, type Input, Reply, type Route } from './route.ts'

/** A route that plain requests may be answered from without the framework. */
export interface HotRoute<Access> {
  readonly route: Route<Access>
  readonly check: Checks<Access>
  /** Of plain results. */
  readonly status: number
  readonly bodyLimitBytes: number
}

/** What the lane needs of a request, whoever read it. */
export interface HotRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** Where the reply to one request goes. */
export interface Exit {
  /** Sends a whole reply, then gives back what was lent for it and tells `sent`. */
  send(block: HeaderBlock, outgoing: Outgoing, sent: Sent | undefined): void
  /** Ends the connection without a reply. */
  destroy(): void
}

/** Hears that the operating system has all of a reply. */
export type Sent = (status: number) => void

const NO_HEADERS: Headers = {}
const NO_PARAMS = {}

/** From requests to hot routes to their replies, by the rules of the app. */
export class HotExchange<Access> {
  readonly #options: AppOptions<Access>
  readonly #blocks: HeaderBlocks

  constructor(options: AppOptions<Access>) {
    this.#options = options
    this.#blocks = new HeaderBlocks(options.compress === true)
  }

  /**
   * Answers, now or later.
   *
   * @param address of the peer socket
   * @param body undefined for a request that announces none
   */
  answer(
    hot: HotRoute<Access>,
    request: HotRequest,
    address: string | undefined,
    body: Buffer | undefined,
    exit: Exit,
  ): void {
    const caller = new HotCaller(request, address)
    const sent = this.#telling(hot, caller)
    let first = NO_HEADERS
    let result: Reply | Promise<Reply>
    try {
      const answer = this.#options.first?.(caller) ?? NO_HEADERS
      if (answer instanceof Reply) result = answer
      else {
        first = answer
        const query = readQuery(this.#options.parseQuery, queryOf(request.url))
        const parts = { params: NO_PARAMS, query, body: bodyOf(request, body), headers: request.headers }
        result = this.#handle(hot, hot.check(parts, caller))
      }
    } catch (error) {
      result = rendered(this.#options, error, caller)
    }
    if (!(result instanceof Promise)) this.#send(caller, exit, first, result, sent)
    else {
      result.then(
        (reply) => this.#send(caller, exit, first, reply, sent),
        (error) => this.#send(caller, exit, first, rendered(this.#options, error, caller), sent),
      )
    }
  }

  /** Throws or rejects as the handler does, and for what it gives that cannot be a reply. */
  #handle(hot: HotRoute<Access>, input: ReturnType<Checks<Access>>): Reply | Promise<Reply> {
    if (input instanceof Promise) return input.then((known) => this.#handle(hot, known))
    const result = hot.route.handle(input as Input<Access, never, never, never>, this.#options.world)
    return result instanceof Promise ? result.then((one) => replyOf(hot.status, one)) : replyOf(hot.status, result)
  }

  #send(caller: Caller, exit: Exit, first: Headers, answer: Reply, sent: Sent | undefined): void {
    try {
      const block = this.#blocks.of(first, answer)
      const decided = outgoing(caller, answer, block)
      if (!(decided instanceof Promise)) exit.send(block, decided, sent)
      else decided.then((ready) => exit.send(block, ready, sent)).catch((error: unknown) => this.#giveUp(exit, error))
    } catch (error) {
      this.#giveUp(exit, error)
    }
  }

  #giveUp(exit: Exit, error: unknown): void {
    this.#options.logger.error('A request could not be answered', error)
    exit.destroy()
  }

  #telling({ route }: HotRoute<Access>, { method }: Caller): Sent | undefined {
    const { onReply } = this.#options
    if (onReply === undefined) return undefined
    const startedMs = performance.now()
    return (status) => onReply({ route: route.url, method, status, durationMs: performance.now() - startedMs })
  }
}

function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

function bodyOf({ headers }: HotRequest, body: Buffer | undefined): unknown {
  if (body === undefined) return undefined
  refuseOtherCharsets(headers['content-type'])
  return parseJson(body)
}

let taken = 0

class HotCaller implements Caller {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly params = NO_PARAMS
  readonly remoteAddress: string
  #id: string | undefined

  constructor({ method, url, headers }: HotRequest, address: string | undefined) {
    this.method = method
    this.url = url
    this.headers = headers
    this.remoteAddress = plainAddress(address ?? '')
  }

  /** Made when somebody asks. */
  get id(): string {
    this.#id ??= `hot-${++taken}`
    return this.#id
  }
}
