import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ConnectionDispatcher } from './connection-dispatcher.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

type Heard = (message: ToPrimary<unknown>) => void

/** Creates a dispatcher, workers whose messages the test sends, and numbered connections. */
function dispatched() {
  const dispatcher = new ConnectionDispatcher()
  const sockets: Socket[] = []
  const worker = () => {
    const got: number[] = []
    let hear: Heard = () => {}
    const leave = dispatcher.join({
      send: (_message: ToWorker<unknown>, socket?: Socket) => void got.push(sockets.indexOf(socket as Socket)),
      listen: (listener: Heard) => {
        hear = listener
      },
    })
    const takes = (isTaken: boolean) => hear({ kind: 'connection', isTaken })
    return { got, leave, says: (kind: 'open' | 'shut') => hear({ kind }), takes }
  }
  const come = (count: number, address = '192.0.2.1') => {
    for (let at = 0; at < count; at += 1) {
      const socket = new Socket()
      Object.defineProperty(socket, 'remoteAddress', { value: address })
      sockets.push(socket)
      dispatcher.take(socket)
    }
  }
  return { dispatcher, sockets, worker, come, ended: () => sockets.map(({ destroyed }) => destroyed) }
}

test('workers get connections in turn, each the next one when it has taken the last', () => {
  const { worker, come, ended } = dispatched()
  const [one, two] = [worker(), worker()]
  one.says('open')
  two.says('open')
  come(4)
  expect([one.got, two.got]).toEqual([[0], [1]])
  two.takes(true)
  expect([one.got, two.got]).toEqual([[0], [1, 2]])
  // the dispatcher's copy is closed, because the worker has one
  expect(ended()).toEqual([false, true, false, false])
  one.takes(true)
  expect([one.got, two.got]).toEqual([
    [0, 3],
    [1, 2],
  ])
})

test('connections a dead worker had not accepted are closed; queued ones go to its successor', () => {
  const { worker, come, ended } = dispatched()
  const old = worker()
  come(1)
  expect(old.got).toEqual([])
  old.says('open')
  come(2)
  old.leave()
  expect([old.got, ended()]).toEqual([[0], [true, false, false]])
  const next = worker()
  next.says('open')
  next.takes(true)
  expect(next.got).toEqual([1, 2])
})

test('one that takes no more gives back what was on its way', () => {
  const { worker, come, ended } = dispatched()
  const [one, two] = [worker(), worker()]
  one.says('open')
  come(2)
  one.says('shut')
  one.takes(false)
  two.says('open')
  two.takes(true)
  expect([one.got, two.got, ended()]).toEqual([[0], [0, 1], [true, false]])
})

test('more than can wait, and what waits at the end, is closed', () => {
  const { dispatcher, come, ended } = dispatched()
  come(1025)
  expect([ended().indexOf(true), ended().filter(Boolean).length]).toEqual([1024, 1])
  dispatcher.close()
  expect(ended().every(Boolean)).toBe(true)
})

test('connections of a network that opens many neither keep others out nor delay them', () => {
  const { worker, come, ended } = dispatched()
  const only = worker()
  come(1024, '2001:db8::1')
  come(1, '192.0.2.1')
  come(2, '2001:db8::2')
  come(1, '198.51.100.1')
  const closed = ended().flatMap((isEnded, index) => (isEnded ? [index] : []))
  // the newest connections of the large network; its two late connections are in the /64 of the flood
  expect(closed).toEqual([1022, 1023, 1025, 1026])
  only.says('open')
  for (let count = 0; count < 4; count += 1) only.takes(true)
  expect(only.got).toEqual([0, 1024, 1027, 1, 2])
})
