import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { isLong, writeInParts } from './long-body.ts'

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
  ['a part', Buffer.alloc(256 * KB), false],
  ['more than a part', Buffer.alloc(256 * KB + 1), true],
])('detects a long body: %s', (_name, given, expected) => {
  expect(isLong(given)).toBe(expected)
})

test.each([
  ['takes it at once', false, 0],
  ['reads slowly', true, 4],
])('it leaves in parts, each in a turn of its own, where the client %s', async (_name, isSlow, waited) => {
  const { parts, stream } = sink(isSlow)
  let [turns, waits] = [0, 0]
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await new Promise<void>((done) => writeInParts(stream, body, { onWait: () => void waits++, onDone: done }))
  isDone = true
  expect(parts.map(({ length }) => length / KB)).toEqual([256, 256, 256, 232])
  expect(Buffer.concat(parts).equals(body)).toBe(true)
  expect(turns).toBeGreaterThanOrEqual(3)
  expect(waits).toBe(waited)
})

test('nothing more is written or reported once the connection is closed', async () => {
  const { parts, stream } = sink(false)
  const told: string[] = []
  stream.on('error', () => {})
  writeInParts(stream, body, { onWait: () => {}, onDone: () => void told.push('done') })
  stream.destroy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([parts.length, told]).toEqual([1, []])
})
