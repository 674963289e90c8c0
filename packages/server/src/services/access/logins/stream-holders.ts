import type { EventStream } from '@burgee/kit/streams/event-streams'
import { after } from '@burgee/kit/timer'
import type { StoredEvent } from '../../../store/events/events.ts'
import type { World } from '../../world.ts'

/** By which credentials a stream was opened. */
export interface StreamHolder {
  /** As `Access` has it: of a token its id, of a person's own one 'personal <id>'. */
  readonly id: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** In milliseconds since 1970; null for one that does not run out. */
  readonly expires_at: number | null
}

interface Held {
  readonly holder: StreamHolder
  readonly streams: Set<EventStream>
  expiry: NodeJS.Timeout | undefined
}

/**
 * Whoever comes by a person's token is that person, or that program, whose rights may have changed. A new project is one
 * that they may see, or one that they may not.
 */
const OF_PEOPLE =
  /^(pat-deleted|project-created|(user|service-account)-(updated|deleted)|(group|role|project-access)-.+)$/
const OF_TOKENS: ReadonlySet<string> = new Set(['api-token-updated', 'api-token-deleted'])

/**
 * Ends streams whose credentials have ended or may have changed, at once: what is told after that event does not reach
 * them. Clients come again and are looked at anew.
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

  /** A stream lasts as long as its credentials do; to be called where it begins. The result forgets it. */
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

/** Who finds a project follows from its mode. */
function modeOf(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'mode' in state ? state.mode : undefined
}
