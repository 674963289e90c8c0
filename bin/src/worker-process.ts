import cluster, { type Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { PrimaryChannel, ToPrimary, ToWorker, WorkerChannel } from '@burgee/kit/workers/messages'
import type { WorkerProcess } from '@burgee/kit/workers/worker-pool'

/** Starts this command once more, as a worker that gets its share of the connections. */
export function forkWorker<Down, Up>(): WorkerProcess<WorkerChannel<Down, Up>> {
  // a configuration is a long text, which this way is copied and not written and read as JSON
  cluster.setupPrimary({ serialization: 'advanced' })
  const worker = cluster.fork()
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const channel = channelTo<Down, Up>(worker)
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

function channelTo<Down, Up>(worker: Worker): WorkerChannel<Down, Up> {
  // a worker that ends while it is written to says so by its end
  worker.on('error', () => {})
  return {
    send: (message, socket) => {
      if (worker.isConnected()) worker.process.send(message, socket, { keepOpen: true })
    },
    listen: (listener) => worker.on('message', (message: ToPrimary<Up>) => listener(message)),
  }
}

/** A worker's own end of the link. A primary process that is gone ends the worker, as a signal would. */
export function channelToPrimary<Down, Up>(): PrimaryChannel<Down, Up> {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  return {
    send: (message) => {
      if (process.connected) process.send?.(message)
    },
    listen: (listener) => {
      process.on('message', (message: ToWorker<Down>, socket?: Socket) => listener(message, socket))
      // there is nobody to wait for
      process.on('disconnect', () => listener({ kind: 'stop' }))
    },
  }
}
