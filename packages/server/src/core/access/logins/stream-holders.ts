import type { EventStream } from '@burgee/kit/streams/event-streams'
import { startTimer } from '@burgee/kit/timer'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { World } from '../../world.ts'

/** Credentials that opened a stream. */
export interface StreamHolder {
  /** Id as in `Access`: the token's id, or 'personal <id>' for a personal token. */
  readonly id: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** Milliseconds since 1970; null if the credentials do not expire. */
  readonly expires_at: number | null
}

interface HolderStreams {
  readonly holder: StreamHolder
  readonly streams: Set<EventStream>
  expiry: NodeJS.Timeout | undefined
}

/**
 * Events that may change the rights of users or service accounts, whose streams use personal tokens. A new project
 * counts: it may be visible or hidden.
 */
const USER_EVENTS =
  /^(pat-deleted|project-created|(user|service-account)-(updated|deleted)|(group|role|project-access)-.+)$/
const TOKEN_EVENTS: ReadonlySet<string> = new Set(['api-token-updated', 'api-token-deleted'])

/**
 * Ends streams as soon as their credentials end or may have changed, before later events reach them. Clients reconnect
 * and are authorized again.
 */
export class StreamHolders {
  readonly #clock: () => number
  readonly #streams = new Map<string, HolderStreams>()
  readonly #unsubscribe: () => void

  constructor({ clock, broadcast }: Pick<World, 'clock' | 'broadcast'>) {
    this.#clock = clock
    this.#unsubscribe = broadcast.subscribe(
      (events) => {
        for (const event of events) this.#onEvents(event)
      },
      () => this.#end(() => true),
    )
  }

  /**
   * Binds a stream to the lifetime of its credentials; call it when the stream starts. Returns a function that releases
   * the stream.
   */
  register(stream: EventStream, holder: StreamHolder): () => void {
    const held = this.#streams.get(holder.id) ?? { holder, streams: new Set<EventStream>(), expiry: undefined }
    this.#streams.set(holder.id, held)
    held.streams.add(stream)
    if (held.expiry === undefined) this.#await(held)
    return () => {
      held.streams.delete(stream)
      if (held.streams.size > 0) return
      clearTimeout(held.expiry)
      this.#streams.delete(holder.id)
    }
  }

  close(): void {
    this.#unsubscribe()
    for (const { expiry } of this.#streams.values()) clearTimeout(expiry)
  }

  #await(held: HolderStreams): void {
    const { expires_at } = held.holder
    if (expires_at === null) return
    const call = () => {
      if (this.#clock() >= expires_at) this.#end(({ id }) => id === held.holder.id)
      else this.#await(held)
    }
    held.expiry = startTimer(expires_at - this.#clock(), call).unref()
  }

  #onEvents({ type, data, preData, project }: StoredEvent): void {
    if (TOKEN_EVENTS.has(type)) {
      const ids = [getId(data), getId(preData)]
      this.#end(({ id }) => ids.includes(id))
    } else if (USER_EVENTS.test(type) || (type === 'project-updated' && getMode(data) !== getMode(preData)))
      this.#end(({ id }) => id.startsWith('personal '))
    else if (type === 'project-deleted') this.#end(({ projects }) => projects.some((own) => own === project))
  }

  #end(isMeant: (holder: StreamHolder) => boolean): void {
    for (const { holder, streams } of this.#streams.values()) {
      if (isMeant(holder)) for (const stream of streams) stream.end()
    }
  }
}

function getId(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'id' in state ? state.id : undefined
}

/** Returns a project's mode, which decides who can see the project. */
function getMode(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'mode' in state ? state.mode : undefined
}
