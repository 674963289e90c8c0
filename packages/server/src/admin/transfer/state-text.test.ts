import { PiecedContent } from '@burgee/kit/http/pieced-content'
import { describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import type { StatePiece } from './state-export.ts'
import { writeState } from './state-text.ts'

const makeRows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ name: `f${from + index}`, description: '"ä\u2028', list: [1, {}] }))

async function* iterate(pieces: readonly StatePiece[]) {
  yield* pieces
}

const CASES: [string, StatePiece[]][] = [
  [
    'no rows',
    [
      { part: 'features', rows: [] },
      { part: 'tags', rows: [] },
    ],
  ],
  [
    'one row',
    [
      { part: 'features', rows: makeRows(1) },
      { part: 'tags', rows: [] },
    ],
  ],
  ['a hundred and one rows', [{ part: 'features', rows: makeRows(101) }]],
  [
    'a part in several pieces, some of them empty',
    [
      { part: 'features', rows: [] },
      { part: 'features', rows: makeRows(150) },
      { part: 'features', rows: [] },
      { part: 'features', rows: makeRows(2, 150) },
      { part: 'tags', rows: makeRows(1) },
    ],
  ],
]

describe.each(CASES)('%s', (_name, pieces) => {
  const expected: Record<string, unknown> = { version: 4 }
  for (const { part, rows } of pieces) expected[part] = [...((expected[part] as unknown[]) ?? []), ...rows]

  test('gives the text of JSON.stringify', async () => {
    expect((await writeState(iterate(pieces), 'json')).bytes().toString()).toBe(JSON.stringify(expected))
  })

  test('gives YAML with the same content', async () => {
    const text = (await writeState(iterate(pieces), 'yaml')).bytes().toString()
    expect(parse(text)).toEqual(expected)
    expect(text).not.toContain('\u2028')
  })
})

test.each(['json', 'yaml'] as const)('%s gives other work a turn after a hundred rows at most', async (format) => {
  const added = vi.spyOn(PiecedContent.prototype, 'add')
  await writeState(iterate([{ part: 'features', rows: makeRows(1050) }]), format)
  const rows = added.mock.calls.map(([text]) => text.match(/name/g)?.length ?? 0).filter((count) => count > 0)
  added.mockRestore()
  expect(rows).toEqual([...Array.from({ length: 10 }, () => 100), 50])
})
