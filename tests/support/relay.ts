import { connect, createServer, type Socket } from 'node:net'

/** Handling of relayed traffic: forwarded, refused, or silently dropped. */
export type RelayMode = 'through' | 'refused' | 'swallowed'

/** Target of a relay. */
export interface RelayTarget {
  readonly host: string
  readonly port: number
}

/** TCP relay whose connections can be cut. */
export interface Relay {
  readonly port: number
  /** Switches the mode of existing and new connections. */
  become(mode: RelayMode): void
  /**
   * Routes new connections to another server, like a DNS change after a failover. Existing connections are not moved.
   */
  lead(target: RelayTarget): void
  /** Drops data on existing connections while new connections work, like a firewall that lost its state. */
  forget(): void
  /**
   * Loses one reply. From the first request that `isRequest` matches, nothing more is sent back on its connection. When
   * a reply that `isReply` matches arrives, closes both ends of its connection and resolves.
   */
  cutBeforeReply(isRequest: (bytes: Buffer) => boolean, isReply: (bytes: Buffer) => boolean): Promise<void>
  /** Forwards requests in the form that `change` returns. Closes the connection if `change` returns undefined.  */
  alterRequests(change: (bytes: Buffer) => Buffer | undefined): void
  close(): Promise<void>
}

/** Reply to lose. */
interface LostReply {
  readonly isRequest: (bytes: Buffer) => boolean
  readonly isReply: (bytes: Buffer) => boolean
  readonly done: () => void
}

/** Opens a relay to a server. */
export async function openRelay(first: RelayTarget): Promise<Relay> {
  let target = first
  let forgottenBefore = 0
  let count = 0
  let mode: RelayMode = 'through'
  let lostReply: LostReply | undefined
  let alter = (bytes: Buffer): Buffer | undefined => bytes
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
    const pass = (from: Socket, to: Socket, read: (bytes: Buffer) => Buffer | undefined) => {
      from.on('data', (bytes) => {
        const sent = read(bytes)
        if (sent !== undefined && mode === 'through' && own > forgottenBefore) to.write(sent)
      })
      from.on('close', () => to.destroy())
    }
    pass(near, far, (bytes) => {
      if (lostReply?.isRequest(bytes) === true) {
        losing = lostReply
        lostReply = undefined
      }
      const altered = alter(bytes)
      if (altered === undefined) near.destroy()
      return altered
    })
    pass(far, near, (bytes) => {
      if (losing === undefined) return bytes
      if (losing.isReply(bytes)) {
        near.destroy()
        losing.done()
      }
      return undefined
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
      // dropped bytes are lost, so resuming the connection would corrupt the protocol
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
    alterRequests(change) {
      alter = change
    },
    close: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      }),
  }
}
