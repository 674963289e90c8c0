/**
 * Module that is preloaded into a process. On SIGUSR2, parses names without storing them and prints how far V8 lets the
 * old generation grow between collections. Run by `heap-growth.test.ts`.
 */
import { getHeapSpaceStatistics } from 'node:v8'

const LIVE_DOCUMENTS = 50
const DROPPED_DOCUMENTS = 1000
const NAMES_EACH = 1000
const NAME_CHARACTERS = 200

let names = 0
const parseNames = (): unknown => {
  const pairs = Array.from({ length: NAMES_EACH }, () => {
    names += 1
    return `"${String(names).padEnd(NAME_CHARACTERS, 'x')}":1`
  })
  return JSON.parse(`{${pairs.join()}}`)
}
const measureOldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0

process.once('SIGUSR2', () => {
  const live = Array.from({ length: LIVE_DOCUMENTS }, parseNames)
  let before = 0
  const growths: number[] = []
  for (let index = 0; index < DROPPED_DOCUMENTS; index += 1) {
    parseNames()
    const bytes = measureOldBytes()
    if (bytes < before) growths.push(before / bytes)
    before = bytes
  }
  // keep the live documents in use until here
  if (live.length !== LIVE_DOCUMENTS) throw new Error('Documents were dropped')
  process.stdout.write(`\nheap growths: ${JSON.stringify(growths)}\n`)
})
