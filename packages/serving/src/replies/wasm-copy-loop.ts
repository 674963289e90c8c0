/**
 * Part of the platform's WebAssembly API that this module uses. Neither ECMAScript's type declarations nor Node's
 * contain this API.
 */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly copy: CopySpans } }
}

/**
 * Copies spans of bytes to `to`, one after the other. The memory between the offsets `from` and `until` contains the
 * start and end of each span. Returns the offset that follows the last copied byte.
 */
type CopySpans = (from: number, until: number, to: number) => number

const WASM_PAGE_BYTES = 64 * 1024
const MAX_ENTRIES = 2048

/** Number of bytes reserved at the beginning. */
export const RESERVED_BYTES = MAX_ENTRIES * Uint32Array.BYTES_PER_ELEMENT

/**
 * WebAssembly loop that assembles responses. For spans of a few hundred bytes, `memory.copy` takes half as long as
 * `copyWithin`, which spends most of its time on call overhead.
 */
const PROGRAM = [
  '0061736d 01000000', // WebAssembly, version 1
  '01 08 01 60 03 7f 7f 7f 01 7f', // a function type with three integer parameters and one integer result
  '02 08 01 01 6d 01 6d 02 00 01', // the memory is imported under the name m.m
  '03 02 01 00', // one function with that type
  '07 08 01 04 636f7079 00 00', // the function is exported under the name copy
  '0a 40 01 3e 01 02 7f', // its code, with the parameters from, until, to and two more variables: start, length
  '02 40 03 40', // block, loop
  '20 00 20 01 4f 0d 01', // leaves the block if from >= until
  '20 00 28 02 00 21 03', // start = the value at the address from
  '20 00 28 02 04 20 03 6b 21 04', // length = the value at the address from + 4, minus start
  '20 02 20 03 20 04 fc 0a 00 00', // memory.copy(to, start, length)
  '20 02 20 04 6a 21 02', // to += length
  '20 00 41 08 6a 21 00', // from += 8
  '0c 00 0b 0b', // repeats the loop; ends of loop and block
  '20 02 0b', // return to
]
const MODULE = new WebAssembly.Module(Buffer.from(PROGRAM.join('').replaceAll(' ', ''), 'hex'))

/** Function that creates WebAssembly memory. Throws if the platform has no address space left. */
export type MakePages = (pages: number) => { readonly buffer: ArrayBuffer }

const makePages: MakePages = (pages) => new WebAssembly.Memory({ initial: pages, maximum: pages })

/** Buffer of a fixed size with a reserved beginning, in which spans of bytes are concatenated. */
export class CopyMemory {
  readonly bytes: Buffer
  readonly #entries: Uint32Array
  /**
   * Undefined if the platform could not reserve address space, because there are thousands of memories or the process
   * is limited.
   */
  readonly #copy: CopySpans | undefined

  /** @param bytes minimum size in bytes, including the reserved bytes */
  constructor(bytes: number, make: MakePages = makePages) {
    const pages = Math.ceil(bytes / WASM_PAGE_BYTES)
    const memory = attempt(() => make(pages))
    const buffer = memory?.buffer ?? new ArrayBuffer(pages * WASM_PAGE_BYTES)
    this.bytes = Buffer.from(buffer)
    this.#entries = new Uint32Array(buffer, 0, MAX_ENTRIES)
    if (memory !== undefined) this.#copy = new WebAssembly.Instance(MODULE, { m: { m: memory } }).exports.copy
  }

  /**
   * Copies spans of bytes to `to`, one after the other. Returns the offset that follows the last copied byte.
   *
   * @param spans start and end of each span, beginning at entry 1
   * @param count number of entries of `spans` in use, including entry 0
   */
  copySpans(spans: Uint32Array, count: number, to: number): number {
    if (this.#copy === undefined) return this.#copyOneByOne(spans, count, to)
    const entries = this.#entries
    let end = to
    for (let from = 1; from < count; from += MAX_ENTRIES) {
      const some = Math.min(MAX_ENTRIES, count - from)
      for (let index = 0; index < some; index++) entries[index] = spans[from + index] as number
      end = this.#copy(0, some * Uint32Array.BYTES_PER_ELEMENT, end)
    }
    return end
  }

  #copyOneByOne(spans: Uint32Array, count: number, to: number): number {
    let end = to
    for (let index = 1; index < count; index += 2) {
      const start = spans[index] as number
      const stop = spans[index + 1] as number
      this.bytes.copyWithin(end, start, stop)
      end += stop - start
    }
    return end
  }
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
