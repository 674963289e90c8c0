import { fileURLToPath } from 'node:url'
import { findFreePort } from '@burgee/kit/free-port'
import { type MeasuredProcess, pinnedTo, startMeasured } from './measured-process.ts'

/** Raw `node:http` server that does minimal work. Its cost is the lower bound for the cost of any server. */
export interface Floor extends MeasuredProcess {
  readonly port: number
  /** Sets the response to all later requests. */
  readonly answer: (how: FloorAnswer) => Promise<unknown>
}

/** Response that this minimal server sends to every request. */
export interface FloorAnswer {
  readonly status: 200 | 304
  /** Size of the JSON body in bytes; a 304 has no body. */
  readonly bytes: number
}

const SCRIPT = fileURLToPath(new URL('http/floor.mjs', import.meta.url))

/** Starts the minimal server, on the first core unless `pin` (from `pinnedTo`) is given. */
export async function startFloor(pin: readonly string[] = pinnedTo(0)): Promise<Floor> {
  const port = await findFreePort('127.0.0.1')
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 200
  const env = { PORT: String(port), NODE_ENV: 'production' }
  const started = await startMeasured({ name: 'floor', args: [SCRIPT], env, pin, isReady })
  return { ...started, port, answer: (answer) => started.ask({ answer }) }
}
