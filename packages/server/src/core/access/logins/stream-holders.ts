import type { EventStream } from '@burgee/kit/streams/event-streams'
import { StreamsByHolder } from '@burgee/kit/streams/streams-by-holder'
import { startTimer } from '@burgee/kit/timer'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { readRunTokenId } from '../../../delivery/test-runs/test-run.ts'
import type { World } from '../../world.ts'

/** Credentials with which a stream was opened. */
export interface StreamHolder {
  /** Id as in `Access`: the token's id, or 'personal <id>' for a personal token. */
  readonly id: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** Milliseconds since 1970; null if the credentials do not expire. */
  readonly expires_at: number | null
}

/**
 * Types of events that can change the rights of users or service accounts, whose streams use personal tokens. Includes
 * the creation of a project, because the new project can be hidden from a user.
 */
const USER_EVENTS =
  /^(pat-deleted|project-created|(user|service-account)-(updated|deleted)|(group|role|project-access)-.+)$/
const TOKEN_EVENTS: ReadonlySet<string> = new Set(['api-token-updated', 'api-token-deleted'])
/** Events with which test runs of a project or environment end, in addition to the deletion of a project. */
const RUN_ENDS: ReadonlySet<string> = new Set([
  'project-archived',
  'project-environment-removed',
  'environment-deleted',
])

/**
 * Ends a stream when its credentials expire or may have changed, before the stream receives later events. The client
 * then reconnects and is authorized again.
 */
export class StreamHolders {
  readonly #clock: () => number
  readonly #streams = new StreamsByHolder<StreamHolder>()
  /** Timers for the holders whose credentials expire. */
  readonly #expiries = new Map<string, NodeJS.Timeout>()
  readonly #unsubscribe: () => void

  constructor({ clock, broadcast }: Pick<World, 'clock' | 'broadcast'>) {
    this.#clock = clock
    this.#unsubscribe = broadcast.subscribe(
      (events) => {
        for (const event of events) this.#onEvents(event)
      },
      () => this.#streams.endWhere(() => true),
    )
  }

  /**
   * Binds a stream to the lifetime of its credentials. Must be called when the stream starts. Returns a function that
   * releases the stream.
   */
  register(stream: EventStream, holder: StreamHolder): () => void {
    const remove = this.#streams.add(stream, holder)
    if (!this.#expiries.has(holder.id)) this.#awaitExpiry(holder)
    return () => {
      remove()
      if (this.#streams.has(holder.id)) return
      clearTimeout(this.#expiries.get(holder.id))
      this.#expiries.delete(holder.id)
    }
  }

  close(): void {
    this.#unsubscribe()
    for (const expiry of this.#expiries.values()) clearTimeout(expiry)
  }

  #awaitExpiry(holder: StreamHolder): void {
    const { id, expires_at } = holder
    if (expires_at === null) return
    const call = () => {
      if (this.#clock() >= expires_at) this.#streams.end(id)
      else this.#awaitExpiry(holder)
    }
    this.#expiries.set(id, startTimer(expires_at - this.#clock(), call).unref())
  }

  #onEvents({ type, data, preData, project }: StoredEvent): void {
    if (TOKEN_EVENTS.has(type)) {
      const ids = [getId(data), getId(preData)]
      this.#streams.endWhere(({ id }) => ids.includes(id))
    } else if (USER_EVENTS.test(type) || (type === 'project-updated' && getMode(data) !== getMode(preData)))
      this.#streams.endWhere(({ id }) => id.startsWith('personal '))
    else if (type === 'project-deleted')
      this.#streams.endWhere(({ projects }) => projects.some((own) => own === project))
    else if (type === 'test-run-deleted') {
      const ended = getId(preData)
      this.#streams.endWhere(({ id }) => readRunTokenId(id)?.id === ended && ended !== undefined)
    } else if (RUN_ENDS.has(type)) this.#streams.endWhere(({ id }) => readRunTokenId(id) !== undefined)
  }
}

function getId(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'id' in state ? state.id : undefined
}

/** Returns the mode of a project, which decides who can see it. */
function getMode(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'mode' in state ? state.mode : undefined
}
