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
  close(): Promise<void>
}

/** Opens a way to a server on this machine. */
export async function openRelay(first: RelayTarget): Promise<Relay> {
  let target = first
  let forgottenBefore = 0
  let count = 0
  let mode: RelayMode = 'through'
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
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (mode === 'through' && own > forgottenBefore) to.write(bytes)
      })
      from.on('close', () => to.destroy())
    }
    pass(near, far)
    pass(far, near)
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
    close: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      }),
  }
}
