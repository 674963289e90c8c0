import cluster, { type Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { Channel, ToPrimary, ToWorker } from '@burgee/proxy/workers/messages'
import type { WorkerProcess } from '@burgee/proxy/workers/worker-pool'

/** Starts this command once more, as a worker that gets its share of the connections. */
export function forkWorker(): WorkerProcess {
  // a configuration is a long text, which this way is copied and not written and read as JSON
  cluster.setupPrimary({ serialization: 'advanced' })
  const worker = cluster.fork()
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const channel = channelTo(worker)
  const open = new Promise<void>((resolve, reject) => {
    channel.listen(({ kind }) => {
      if (kind === 'open') resolve()
    })
    void ended.then((how) => reject(new Error(`A worker could not start (${how})`)))
  })
  // whoever waits for it hears of it; nobody has to
  open.catch(() => {})
  return {
    channel,
    open,
    ended,
    stop: () => channel.send({ kind: 'stop' }),
    kill: () => void worker.process.kill('SIGKILL'),
  }
}

/** No worker outlives this process when it gives up waiting for one: one that hangs would not hear of its end. */
export function killWorkersAtExit(): void {
  process.on('exit', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  })
}

function channelTo(worker: Worker): Channel<ToWorker, ToPrimary> {
  // a worker that ends while it is written to says so by its end
  worker.on('error', () => {})
  return {
    send: (message, socket) => {
      if (worker.isConnected()) worker.process.send(message, socket, { keepOpen: true })
    },
    listen: (listener) => worker.on('message', (message: ToPrimary) => listener(message)),
  }
}

/** A worker's own end of the link. A primary process that is gone ends the worker, as a signal would. */
export function channelToPrimary(): Channel<ToPrimary, ToWorker> {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  return {
    send: (message) => {
      if (process.connected) process.send?.(message)
    },
    listen: (listener) => {
      process.on('message', (message: ToWorker, socket?: Socket) => listener(message, socket))
      // there is nobody to wait for
      process.on('disconnect', () => listener({ kind: 'stop' }))
    },
  }
}
