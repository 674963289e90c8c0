import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { isLong, LongBodies, type LongBody } from './long-body.ts'

const KB = 1024
const body = Buffer.alloc(1000 * KB, 'abcdefghij')

/** Creates a stream that accepts data at once or with a delay, like the operating system. */
function sink(isSlow: boolean) {
  const parts: Buffer[] = []
  const write = (part: Buffer, _encoding: string, taken: () => void) => {
    parts.push(part)
    if (isSlow) setTimeout(taken, 2)
    else taken()
  }
  return { parts, stream: new Writable({ write }) }
}

test.each([
  ['a text', 'x'.repeat(1000 * KB), false],
  ['nothing', undefined, false],
  ['a part', Buffer.alloc(64 * KB), false],
  ['more than a part', Buffer.alloc(64 * KB + 1), true],
])('detects a long body: %s', (_name, given, expected) => {
  expect(isLong(given)).toBe(expected)
})

/** Returns a long body that does nothing when its callbacks are called. */
const longBody = (own: Partial<LongBody> = {}): LongBody => ({
  body,
  group: 'a',
  onQueued: () => {},
  onWait: () => {},
  onDone: () => {},
  ...own,
})

/** Counts turns of the event loop until `stop` is called. */
function countTurns() {
  let [turns, isStopped] = [0, false]
  const count = () => {
    turns += 1
    if (!isStopped) setImmediate(count)
  }
  setImmediate(count)
  return {
    get turns() {
      return turns
    },
    stop() {
      isStopped = true
    },
  }
}

test.each([
  ['takes it at once', false, 0],
  ['reads slowly', true, 16],
])('a body leaves in parts, over several turns, if the client %s', async (_name, isSlow, waited) => {
  const { parts, stream } = sink(isSlow)
  const counter = countTurns()
  let waits = 0
  await new Promise<void>((onDone) => new LongBodies().write(stream, longBody({ onWait: () => void waits++, onDone })))
  counter.stop()
  expect(parts.map(({ length }) => length / KB)).toEqual([...Array<number>(15).fill(64), 40])
  expect(Buffer.concat(parts).equals(body)).toBe(true)
  expect(counter.turns).toBeGreaterThanOrEqual(3)
  expect(waits).toBe(waited)
})

test('all bodies together write at most 256 KiB per turn', async () => {
  const bodies = new LongBodies()
  const perTurn: number[] = []
  const counter = countTurns()
  const write = (part: Buffer, _encoding: string, taken: () => void) => {
    perTurn[counter.turns] = (perTurn[counter.turns] ?? 0) + part.length
    taken()
  }
  await Promise.all(
    Array.from(
      { length: 50 },
      () => new Promise<void>((onDone) => bodies.write(new Writable({ write }), longBody({ onDone }))),
    ),
  )
  counter.stop()
  const bytes = perTurn.filter((one) => one !== undefined)
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBe(50 * body.length)
  // a turn of the counter can include the ends of two turns of the bodies
  expect(Math.max(...bytes)).toBeLessThanOrEqual(2 * 256 * KB)
})

test('the body of one caller overtakes the bodies of a caller with many connections', async () => {
  const bodies = new LongBodies()
  const done: string[] = []
  const write = (group: string) =>
    new Promise<void>((resolve) => {
      const onDone = () => resolve(void done.push(group))
      bodies.write(sink(false).stream, longBody({ group, onDone }))
    })
  await Promise.all([...Array.from({ length: 50 }, () => write('many')), write('one')])
  expect(done.indexOf('one')).toBeLessThan(3)
})

test('a body is written at once while the turn has room for it', async () => {
  const bodies = new LongBodies()
  const half = Buffer.alloc(128 * KB)
  expect([half, half, half].map((one) => bodies.takesWhole(one))).toEqual([true, true, false])
  await new Promise((resolve) => setImmediate(resolve))
  expect(bodies.takesWhole(half)).toBe(true)
  for (let index = 0; index < 3; index += 1) bodies.write(sink(false).stream, longBody())
  expect(bodies.takesWhole(half)).toBe(false)
})

test('a part that waits for its turn is reported, so that its memory is charged', async () => {
  const bodies = new LongBodies()
  let queued = 0
  await Promise.all(
    Array.from(
      { length: 3 },
      () =>
        new Promise<void>((onDone) =>
          bodies.write(sink(false).stream, longBody({ onQueued: () => void queued++, onDone })),
        ),
    ),
  )
  expect(queued).toBeGreaterThan(10)
})

test('nothing more is written or reported once the connection is closed', async () => {
  const { parts, stream } = sink(false)
  const told: string[] = []
  stream.on('error', () => {})
  new LongBodies().write(stream, longBody({ onDone: () => void told.push('done') }))
  stream.destroy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([parts.length, told]).toEqual([1, []])
})
