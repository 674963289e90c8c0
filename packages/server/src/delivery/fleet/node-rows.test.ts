import { ConnectionBook } from '@burgee/serving/connections/connection-book'
import { expect, test } from 'vitest'
import { formatHashes, MAX_MESSAGE_BYTES, MAX_PARTS, parseHashes } from './node-message.ts'
import { divideConnections } from './node-rows.ts'

const INTERVAL_MS = 15_000
const NOW = 1_000_000
const EPOCH = 'e1'

function createBook(): { book: ConnectionBook; poll: (name: string, projects: string[], agoMs?: number) => void } {
  let now = NOW
  const book = new ConnectionBook({ clock: () => now, maxConnections: 25_000 })
  const poll = (appName: string, projects: string[], agoMs = 0) => {
    now = NOW - agoMs
    const headers = {
      'unleash-connection-id': `${appName}-${book.size}`,
      'unleash-appname': appName,
      'unleash-sdk': appName === 'an-edge' ? 'burgee-edge:0.1.0' : 'unleash-node-sdk:6.12.1',
      'unleash-interval': String(INTERVAL_MS),
    }
    const caller = { method: 'GET', url: '/', headers, params: {}, remoteAddress: '10.0.0.1', id: 'r' }
    book.recordUnchanged({ environment: 'development', projects }, caller, { epoch: EPOCH, id: 7 })
    now = NOW
  }
  return { book, poll }
}

test('hashes of 48 bits keep their values in a message', () => {
  const hashes = [0, 1, 2 ** 24, 2 ** 32 + 5, 2 ** 48 - 1]
  expect([...parseHashes(formatHashes(hashes))]).toEqual(hashes)
})

test('groups connections by application, revision and lateness, without edges', () => {
  const { book, poll } = createBook()
  for (const agoMs of [0, 5, 30_000]) poll('shop', ['default'], agoMs)
  poll('an-edge', ['default'])
  const { connections, edges, parts, isPartial } = divideConnections(book, NOW, () => EPOCH)
  expect({ connections, edges, isPartial }).toEqual({ connections: 3, edges: 1, isPartial: false })
  expect(parts.flat().map((row) => [...row.slice(0, 6), parseHashes(row[6]).length])).toEqual([
    ['development', ['default'], 'shop', 7, NOW - 5, false, 2],
    ['development', ['default'], 'shop', 7, NOW - 30_000, true, 1],
  ])
  expect(divideConnections(book, NOW, () => 'e2').parts.flat()[0]?.[3]).toBe(0)
})

test('every message stays below the limit of notifications, also with 1,000 projects and 20,000 connections', () => {
  const { book, poll } = createBook()
  const projects = Array.from({ length: 1000 }, (_, number) => `${'p'.repeat(96)}${String(number).padStart(4, '0')}`)
  for (let number = 0; number < 1000; number += 1) poll('of-many-projects', projects)
  for (let number = 0; number < 19_000; number += 1) poll(`ä${number % 50}`, ['default'])
  const { parts, isPartial } = divideConnections(book, NOW, () => EPOCH)
  expect(isPartial).toBe(false)
  expect(parts.length).toBeLessThanOrEqual(MAX_PARTS)
  for (const rows of parts) expect(Buffer.byteLength(JSON.stringify(rows)) + 400).toBeLessThan(MAX_MESSAGE_BYTES)
  const all = parts.flat()
  const ofDefault = all.filter((row) => row[1].includes('default')).map((row) => parseHashes(row[6]).length)
  expect(ofDefault.reduce((sum, count) => sum + count, 0)).toBe(19_000)
  expect(new Set(all.flatMap((row) => row[1])).size).toBe(1001)
})
