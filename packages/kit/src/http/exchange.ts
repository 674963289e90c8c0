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

/** A request whose head was read, by whomever. */
export interface ReadRequest extends Pick<Caller, 'method' | 'url' | 'headers'> {
  /** Undefined where the head announces none; the whole body, or a stream that has it still to be read. */
  readonly body: Buffer | IncomingMessage | undefined
}

/** Where the reply to one request goes. */
export interface Exit {
  /** Whether nobody reads what would be sent now; left out where that is not known. */
  readonly isGone?: boolean
  /** Tells a client that waits for it to send the body. */
  expectBody?(): void
  /** Sends a whole reply, then gives back what was lent for it and tells `sent`. */
  send(block: HeaderBlock, outgoing: Outgoing, sent: Sent | undefined, from: Owned): void
  /**
   * Sends the head of a reply that goes on, and calls with what its body is written to; without a body (HEAD) it ends,
   * and where nobody waits any more nothing happens.
   */
  open(block: HeaderBlock, opened: (outlet: Outlet) => void, sent: Sent | undefined, from: Owned): void
  /** Ends the exchange where a reply cannot be sent. */
  giveUp(): void
}

/** Request whose owners are asked for only when its reply has to wait. */
export interface Owned {
  /** Returns the callers that the request counts for. */
  owners(): readonly string[]
}

/** Hears that the operating system has all of a reply. */
export type Sent = (status: number) => void

/** What the exchanges of an app share. */
export interface ExchangeDeps<Access> {
  readonly options: AppOptions<Access>
  readonly blocks: HeaderBlocks
  /** Of requests whose route has a low priority. */
  readonly turns: Turns
  /** For what is read of bodies. */
  readonly bodies: BodyBudget
}

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const METHODS = new Set([...METHODS_WITH_BODY, 'GET', 'HEAD'])

/**
 * One request and its reply: what is said first, then who calls, the body, its checks, the handler, the reply and its exit. Every
 * request goes this way, whoever has read it. Each step is done at once as long as all steps before it were: a promise
 * is waited for only where a body, a check, a handler or a compressor gives one.
 */
export class Exchange<Access> implements Owned {
  readonly #deps: ExchangeDeps<Access>
  readonly #found: Found<Access>
  readonly #request: ReadRequest
  readonly #caller: Caller
  readonly #exit: Exit
  readonly #startedMs = performance.now()
  /** What the app says first, and what the route does. */
  #first: Headers = NO_HEADERS
  #said: Headers = NO_HEADERS
  /** What the body holds of the budget. */
  #lease: BodyLease | undefined
  /** Undefined until the caller is admitted. */
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
    return this.#sayFirst() ?? this.#admit()
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

  /** Asks who calls while the body is still unread. */
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

  /** Rejects with why the caller is refused, or with what is wrong with a body that is here already: nothing is waited for. */
  async #refuse(refusal: unknown): Promise<never> {
    const { body } = this.#request
    // a body that came along with the head is read by then
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

  /** Bodies without a type are read as JSON, those of another type only where the route knows it. */
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

  /** The reply that a failure calls for. A failing renderer is logged and answered with 500 without body. */
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

/** What a handler gave, as a reply. */
function replyOf(status: number, result: unknown): Reply {
  if (result instanceof Reply) return result
  return result === undefined ? new Reply(status) : Reply.json(status, result)
}
