import cluster, { type Worker } from 'node:cluster'
import type { WorkerProcess } from '@burgee/proxy/workers/crew'
import type { Channel, ToPrimary, ToWorker } from '@burgee/proxy/workers/messages'

/** Starts this command once more, as a worker that shares the port with the others. */
export function forkWorker(): WorkerProcess {
  const worker = cluster.fork()
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const listening = new Promise<number>((resolve, reject) => {
    worker.once('listening', ({ port }) => resolve(port))
    void ended.then((how) => reject(new Error(`A worker could not start (${how})`)))
  })
  // whoever waits for it hears of it; nobody has to
  listening.catch(() => {})
  return { channel: channelTo(worker), listening, ended, stop: () => worker.process.kill('SIGTERM') }
}

function channelTo(worker: Worker): Channel<ToWorker, ToPrimary> {
  // a worker that ends while it is written to says so by its end
  worker.on('error', () => {})
  return {
    send: (message) => {
      if (worker.isConnected()) worker.send(message)
    },
    listen: (listener) => worker.on('message', (message: ToPrimary) => listener(message)),
  }
}

/** A worker's own end of the line. A primary process that is gone ends the worker, as a signal would. */
export function channelToPrimary(): Channel<ToPrimary, ToWorker> {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  return {
    send: (message) => {
      if (process.connected) process.send?.(message)
    },
    listen: (listener) => process.on('message', (message: ToWorker) => listener(message)),
  }
}
