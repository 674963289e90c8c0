import cluster, { type Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import type { PrimaryChannel, ToPrimary, ToWorker, WorkerChannel } from '@burgee/kit/workers/messages'
import type { WorkerProcess } from '@burgee/kit/workers/worker-pool'

/** Forks this command as a worker that handles part of the connections. */
export function forkWorker<Down, Up>(): WorkerProcess<WorkerChannel<Down, Up>> {
  // in this mode, the long configuration string is copied instead of being encoded as JSON
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
  // prevents an unhandled rejection if nothing awaits the promise
  open.catch(() => {})
  return {
    channel,
    open,
    ended,
    stop: () => channel.send({ kind: 'stop' }),
    kill: () => void worker.process.kill('SIGKILL'),
  }
}

/** Kills all workers when this process exits, because a worker that hangs would not notice the exit. */
export function killWorkersAtExit(): void {
  process.on('exit', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  })
}

function channelTo<Down, Up>(worker: Worker): WorkerChannel<Down, Up> {
  // a worker that exits during a write is handled by its 'exit' event
  worker.on('error', () => {})
  return {
    send: (message, socket) => {
      if (worker.isConnected()) worker.process.send(message, socket, { keepOpen: true })
    },
    listen: (listener) => worker.on('message', (message: ToPrimary<Up>) => listener(message)),
  }
}

/**
 * Returns the worker's end of its link to the primary process. If the primary process exits, the worker stops as if it
 * had received a signal.
 */
export function channelToPrimary<Down, Up>(): PrimaryChannel<Down, Up> {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  return {
    send: (message) => {
      if (process.connected) process.send?.(message)
    },
    listen: (listener) => {
      process.on('message', (message: ToWorker<Down>, socket?: Socket) => listener(message, socket))
      // the primary process is gone, so the worker stops without waiting for its reply
      process.on('disconnect', () => listener({ kind: 'stop' }))
    },
  }
}
