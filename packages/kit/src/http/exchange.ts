import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { EventLoopBudget } from '../event-loop-budget.ts'
import { readQuery, type ValidParts } from '../input/check-order.ts'
import { type Outlet, StreamReply } from '../streams/outlet.ts'
import type { AppOptions } from './app-options.ts'
import type { BodyBudget, BodyLease } from './body-budget.ts'
import { toNetwork } from './client-network.ts'
import { type HeaderBlock, type HeaderBlocks, type Headers, NO_HEADERS } from './header-block.ts'
import { type OutgoingReply, prepareReply } from './outgoing.ts'
import { Refusal } from './refusal.ts'
import { isAvailable, isJson, isShortAndPlain, parseMediaType, readJson, readRaw } from './request-body.ts'
import type { RequestSpan } from './request-tracer.ts'
import { type BodyForm, type Caller, type Input, Reply } from './route.ts'
import type { RouteMatch } from './router.ts'
import { getQuery } from './url-parts.ts'

/** A request whose head was read, either by the HTTP server or directly from the socket. */
export interface ReadRequest extends Pick<Caller, 'method' | 'url' | 'headers'> {
  /** Whole body, or a stream from which it is read; undefined if the headers announce no body. */
  readonly body: Buffer | IncomingMessage | undefined
}

/** Destination to which the reply to one request is sent. */
export interface Exit {
  /** True if the client is gone; undefined if unknown. */
  readonly isGone?: boolean
  /** Sends `100 Continue` to a client that waits for it. */
  expectBody?(): void
  /** Sends a whole reply. Once the reply has been sent, gives a pooled buffer back to its pool and calls `sent`. */
  send(block: HeaderBlock, outgoing: OutgoingReply, sent: SentCallback | undefined, from: OwnersProvider): void
  /**
   * Sends the head of a streaming reply and calls `opened` with the outlet for its body. For HEAD, ends the reply after
   * the head. Does nothing if the client is gone.
   */
  open(block: HeaderBlock, opened: (outlet: Outlet) => void, sent: SentCallback | undefined, from: OwnersProvider): void
  /** Ends the exchange without a reply, when none can be sent. */
  giveUp(): void
}

/** Provides the owners of a request on demand. The owners are needed only if the reply is buffered. */
export interface OwnersProvider {
  /** Returns the owners of the request: keys of the callers to which its memory is charged. */
  owners(): readonly string[]
}

/** Callback that is called with the status once the operating system has accepted the whole reply. */
export type SentCallback = (status: number) => void

/** Dependencies that all exchanges of an app share. */
export interface ExchangeDeps<Access> {
  readonly options: AppOptions<Access>
  readonly blocks: HeaderBlocks
  /** Schedules requests to routes with low priority. */
  readonly eventLoopBudget: EventLoopBudget
  /** Limit on the memory for request bodies. */
  readonly bodies: BodyBudget
}

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const METHODS = new Set([...METHODS_WITH_BODY, 'GET', 'HEAD'])

/**
 * One request and its reply: pre-request hooks, authorization, body, validation, handler and reply. Handles requests
 * from the HTTP server and from direct connections in the same way. Runs synchronously as far as possible: waits only
 * if a body, check, handler or compressor returns a promise.
 */
export class Exchange<Access> implements OwnersProvider {
  readonly #deps: ExchangeDeps<Access>
  readonly #match: RouteMatch<Access>
  readonly #request: ReadRequest
  readonly #caller: Caller
  readonly #exit: Exit
  readonly #startedMs = performance.now()
  /**
   * Headers that the pre-request hook of the app returned. `#routeHeaders` contains the headers that the hook of the
   * route returned.
   */
  #appHeaders: Headers = NO_HEADERS
  #routeHeaders: Headers = NO_HEADERS
  /** Lease for the memory of the body. */
  #lease: BodyLease | undefined
  /** Result of the authorization; undefined until the caller is authorized. */
  #access: Access | undefined
  readonly #span: RequestSpan | undefined

  constructor(
    deps: ExchangeDeps<Access>,
    found: RouteMatch<Access>,
    request: ReadRequest,
    from: Pick<Caller, 'remoteAddress' | 'id'>,
    exit: Exit,
  ) {
    const { method, url, headers } = request
    this.#deps = deps
    this.#match = found
    this.#request = request
    const { remoteAddress, id } = from
    this.#caller = { method, url, headers, params: found.params, remoteAddress, id, exit }
    this.#exit = exit
    this.#span = deps.options.tracer?.start({ method: this.#method, route: found.endpoint.name, headers })
  }

  /** HTTP method as reported in metrics and spans; one of a bounded set. */
  get #method(): string {
    return METHODS.has(this.#request.method) ? this.#request.method : 'other'
  }

  /** Answers the request; may complete asynchronously. */
  answer(): void {
    if (this.#span === undefined) this.#answer()
    else this.#span.run(() => this.#answer())
  }

  #answer(): void {
    let reply: Reply | Promise<Reply>
    try {
      const isLow = this.#match.endpoint.priority === 'low'
      reply = isLow ? this.#deps.eventLoopBudget.run(() => this.#reply()) : this.#reply()
    } catch (error) {
      reply = this.#renderFailure(error)
    }
    if (!(reply instanceof Promise)) this.#send(reply)
    else {
      reply.then(
        (late) => this.#send(late),
        (error) => this.#send(this.#renderFailure(error)),
      )
    }
  }

  #reply(): Reply | Promise<Reply> {
    return this.#runPreRequestHooks() ?? this.#admit()
  }

  /**
   * Runs the pre-request hooks of the app and of the route: each hook returns either headers for every reply, or the
   * whole reply.
   */
  #runPreRequestHooks(): Reply | undefined {
    const { first, world } = this.#deps.options
    const ofApp = first?.(this.#caller)
    if (ofApp instanceof Reply) return ofApp
    this.#appHeaders = ofApp ?? NO_HEADERS
    const ofRoute = this.#match.endpoint.first?.(this.#caller, world)
    if (ofRoute instanceof Reply) return ofRoute
    this.#routeHeaders = ofRoute ?? NO_HEADERS
    return undefined
  }

  /** Authorizes the caller before reading the body. */
  #admit(): Reply | Promise<Reply> {
    if (this.#deps.options.order === 'validate-first') this.#requireAcceptedMediaType()
    let access: Access | Promise<Access>
    try {
      access = this.#match.endpoint.admit(this.#caller)
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
   * Rejects with the authorization error. If an invalid body has already arrived, rejects with its validation error
   * instead. Never waits for a body to arrive.
   */
  async #refuse(refusal: unknown): Promise<never> {
    const { body } = this.#request
    // after this pause, a body that was sent together with the head has been read
    if (body !== undefined && !Buffer.isBuffer(body) && isShortAndPlain(body)) await setImmediate()
    if (!isAvailable(body)) throw refusal
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
   * Reads a body. Without a content type, the body is read as JSON. A body of another media type is read only if the
   * route accepts that type.
   */
  #readBody(): unknown {
    const { method, headers, body } = this.#request
    if (body === undefined) return undefined
    const type = headers['content-type']
    const isOther = type !== undefined && !isJson(type)
    const form = isOther ? this.#findBodyForm(type) : undefined
    if (form === undefined && (isOther || !METHODS_WITH_BODY.has(method))) return undefined
    const { bodyLimitBytes: limitBytes, decodesBodies: decodes } = this.#match.endpoint
    const lease = this.#deps.bodies.open(this.owners())
    this.#lease = lease
    const bounds = { limitBytes, decodes, lease, expected: () => this.#exit.expectBody?.() }
    return form === undefined ? readJson(body, headers, bounds) : readRaw(body, headers, { form, ...bounds })
  }

  owners(): readonly string[] {
    const { owners = getNetworkOwners } = this.#deps.options
    return owners(this.#caller, this.#access)
  }

  #requireAcceptedMediaType(): void {
    const { headers, body } = this.#request
    const type = headers['content-type']
    if (body === undefined || type === undefined || isJson(type) || this.#findBodyForm(type) !== undefined) return
    throw new Refusal('media-type', type)
  }

  #findBodyForm(type: string): BodyForm | undefined {
    return this.#match.endpoint.bodyForms?.find(({ mediaType }) => mediaType === parseMediaType(type))
  }

  #validate(body: unknown) {
    const { endpoint, params } = this.#match
    const { url, headers } = this.#request
    const query = readQuery(this.#deps.options.parseQuery, getQuery(url))
    return endpoint.validate({ params, query, body, headers })
  }

  #check(access: Access, body: unknown): Reply | Promise<Reply> {
    const valid = this.#validate(body)
    return valid instanceof Promise ? valid.then((later) => this.#handle(access, later)) : this.#handle(access, valid)
  }

  #handle(access: Access, { params, query, body }: ValidParts): Reply | Promise<Reply> {
    const { handle, status } = this.#match.endpoint
    const input: Input<Access, unknown, unknown, unknown> = { params, query, body, access, caller: this.#caller }
    const result = handle(input as Input<Access, never, never, never>, this.#deps.options.world)
    return result instanceof Promise ? result.then((late) => toReply(status, late)) : toReply(status, result)
  }

  /** Returns the reply for an error. If rendering the error fails, logs the failure and returns 500 without a body. */
  #renderFailure(error: unknown): Reply {
    const { renderError, logger } = this.#deps.options
    try {
      const request = { route: this.#match.endpoint.name, access: this.#access }
      const reply = renderError(error, this.#caller, request)
      return error instanceof Refusal && error.reason === 'overloaded' ? withRetryAfter(reply) : reply
    } catch (failure) {
      logger.error('Cannot render an error', failure, error)
      return new Reply(500)
    }
  }

  #send(reply: Reply): void {
    this.#lease?.release()
    this.#span?.end(reply.status)
    try {
      const block = this.#deps.blocks.get(this.#appHeaders, this.#routeHeaders, reply)
      if (reply instanceof StreamReply) {
        this.#exit.open(block, reply.opened, this.#createSentCallback(), this)
        return
      }
      const decided = prepareReply(this.#request, reply, block)
      if (!(decided instanceof Promise)) this.#exit.send(block, decided, this.#createSentCallback(), this)
      else {
        decided
          .then((late) => this.#exit.send(block, late, this.#createSentCallback(), this))
          .catch((error: unknown) => this.#giveUp(error))
      }
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #createSentCallback(): SentCallback | undefined {
    const { onReply } = this.#deps.options
    if (onReply === undefined) return undefined
    const route = this.#match.endpoint.name
    const method = this.#method
    return (status) => onReply({ route, method, status, durationMs: performance.now() - this.#startedMs })
  }

  #giveUp(error: unknown): void {
    this.#deps.options.logger.error('Cannot answer a request', error)
    this.#exit.giveUp()
  }
}

const RETRY_AFTER_SECONDS = '5'

function withRetryAfter({ status, body, headers }: Reply): Reply {
  return new Reply(status, body, { ...headers, 'retry-after': RETRY_AFTER_SECONDS })
}

function getNetworkOwners({ remoteAddress }: Caller): readonly string[] {
  return [toNetwork(remoteAddress)]
}

/** Converts a handler's result to a reply. */
function toReply(status: number, result: unknown): Reply {
  if (result instanceof Reply) return result
  return result === undefined ? new Reply(status) : Reply.json(status, result)
}
