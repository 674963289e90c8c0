import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { diagramSvg } from '../../scripts/diagrams/diagram-svg.mjs'

/** Diagrams are drawn from docs/diagrams; `npm run check` reports pictures that differ from their text. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const FILES = globSync('docs/diagrams/*.txt', { cwd: ROOT })
const HEAD = 'title A diagram\nsize 400 200\nbox a 10 10 80 40 burgee A\nbox b 10 120 80 40 data B\n'
/** Upper bound of the width of a bold character of 13 pixels. */
const CHARACTER_WIDTH = 7.5

test('there are diagrams', () => {
  expect(FILES.length).toBeGreaterThan(2)
})

test.each(FILES)('%s: each box is inside the picture and holds its text', (path) => {
  const source = readFileSync(join(ROOT, path), 'utf8')
  const [, width = '', height = ''] = /^size (\d+) (\d+)$/m.exec(source) ?? []
  const boxes = [...source.matchAll(/^box \S+ (\d+) (\d+) (\d+) (\d+) \S+ (.+)$/gm)]
  expect(boxes.length).toBeGreaterThan(3)
  for (const [line, x, y, boxWidth, boxHeight, text = ''] of boxes) {
    expect(Number(x) + Number(boxWidth), line).toBeLessThanOrEqual(Number(width))
    expect(Number(y) + Number(boxHeight), line).toBeLessThanOrEqual(Number(height))
    const longest = Math.max(...text.split('|').map((one) => one.trim().length))
    expect(longest * CHARACTER_WIDTH, line).toBeLessThanOrEqual(Number(boxWidth))
  }
})

test('an arrow connects the sides that face each other', () => {
  expect(diagramSvg(`${HEAD}arrow a b down`)).toContain('<path d="M50 50 50 120"')
  expect(diagramSvg(`${HEAD}dashed b a`)).toContain('<path d="M50 120 50 50"')
})

test('texts are escaped', () => {
  expect(diagramSvg(`${HEAD}note 1 1 a <b> & c`)).toContain('>a &lt;b&gt; &amp; c</text>')
})

describe('rejects', () => {
  test.each([
    ['an unknown element', `${HEAD}circle 1 2`, 'Unknown element: circle 1 2'],
    ['an unknown kind of box', `${HEAD}box c 1 2 3 4 red C`, 'Unknown kind of box: box c 1 2 3 4 red C'],
    ['an arrow to an unknown box', `${HEAD}arrow a c`, 'Unknown box: c'],
    ['a text for a number', `${HEAD}note 1 x text`, 'Expects numbers: note 1 x text'],
    ['boxes that overlap', `${HEAD}box c 20 20 80 40 data C\narrow a c`, 'Boxes overlap: a and c'],
    ['a diagram without a size', 'title A', 'A diagram needs a title and a size'],
  ])('%s', (_name, source, message) => {
    expect(() => diagramSvg(source)).toThrow(message)
  })
})
