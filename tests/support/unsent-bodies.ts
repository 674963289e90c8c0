import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { splitList } from '@burgee/kit/split-list'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: readonly unknown[] }>>>>
}

/** Variant of a request that does not send its complete body. */
interface Announced {
  readonly name: string
  readonly headers: readonly string[]
  readonly begun?: Buffer
}

/** Most of a gzip bomb, as an attacker would send it. The test never sends the rest of the gzip bomb. */
const BOMB = gzipSync(Buffer.alloc(12_000_000, 32)).subarray(0, -9)
const LENGTH = `Content-Length: ${BOMB.length + 9}`
const ANNOUNCED: readonly Announced[] = [
  { name: 'announced', headers: ['Content-Length: 1000'] },
  { name: 'in chunks', headers: ['Transfer-Encoding: chunked'] },
  { name: 'nearly all of a bomb', headers: ['Content-Encoding: gzip', LENGTH], begun: BOMB },
]
const PATIENCE_MS = 10_000
const AT_ONCE = 25

/** Lists the calls for which a document requires authentication, as `POST /api/…`, with values for parameters. */
export function guardedCalls({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security = [] }]) => security.length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, 'x')}`),
  )
}

/**
 * Sends the calls without their announced bodies, with each credential. Returns the calls that are not rejected with
 * 401 or 403, as `POST /path, announced, key x → 400`.
 */
export async function unrefused(
  url: string,
  calls: readonly string[],
  credentials: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { port } = new URL(url)
  const asked = calls.flatMap((call) =>
    ANNOUNCED.flatMap((announced) =>
      Object.entries(credentials).map(([who, header]) => ({ call, announced, who, header })),
    ),
  )
  const wrong: string[] = []
  for (const part of splitList(asked, AT_ONCE)) {
    const sent = part.map(async ({ call, announced, who, header }) => {
      const status = await statusOf(Number(port), call, announced, header)
      if (status !== '401' && status !== '403') wrong.push(`${call}, ${announced.name}, ${who} → ${status}`)
    })
    await Promise.all(sent)
  }
  return wrong
}

function statusOf(port: number, call: string, { headers, begun }: Announced, header: string): Promise<string> {
  const lines = [`${call} HTTP/1.1`, 'Host: h', 'Content-Type: application/json', ...headers]
  if (header !== '') lines.push(header)
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setTimeout(PATIENCE_MS)
    socket.on('data', (piece) => {
      received += String(piece)
      socket.destroy()
    })
    socket.on('timeout', () => socket.destroy()).on('error', () => {})
    socket.once('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'nothing'))
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (begun !== undefined) socket.write(begun)
  })
}
