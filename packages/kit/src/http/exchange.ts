import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { readQuery, type ValidParts } from '../input/check-order.ts'
import { type Outlet, StreamReply } from '../streams/outlet.ts'
import type { Turns } from '../turns.ts'
import type { AppOptions } from './app-options.ts'
import type { BodyBudget, BodyLease } from './body-budget.ts'
import { type HeaderBlock, type HeaderBlocks, type Headers, NO_HEADERS } from './header-block.ts'
import { networkOf } from './network.ts'
import { type Outgoing, outgoing } from './outgoing.ts'
import { Refusal } from './refusal.ts'
import { isAtHand, isJson, isShortAndPlain, mediaTypeOf, readJson, readRaw } from './request-body.ts'
import { type BodyForm, type Caller, type Input, Reply } from './route.ts'
import { type Found, queryOf } from './router.ts'

/** A request whose head has been read, by the HTTP server or directly from the socket. */
export interface ReadRequest extends Pick<Caller, 'method' | 'url' | 'headers'> {
  /** Whole body, or a stream to read it from; undefined if the headers announce none. */
  readonly body: Buffer | IncomingMessage | undefined
}

/** Destination of the reply to one request. */
export interface Exit {
  /** True if the client is gone; undefined if unknown. */
  readonly isGone?: boolean
  /** Sends `100 Continue` to a client that waits for it. */
  expectBody?(): void
  /** Sends a whole reply. Afterwards gives a pooled buffer back to its pool and calls `sent`. */
  send(block: HeaderBlock, outgoing: Outgoing, sent: Sent | undefined, from: Owned): void
  /**
   * Sends the head of a streaming reply and calls `opened` with the outlet for its body. Ends the reply after the head
   * for HEAD. Does nothing if the client is gone.
   */
  open(block: HeaderBlock, opened: (outlet: Outlet) => void, sent: Sent | undefined, from: Owned): void
  /** Ends the exchange when no reply can be sent. */
  giveUp(): void
}

/** Lazy access to the owners of a request, needed only if its reply is buffered. */
export interface Owned {
  /** Returns the callers charged for the request. */
  owners(): readonly string[]
}

/** Called once the operating system has taken the whole reply. */
export type Sent = (status: number) => void

/** Dependencies shared by the exchanges of an app. */
export interface ExchangeDeps<Access> {
  readonly options: AppOptions<Access>
  readonly blocks: HeaderBlocks
  /** Schedules requests whose route has low priority. */
  readonly turns: Turns
  /** Memory budget for request bodies. */
  readonly bodies: BodyBudget
}

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const METHODS = new Set([...METHODS_WITH_BODY, 'GET', 'HEAD'])

/**
 * One request and its reply, however the request was read: pre-request hooks, authorization, body, validation, handler
 * and reply. Runs synchronously as long as possible: awaits a promise only if a body, check, handler or compressor
 * returns one.
 */
export class Exchange<Access> implements Owned {
  readonly #deps: ExchangeDeps<Access>
  readonly #found: Found<Access>
  readonly #request: ReadRequest
  readonly #caller: Caller
  readonly #exit: Exit
  readonly #startedMs = performance.now()
  /** Headers from the pre-request hooks of the app (`#first`) and the route (`#said`). */
  #first: Headers = NO_HEADERS
  #said: Headers = NO_HEADERS
  /** Memory lease of the body. */
  #lease: BodyLease | undefined
  /** Undefined until the caller is authorized. */
  #access: Access | undefined

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

  /** Answers the request, possibly asynchronously. */
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
    return this.#sayFirst() ?? this.#admit()
  }

  /** Runs the pre-request hooks of app and route: each may return headers for any reply, or the whole reply. */
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

  /** Authorizes the caller before the body is read. */
  #admit(): Reply | Promise<Reply> {
    if (this.#deps.options.order === 'validate-first') this.#refuseOtherMedia()
    let access: Access | Promise<Access>
    try {
      access = this.#found.endpoint.admit(this.#caller)
    } catch (refusal) {
      return this.#refuse(refusal)
    }
    if (!(access instanceof Promise)) return this.#read(access)
    return access.then(
      (known) => this.#read(known),
      (refusal) => this.#refuse(refusal),
    )
  }

  /**
   * Rejects with the authorization error. If a body is already available and invalid, rejects with its validation error
   * instead. Never waits for a body.
   */
  async #refuse(refusal: unknown): Promise<never> {
    const { body } = this.#request
    // a body sent along with the head has been read by then
    if (body !== undefined && !Buffer.isBuffer(body) && isShortAndPlain(body)) await setImmediate()
    if (!isAtHand(body)) throw refusal
    const read = await this.#readBody()
    if (this.#deps.options.order === 'validate-first') await this.#validate(read)
    throw refusal
  }

  #read(access: Access): Reply | Promise<Reply> {
    this.#access = access
    const body = this.#readBody()
    return body instanceof Promise ? body.then((read) => this.#check(access, read)) : this.#check(access, body)
  }

  /**
   * Reads a body. A body without a content type is read as JSON, and a body of another type only if the route accepts
   * the type.
   */
  #readBody(): unknown {
    const { method, headers, body } = this.#request
    if (body === undefined) return undefined
    const type = headers['content-type']
    const isOther = type !== undefined && !isJson(type)
    const form = isOther ? this.#formOf(type) : undefined
    if (form === undefined && (isOther || !METHODS_WITH_BODY.has(method))) return undefined
    const { bodyLimitBytes: limitBytes, decodesBodies: decodes } = this.#found.endpoint
    const lease = this.#deps.bodies.open(this.owners())
    this.#lease = lease
    const bounds = { limitBytes, decodes, lease, expected: () => this.#exit.expectBody?.() }
    return form === undefined ? readJson(body, headers, bounds) : readRaw(body, headers, { form, ...bounds })
  }

  owners(): readonly string[] {
    const { owners = networkAlone } = this.#deps.options
    return owners(this.#caller, this.#access)
  }

  #refuseOtherMedia(): void {
    const { headers, body } = this.#request
    const type = headers['content-type']
    if (body === undefined || type === undefined || isJson(type) || this.#formOf(type) !== undefined) return
    throw new Refusal('media-type', type)
  }

  #formOf(type: string): BodyForm | undefined {
    return this.#found.endpoint.bodyForms?.find(({ mediaType }) => mediaType === mediaTypeOf(type))
  }

  #validate(body: unknown) {
    const { endpoint, params } = this.#found
    const { url, headers } = this.#request
    const query = readQuery(this.#deps.options.parseQuery, queryOf(url))
    return endpoint.validate({ params, query, body, headers })
  }

  #check(access: Access, body: unknown): Reply | Promise<Reply> {
    const valid = this.#validate(body)
    return valid instanceof Promise ? valid.then((later) => this.#handle(access, later)) : this.#handle(access, valid)
  }

  #handle(access: Access, { params, query, body }: ValidParts): Reply | Promise<Reply> {
    const { handle, status } = this.#found.endpoint
    const input: Input<Access, unknown, unknown, unknown> = { params, query, body, access, caller: this.#caller }
    const result = handle(input as Input<Access, never, never, never>, this.#deps.options.world)
    return result instanceof Promise ? result.then((late) => replyOf(status, late)) : replyOf(status, result)
  }

  /** Returns the reply for an error. If rendering fails, logs that and returns 500 without a body. */
  #failure(error: unknown): Reply {
    const { renderError, logger } = this.#deps.options
    try {
      const reply = renderError(error, this.#caller)
      return error instanceof Refusal && error.reason === 'overloaded' ? sayWhenToRetry(reply) : reply
    } catch (failure) {
      logger.error('An error could not be rendered', failure, error)
      return new Reply(500)
    }
  }

  #send(reply: Reply): void {
    this.#lease?.release()
    try {
      const block = this.#deps.blocks.of(this.#first, this.#said, reply)
      if (reply instanceof StreamReply) {
        this.#exit.open(block, reply.opened, this.#telling(), this)
        return
      }
      const decided = outgoing(this.#request, reply, block)
      if (!(decided instanceof Promise)) this.#exit.send(block, decided, this.#telling(), this)
      else {
        decided
          .then((late) => this.#exit.send(block, late, this.#telling(), this))
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

const RETRY_AFTER_SECONDS = '5'

function sayWhenToRetry({ status, body, headers }: Reply): Reply {
  return new Reply(status, body, { ...headers, 'retry-after': RETRY_AFTER_SECONDS })
}

function networkAlone({ remoteAddress }: Caller): readonly string[] {
  return [networkOf(remoteAddress)]
}

/** Converts a handler's result to a reply. */
function replyOf(status: number, result: unknown): Reply {
  if (result instanceof Reply) return result
  return result === undefined ? new Reply(status) : Reply.json(status, result)
}
