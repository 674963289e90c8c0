import type { EventStream } from '@burgee/kit/streams/event-streams'
import { after } from '@burgee/kit/timer'
import type { StoredEvent } from '../../../store/events/events.ts'
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

interface Held {
  readonly holder: StreamHolder
  readonly streams: Set<EventStream>
  expiry: NodeJS.Timeout | undefined
}

/**
 * Events that may change the rights of users or service accounts, whose streams use personal tokens. A new project
 * counts: it may be visible or hidden.
 */
const OF_PEOPLE =
  /^(pat-deleted|project-created|(user|service-account)-(updated|deleted)|(group|role|project-access)-.+)$/
const OF_TOKENS: ReadonlySet<string> = new Set(['api-token-updated', 'api-token-deleted'])

/**
 * Ends streams as soon as their credentials end or may have changed, before later events reach them. Clients reconnect
 * and are authorized again.
 */
export class StreamHolders {
  readonly #clock: () => number
  readonly #held = new Map<string, Held>()
  readonly #unsubscribe: () => void

  constructor({ clock, broadcast }: Pick<World, 'clock' | 'broadcast'>) {
    this.#clock = clock
    this.#unsubscribe = broadcast.subscribe(
      (events) => {
        for (const event of events) this.#hear(event)
      },
      () => this.#end(() => true),
    )
  }

  /**
   * Binds a stream to the lifetime of its credentials; call it when the stream starts. Returns a function that releases
   * the stream.
   */
  hold(stream: EventStream, holder: StreamHolder): () => void {
    const held = this.#held.get(holder.id) ?? { holder, streams: new Set<EventStream>(), expiry: undefined }
    this.#held.set(holder.id, held)
    held.streams.add(stream)
    if (held.expiry === undefined) this.#await(held)
    return () => {
      held.streams.delete(stream)
      if (held.streams.size > 0) return
      clearTimeout(held.expiry)
      this.#held.delete(holder.id)
    }
  }

  close(): void {
    this.#unsubscribe()
    for (const { expiry } of this.#held.values()) clearTimeout(expiry)
  }

  #await(held: Held): void {
    const { expires_at } = held.holder
    if (expires_at === null) return
    const call = () => {
      if (this.#clock() >= expires_at) this.#end(({ id }) => id === held.holder.id)
      else this.#await(held)
    }
    held.expiry = after(expires_at - this.#clock(), call).unref()
  }

  #hear({ type, data, preData, project }: StoredEvent): void {
    if (OF_TOKENS.has(type)) {
      const ids = [idOf(data), idOf(preData)]
      this.#end(({ id }) => ids.includes(id))
    } else if (OF_PEOPLE.test(type) || (type === 'project-updated' && modeOf(data) !== modeOf(preData)))
      this.#end(({ id }) => id.startsWith('personal '))
    else if (type === 'project-deleted') this.#end(({ projects }) => projects.some((own) => own === project))
  }

  #end(isMeant: (holder: StreamHolder) => boolean): void {
    for (const { holder, streams } of this.#held.values()) {
      if (isMeant(holder)) for (const stream of streams) stream.end()
    }
  }
}

function idOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'id' in state ? state.id : undefined
}

/** Returns a project's mode, which decides who can see the project. */
function modeOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'mode' in state ? state.mode : undefined
}
