import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { MemorySeal } from './memory-seal.ts'

const TEXT = 'somebody@example.com'

test('sealed text opens to the original, and only with its own seal', () => {
  const seal = new MemorySeal(randomBytes)
  const plain = Buffer.from(TEXT)
  const sealed = seal.close(plain)
  expect(sealed.bytes.includes('somebody')).toBe(false)
  expect(seal.open(sealed, String)).toBe(TEXT)
  expect(new MemorySeal(randomBytes).open(sealed, String)).not.toBe(TEXT)
})

test('the plain buffer is overwritten after sealing, and so is the opened one', () => {
  const seal = new MemorySeal(randomBytes)
  const plain = Buffer.from(TEXT)
  const sealed = seal.close(plain)
  expect(plain).toEqual(Buffer.alloc(TEXT.length))
  expect(seal.open(sealed, (opened) => opened)).toEqual(Buffer.alloc(TEXT.length))
})

test('the same text seals to different bytes each time, so that repeats are not recognizable', () => {
  const seal = new MemorySeal(randomBytes)
  const [first, second] = [seal.close(Buffer.from(TEXT)), seal.close(Buffer.from(TEXT))]
  expect(first.bytes).not.toEqual(second.bytes)
})

test('once the key is forgotten it cannot be opened any more', () => {
  const seal = new MemorySeal(randomBytes)
  const sealed = seal.close(Buffer.from(TEXT))
  seal.forget()
  expect(seal.open(sealed, String)).not.toBe(TEXT)
})
