import { connect, type Socket } from 'node:net'

/** Upload that sends only its request head. */
export interface Upload {
  readonly path: string
  /** Address sent in `X-Forwarded-For`. */
  readonly from: string
  /** Credential headers, one per line. */
  readonly credentials: readonly string[]
  readonly bytes: number
}

/** Requests that announce a body but never send it. */
export class AnnouncedBodies {
  readonly #sockets: Socket[] = []

  /**
   * Announces a body and resolves with the reply to the request head. Status 100 means that the server accepts the
   * upload.
   */
  announce(port: number, { path, from, credentials, bytes }: Upload): Promise<string> {
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: h',
      'Content-Type: application/json',
      `X-Forwarded-For: ${from}`,
      ...credentials,
      `Content-Length: ${bytes}`,
      'Expect: 100-continue',
    ]
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      this.#sockets.push(socket)
      let received = ''
      socket.on('error', () => {})
      socket.on('data', (piece) => {
        received += String(piece)
        if (/^HTTP\/1\.1 100 /.test(received) || /\r\n\r\n\S/.test(received)) resolve(received)
      })
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    })
  }

  /** Closes all connections. */
  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy()
  }
}
