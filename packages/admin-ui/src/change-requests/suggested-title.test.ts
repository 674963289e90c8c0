import { expect, test } from 'vitest'
import { suggestTitle } from './suggested-title.ts'
import { REQUEST_TEXTS } from './texts.ts'

type Request = Parameters<typeof suggestTitle>[0]
const change = (action: string, payload: object = {}) => ({ id: 1, action, payload })
const on = change('updateEnabled', { enabled: true })
const off = change('updateEnabled', { enabled: false })
const archive = change('archiveFeature')
const request = (features: object, segments: readonly string[] = [], title = 'Change request #7') =>
  ({
    title,
    features: Object.entries(features).map(([name, changes]) => ({ name, changes })),
    segments: segments.map((name) => ({ ...change('updateSegment'), name })),
  }) as unknown as Request

test.each([
  [request({ banner: [on] }), 'Turn on: banner'],
  [request({ banner: [off] }), 'Turn off: banner'],
  [request({ banner: [change('addStrategy'), on] }), 'banner'],
  [request({ a: [archive], b: [archive] }), 'Archive the flag: a, b'],
  [request({ a: [on], b: [archive] }), 'a, b'],
  [request({ a: [on], b: [on], c: [on], d: [on] }), 'Turn on: a, b and 2 more'],
  [request({}, ['staff']), 'Change the segment: staff'],
  [request({}), 'Change request #7'],
  [request({ banner: [on] }, [], 'Black Friday'), 'Black Friday'],
])('%j is suggested as "%s"', (draft, title) => {
  expect(suggestTitle(draft, REQUEST_TEXTS.en)).toBe(title)
})
