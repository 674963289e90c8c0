import { fileURLToPath } from 'node:url'
import { freePort } from '@burgee/kit/free-port'
import { type MeasuredProcess, pinnedTo, startMeasured } from './measured-process.ts'

/** A raw `node:http` server: whatever more a server costs, it costs by doing something. */
export interface Floor extends MeasuredProcess {
  readonly port: number
  /** From now on every request is answered so. */
  readonly answer: (how: FloorAnswer) => Promise<unknown>
}

/** What a floor says to whatever it is asked. */
export interface FloorAnswer {
  readonly status: 200 | 304
  /** Of a body of JSON; a 304 has none. */
  readonly bytes: number
}

const SCRIPT = fileURLToPath(new URL('http/floor.mjs', import.meta.url))

/** Starts it; on the first core where `pin`, as of `pinnedTo`, is left out. */
export async function startFloor(pin: readonly string[] = pinnedTo(0)): Promise<Floor> {
  const port = await freePort('127.0.0.1')
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 200
  const env = { PORT: String(port), NODE_ENV: 'production' }
  const started = await startMeasured({ name: 'floor', args: [SCRIPT], env, pin, isReady })
  return { ...started, port, answer: (answer) => started.ask({ answer }) }
}
