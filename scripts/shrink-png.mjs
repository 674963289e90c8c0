import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8
const AVERAGE = 3
const PAETH = 4

/**
 * Returns a smaller PNG with the same pixels. Uses no filters and maximum compression, which suits screenshots. Accepts
 * only the format that browsers write: 8 bits per channel, red, green and blue, not interlaced. Throws for any other
 * format.
 */
export function shrinkPng(png) {
  const chunks = [...readChunks(png)]
  const head = chunks.find(({ type }) => type === 'IHDR').data
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  if (head.subarray(8).toString('hex') !== '0802000000') throw new Error('This is no PNG as browsers write them.')
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const rows = unfilter(inflateSync(packed), width * 3, height)
  const data = deflateSync(rows, { level: 9, memLevel: 9 })
  const end = { type: 'IEND', data: Buffer.alloc(0) }
  const all = [{ type: 'IHDR', data: head }, { type: 'IDAT', data }, end]
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), ...all.map(chunk)])
}

function* readChunks(png) {
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) }
    at += length + 12
  }
}

function chunk({ type, data }) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/** Returns the rows of pixels without filters, each prefixed with a 0 byte for "no filter". */
function unfilter(filtered, bytes, height) {
  const rows = Buffer.alloc((bytes + 1) * height)
  for (let row = 0; row < height; row += 1) {
    const start = row * (bytes + 1)
    for (let index = 1; index <= bytes; index += 1) {
      const left = index > 3 ? rows[start + index - 3] : 0
      const above = row > 0 ? rows[start - bytes - 1 + index] : 0
      const corner = index > 3 && row > 0 ? rows[start - bytes - 4 + index] : 0
      rows[start + index] = filtered[start + index] + predicted(filtered[start], left, above, corner)
    }
  }
  return rows
}

/** Returns the value that a PNG filter adds to a byte. Source: PNG specification, third edition, §9 */
function predicted(filter, left, above, corner) {
  if (filter === AVERAGE) return (left + above) >> 1
  if (filter !== PAETH) return [0, left, above][filter]
  const estimate = left + above - corner
  const distances = [left, above, corner].map((one) => Math.abs(estimate - one))
  return [left, above, corner][distances.indexOf(Math.min(...distances))]
}
