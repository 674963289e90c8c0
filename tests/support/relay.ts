import { connect, createServer, type Socket } from 'node:net'

/** What becomes of what is sent through a relay: it arrives, it is refused, or it vanishes without a word. */
export type RelayMode = 'through' | 'refused' | 'swallowed'

/** Where a relay leads. */
export interface RelayTarget {
  readonly host: string
  readonly port: number
}

/** A way to a TCP server that can be cut. */
export interface Relay {
  readonly port: number
  /** Holds for connections that there are as well as for new ones. */
  become(mode: RelayMode): void
  /** Leads new connections to another server, as a name does after a failover; those that there are stay. */
  lead(target: RelayTarget): void
  /** Swallows what is sent on connections that there are; new ones work, as behind a firewall that forgets. */
  forget(): void
  /**
   * Ends one connection, once: from the request on that `isRequest` accepts, nothing comes back on it, and both ends are
   * closed with the reply that `isReply` accepts. Resolves then.
   */
  cutBeforeReply(isRequest: (bytes: Buffer) => boolean, isReply: (bytes: Buffer) => boolean): Promise<void>
  close(): Promise<void>
}

/** A reply that is to be lost. */
interface LostReply {
  readonly isRequest: (bytes: Buffer) => boolean
  readonly isReply: (bytes: Buffer) => boolean
  readonly done: () => void
}

/** Opens a way to a server on this machine. */
export async function openRelay(first: RelayTarget): Promise<Relay> {
  let target = first
  let forgottenBefore = 0
  let count = 0
  let mode: RelayMode = 'through'
  let lostReply: LostReply | undefined
  const open = new Set<Socket>()
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (mode === 'refused') {
      near.destroy()
      return
    }
    const far = connect({ host: target.host, port: target.port })
    count += 1
    const own = count
    keep(far)
    let losing: LostReply | undefined
    const pass = (from: Socket, to: Socket, isBlocked: (bytes: Buffer) => boolean) => {
      from.on('data', (bytes) => {
        if (!isBlocked(bytes) && mode === 'through' && own > forgottenBefore) to.write(bytes)
      })
      from.on('close', () => to.destroy())
    }
    pass(near, far, (bytes) => {
      if (lostReply?.isRequest(bytes) === true) {
        losing = lostReply
        lostReply = undefined
      }
      return false
    })
    pass(far, near, (bytes) => {
      if (losing === undefined) return false
      if (losing.isReply(bytes)) {
        near.destroy()
        losing.done()
      }
      return true
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    become(next) {
      // what was swallowed is lost: a connection that goes on would speak nonsense
      if (next === 'refused' || mode === 'swallowed') cut()
      mode = next
    },
    lead(next) {
      target = next
    },
    forget() {
      forgottenBefore = count
    },
    cutBeforeReply: (isRequest, isReply) =>
      new Promise((done) => {
        lostReply = { isRequest, isReply, done }
      }),
    close: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      }),
  }
}
