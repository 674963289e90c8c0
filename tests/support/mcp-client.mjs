/**
 * Calls tools with an official client of the Model Context Protocol. Runs in a separate process, because the client's
 * dependencies export their sources under the condition with which the tests resolve packages. Arguments: the client,
 * the URL and the token. Reads calls from standard input, one JSON per line, and prints one result per line.
 */
import { createInterface } from 'node:readline'

const [kind, url, token] = process.argv.slice(2)
const requestInit = { headers: { authorization: `Bearer ${token}` } }

/** Connects a client. With `modern`, the client performs no handshake. */
async function connect() {
  if (kind === 'sdk') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const client = new Client({ name: 'official-sdk', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
    return client
  }
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const options = kind === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}
  const client = new Client({ name: 'official-client', version: '2.0.0' }, options)
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return client
}

const client = await connect()
const { tools } = await client.listTools()
process.stdout.write(`${JSON.stringify(tools.map(({ name }) => name))}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line)
  const result = call.name === 'resources' ? await client.listResources() : await client.callTool(call)
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
await client.close()
