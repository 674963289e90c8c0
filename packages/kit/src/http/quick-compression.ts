import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, deflate, deflateSync, gzip, gzipSync } from 'node:zlib'
import type { Coding } from './compression.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const compressDeflate = promisify(deflate)

/**
 * Maximum size of a body that is compressed synchronously. Up to this size, handing the work to another thread costs
 * more than compressing. In a measurement, compressing 29 kB of JSON took 25–40 µs.
 */
const MAX_SYNC_BYTES = 64 * 1024

/** Options with a chunk size that fits most results; the default chunk size is larger. */
const DEFLATE = { level: 1, chunkSize: 2048, memLevel: 6 }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const COMPRESS_SYNC: Readonly<Record<Coding, (body: Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, BROTLI),
  gzip: (body) => gzipSync(body, DEFLATE),
  deflate: (body) => deflateSync(body, DEFLATE),
}

const COMPRESS_ASYNC: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => compressBrotli(body, BROTLI),
  gzip: (body) => compressGzip(body, DEFLATE),
  deflate: (body) => compressDeflate(body, DEFLATE),
}

/**
 * Compresses a body that is sent only once. Takes a third of the time that `compress` takes, for a result that is 10 %
 * larger. Compresses short bodies synchronously and longer bodies off the event loop. Throws or rejects if compression
 * fails.
 */
export function compressQuickly(body: Buffer, coding: Coding): Buffer | Promise<Buffer> {
  return body.length <= MAX_SYNC_BYTES ? COMPRESS_SYNC[coding](body) : COMPRESS_ASYNC[coding](body)
}
