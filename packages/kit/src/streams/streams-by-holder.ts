import type { EventStream } from './event-streams.ts'

interface HolderStreams<Holder> {
  readonly holder: Holder
  readonly streams: Set<EventStream>
}

/**
 * Open streams, grouped by the credentials (the holder) with which they were opened. When the credentials become
 * invalid, their streams are ended.
 */
export class StreamsByHolder<Holder extends { readonly id: string }> {
  readonly #holders = new Map<string, HolderStreams<Holder>>()

  /** Returns true if a holder has any open streams. */
  has(id: string): boolean {
    return this.#holders.has(id)
  }

  /**
   * Adds a stream. Returns a function that must be called when the stream has ended, and that removes
   * it.
   */
  add(stream: EventStream, holder: Holder): () => void {
    const held = this.#holders.get(holder.id) ?? { holder, streams: new Set<EventStream>() }
    this.#holders.set(holder.id, held)
    held.streams.add(stream)
    return () => {
      held.streams.delete(stream)
      if (held.streams.size === 0) this.#holders.delete(holder.id)
    }
  }

  /** Ends all streams of one holder. */
  end(id: string): void {
    for (const stream of [...(this.#holders.get(id)?.streams ?? [])]) stream.end()
  }

  /** Ends all streams whose holders match a condition. */
  endWhere(isMeant: (holder: Holder) => boolean): void {
    for (const { holder } of [...this.#holders.values()]) if (isMeant(holder)) this.end(holder.id)
  }
}
