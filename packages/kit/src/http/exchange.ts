import type { IncomingMessage } from 'node:http'
import { readQuery } from '../input/check-order.ts'
import { type Outlet, StreamReply } from '../streams/outlet.ts'
import type { Turns } from '../turns.ts'
import type { AppOptions } from './app-options.ts'
import { type HeaderBlock, type HeaderBlocks, type Headers, NO_HEADERS } from './header-block.ts'
import { type Outgoing, outgoing } from './outgoing.ts'
import { Refusal } from './refusal.ts'
import { isJson, mediaTypeOf, readJson, readRaw } from './request-body.ts'
import { type Caller, type Input, Reply } from './route.ts'
import { type Found, queryOf } from './router.ts'

/** A request whose head was read, by whomever. */
export interface ReadRequest extends Pick<Caller, 'method' | 'url' | 'headers'> {
  /** Undefined where the head announces none; the whole body, or a stream that has it still to be read. */
  readonly body: Buffer | IncomingMessage | undefined
}

/** Where the reply to one request goes. */
export interface Exit {
  /** Whether nobody reads what would be sent now; left out where that is not known. */
  readonly isGone?: boolean
  /** Sends a whole reply, then gives back what was lent for it and tells `sent`. */
  send(block: HeaderBlock, outgoing: Outgoing, sent: Sent | undefined): void
  /**
   * Sends the head of a reply that goes on, and calls with what its body is written to; without a body (HEAD) it ends,
   * and where nobody waits any more nothing happens.
   */
  open(block: HeaderBlock, opened: (outlet: Outlet) => void, sent: Sent | undefined): void
  /** Ends the exchange where a reply cannot be sent. */
  giveUp(): void
}

/** Hears that the operating system has all of a reply. */
export type Sent = (status: number) => void

/** What the exchanges of an app share. */
export interface ExchangeDeps<Access> {
  readonly options: AppOptions<Access>
  readonly blocks: HeaderBlocks
  /** Of requests whose route has a low priority. */
  readonly turns: Turns
}

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const METHODS = new Set([...METHODS_WITH_BODY, 'GET', 'HEAD'])

/**
 * One request and its reply: what is said first, then the body, the checks, the handler, the reply and its exit. Every
 * request goes this way, whoever has read it. Each step is done at once as long as all steps before it were: a promise
 * is waited for only where a body, a check, a handler or a compressor gives one.
 */
export class Exchange<Access> {
  readonly #deps: ExchangeDeps<Access>
  readonly #found: Found<Access>
  readonly #request: ReadRequest
  readonly #caller: Caller
  readonly #exit: Exit
  readonly #startedMs = performance.now()
  /** What the app says first, and what the route does. */
  #first: Headers = NO_HEADERS
  #said: Headers = NO_HEADERS

  constructor(
    deps: ExchangeDeps<Access>,
    found: Found<Access>,
    request: ReadRequest,
    from: Pick<Caller, 'remoteAddress' | 'id'>,
    exit: Exit,
  ) {
    const { method, url, headers } = request
    this.#deps = deps
    this.#found = found
    this.#request = request
    const { remoteAddress, id } = from
    this.#caller = { method, url, headers, params: found.params, remoteAddress, id, exit }
    this.#exit = exit
  }

  /** Answers, now or later. */
  answer(): void {
    let reply: Reply | Promise<Reply>
    try {
      const isLow = this.#found.endpoint.priority === 'low'
      reply = isLow ? this.#deps.turns.take(() => this.#reply()) : this.#reply()
    } catch (error) {
      reply = this.#failure(error)
    }
    if (!(reply instanceof Promise)) this.#send(reply)
    else {
      reply.then(
        (late) => this.#send(late),
        (error) => this.#send(this.#failure(error)),
      )
    }
  }

  #reply(): Reply | Promise<Reply> {
    return this.#sayFirst() ?? this.#read()
  }

  /** Before the request is looked at, app and route may say headers for whatever the reply will be, or the whole reply. */
  #sayFirst(): Reply | undefined {
    const { first, world } = this.#deps.options
    const ofApp = first?.(this.#caller)
    if (ofApp instanceof Reply) return ofApp
    this.#first = ofApp ?? NO_HEADERS
    const ofRoute = this.#found.endpoint.first?.(this.#caller, world)
    if (ofRoute instanceof Reply) return ofRoute
    this.#said = ofRoute ?? NO_HEADERS
    return undefined
  }

  #read(): Reply | Promise<Reply> {
    const body = this.#readBody()
    return body instanceof Promise ? body.then((read) => this.#check(read)) : this.#check(body)
  }

  /** Bodies without a type are read as JSON, those of another type only where the route knows it. */
  #readBody(): unknown {
    const { method, headers, body } = this.#request
    if (body === undefined) return undefined
    const type = headers['content-type']
    if (type !== undefined && !isJson(type)) {
      const { bodyForms, bodyLimitBytes: limitBytes } = this.#found.endpoint
      const form = bodyForms?.find(({ mediaType }) => mediaType === mediaTypeOf(type))
      if (form !== undefined) return readRaw(body, headers, { form, limitBytes })
      if (this.#deps.options.order === 'validate-first') throw new Refusal('media-type', type)
      return undefined
    }
    return METHODS_WITH_BODY.has(method) ? readJson(body, headers, this.#found.endpoint.bodyLimitBytes) : undefined
  }

  #check(body: unknown): Reply | Promise<Reply> {
    const { endpoint, params } = this.#found
    const { url, headers } = this.#request
    const query = readQuery(this.#deps.options.parseQuery, queryOf(url))
    const input = endpoint.check({ params, query, body, headers }, this.#caller)
    return input instanceof Promise ? input.then((known) => this.#handle(known)) : this.#handle(input)
  }

  #handle(input: Input<Access, unknown, unknown, unknown>): Reply | Promise<Reply> {
    const { handle, status } = this.#found.endpoint
    const result = handle(input as Input<Access, never, never, never>, this.#deps.options.world)
    return result instanceof Promise ? result.then((late) => replyOf(status, late)) : replyOf(status, result)
  }

  /** The reply that a failure calls for. A failing renderer is logged and answered with 500 without body. */
  #failure(error: unknown): Reply {
    const { renderError, logger } = this.#deps.options
    try {
      return renderError(error, this.#caller)
    } catch (failure) {
      logger.error('An error could not be rendered', failure, error)
      return new Reply(500)
    }
  }

  #send(reply: Reply): void {
    try {
      const block = this.#deps.blocks.of(this.#first, this.#said, reply)
      if (reply instanceof StreamReply) {
        this.#exit.open(block, reply.opened, this.#telling())
        return
      }
      const decided = outgoing(this.#request, reply, block)
      if (!(decided instanceof Promise)) this.#exit.send(block, decided, this.#telling())
      else {
        decided
          .then((late) => this.#exit.send(block, late, this.#telling()))
          .catch((error: unknown) => this.#giveUp(error))
      }
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #telling(): Sent | undefined {
    const { onReply } = this.#deps.options
    if (onReply === undefined) return undefined
    const route = this.#found.endpoint.name
    const method = METHODS.has(this.#request.method) ? this.#request.method : 'other'
    return (status) => onReply({ route, method, status, durationMs: performance.now() - this.#startedMs })
  }

  #giveUp(error: unknown): void {
    this.#deps.options.logger.error('A request could not be answered', error)
    this.#exit.giveUp()
  }
}

/** What a handler gave, as a reply. */
function replyOf(status: number, result: unknown): Reply {
  if (result instanceof Reply) return result
  return result === undefined ? new Reply(status) : Reply.json(status, result)
}
