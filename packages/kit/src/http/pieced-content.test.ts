import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { computeWeakEtag } from './etag.ts'
import { PiecedContent } from './pieced-content.ts'

const makeContent = (pieces: readonly string[]) => {
  const content = new PiecedContent()
  for (const piece of pieces) content.add(piece)
  return content
}

describe('a body in pieces', () => {
  test.each([[[]], [['whole']], [['ä', '', 'b'.repeat(100_000), '💡']]])(
    'has bytes, length and ETag of the joined text: %#',
    (pieces) => {
      const content = makeContent(pieces)
      const text = pieces.join('')
      expect(content.bytes().toString()).toBe(text)
      expect([content.length, content.etag]).toEqual([Buffer.byteLength(text), computeWeakEtag(text)])
    },
  )

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
  ] as const)('decompresses from %s to the same bytes', async (coding, decompress) => {
    const content = makeContent(['ä', 'b'.repeat(100_000)])
    expect(decompress(await content.encoded(coding)).equals(content.bytes())).toBe(true)
  })
})
